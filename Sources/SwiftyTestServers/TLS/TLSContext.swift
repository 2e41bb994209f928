// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Safety: the context is complete when `init` returns; then OpenSSL lets any thread make connections from it.
/// The settings that the connections of a server share, as an OpenSSL object.
final class TLSContext: @unchecked Sendable {
    let library: OpenSSL
    let object: OpenSSL.Object
    let settings: ServerTLS

    init(_ settings: ServerTLS) throws(ServerTLS.UnavailableError) {
        self.settings = settings
        library = settings.key.library
        guard let object = library.makeContext(library.serverMethod()) else {
            throw ServerTLS.UnavailableError(reason: "OpenSSL could not make a context")
        }
        self.object = object
        guard configure() else { throw ServerTLS.UnavailableError(reason: "OpenSSL refused the settings") }
    }

    deinit {
        library.freeContext(object)
    }

    private func configure() -> Bool {
        let certificate = settings.certificate
        let versions = settings.versions
        _ = library.control(object, OpenSSL.setMode, OpenSSL.partialWrites, nil)
        // The signatures of old versions are below OpenSSL's default.
        if versions.lowerBound < .v1_2 { library.setSecurityLevel(object, 0) }
        // Safety: OpenSSL passes the context to the callback only during handshakes of connections, which keep it.
        library.setProtocolSelection(object, Self.selectProtocol, Unmanaged.passUnretained(self).toOpaque())
        return library.useCertificate(object, Int32(certificate.count), certificate) > 0
            && library.usePrivateKey(object, settings.key.object) > 0
            && library.control(object, OpenSSL.setMinimumVersion, versions.lowerBound.rawValue, nil) > 0
            && library.control(object, OpenSSL.setMaximumVersion, versions.upperBound.rawValue, nil) > 0
            && (settings.clientAuthority.map(requireClients) ?? true)
    }

    private func requireClients(of authority: TestAuthority) -> Bool {
        let certificate = authority.certificate
        return certificate.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let decoded = library.decodeCertificate(nil, &start, buffer.count), let store = library.store(object)
            else { return false }
            defer { library.freeCertificate(decoded) }
            library.setVerification(object, OpenSSL.requireCertificate, nil)
            return library.addToStore(store, decoded) > 0
        }
    }

    /// Chooses the first of the server's protocols that the client offers (RFC 7301); otherwise none.
    private static let selectProtocol: OpenSSL.SelectProtocol = { _, selected, selectedCount, offered, count, context in
        let (accepted, acknowledgesNothing): (Int32, Int32) = (0, 3)
        guard let selected, let selectedCount, let offered, let context else { return acknowledgesNothing }
        // Safety: `configure` has passed the context, which lives as long as its connections.
        let settings = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().settings
        let names = protocolNames(UnsafeBufferPointer(start: offered, count: Int(count)))
        for name in settings.applicationProtocols {
            guard let found = names.first(where: { $0.elementsEqual(name.utf8) }) else { continue }
            selected.pointee = found.baseAddress
            selectedCount.pointee = UInt8(found.count)
            return accepted
        }
        return acknowledgesNothing
    }

    /// The names of a list of protocols, each of which follows its length.
    private static func protocolNames(_ list: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        var (names, rest) = ([UnsafeBufferPointer<UInt8>](), list[...])
        while let length = rest.popFirst(), rest.count >= length {
            names.append(UnsafeBufferPointer(rebasing: rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return names
    }
}
