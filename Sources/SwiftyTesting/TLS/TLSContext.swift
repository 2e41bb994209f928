// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Safety: the context is complete when `init` returns; then OpenSSL lets any thread make connections from it.
/// The settings that the connections of a server share, in the form of OpenSSL.
final class TLSContext: @unchecked Sendable {
    let library: OpenSSL
    let object: OpenSSL.Object
    let settings: ServerTLS

    /// - Throws: ``ServerTLS/UnavailableError``.
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
        library.setProtocolSelection(object, Self.selectProtocol, nil)
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

    /// Chooses HTTP/1.1 if the client offers it (RFC 7301); otherwise none.
    private static let selectProtocol: OpenSSL.SelectProtocol = { _, selected, selectedCount, offered, count, _ in
        let (accepted, acknowledgesNothing): (Int32, Int32) = (0, 3)
        guard let selected, let selectedCount, let offered else { return acknowledgesNothing }
        let bytes = UnsafeBufferPointer(start: offered, count: Int(count))
        var place = 0
        while place < bytes.count {
            let length = Int(bytes[place])
            guard place + 1 + length <= bytes.count else { break }
            if bytes[(place + 1)..<(place + 1 + length)].elementsEqual("http/1.1".utf8) {
                selected.pointee = offered + place + 1
                selectedCount.pointee = UInt8(length)
                return accepted
            }
            place += 1 + length
        }
        return acknowledgesNothing
    }
}
