// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension CurlConnector {
    /// Sets the trusted authorities, the client identity, and the rules of the host. Chain and name are verified unless
    /// the settings exempt the host.
    ///
    /// A proxy that uses TLS is trusted by the same authorities and always verified; the client identity is not sent to
    /// it.
    func setUpTLS(_ options: inout OptionWriter) {
        let settings = resources.environment.settings.tls
        let store = TrustStore(settings.trust)
        if target.scheme == .https {
            options.set(CURLOPT_SSL_VERIFYPEER, hostRules?.isChainVerified ?? true ? 1 : 0)
            options.set(CURLOPT_SSL_VERIFYHOST, hostRules?.isNameVerified ?? true ? 2 : 0)
            options.set(CURLOPT_SSLVERSION, settings.minimumVersion.curlValue)
            options.set(store, fileOption: CURLOPT_CAINFO, folderOption: CURLOPT_CAPATH, blob: CURLOPT_CAINFO_BLOB)
            if let identity = settings.identity { options.set(identity) }
            if let pins = hostRules?.pins?.publicKeyOption { options.set(CURLOPT_PINNEDPUBLICKEY, pins) }
            if needsCertificates { options.set(CURLOPT_CERTINFO, 1) }
        }
        if proxy?.kind == .https {
            options.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
            options.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
            options.set(CURLOPT_PROXY_SSLVERSION, settings.minimumVersion.curlValue)
            options.set(
                store,
                fileOption: CURLOPT_PROXY_CAINFO,
                folderOption: CURLOPT_PROXY_CAPATH,
                blob: CURLOPT_PROXY_CAINFO_BLOB
            )
        }
        options.check(ccurl_offer(curl, protocols))
    }

    /// Whether the server's certificates are reported, or compared with pins.
    private var needsCertificates: Bool {
        let settings = resources.environment.settings.tls
        return target.scheme == .https && (settings.reportsCertificates || !settings.pins.isEmpty)
    }

    /// The certificates that the server has sent, its own first; empty if nothing needs them.
    var certificates: [ServerCertificate] {
        guard needsCertificates, let info = ccurl_get_certificates(curl)?.pointee, let lists = info.certinfo else {
            return []
        }
        return (0..<max(0, Int(info.num_of_certs))).compactMap { lists[$0].flatMap(ServerCertificate.init(lines:)) }
    }

    /// What TLS has negotiated with the server, if the settings ask for it and OpenSSL tells it.
    var reportedParameters: TransferMetrics.TLSParameters? {
        guard target.scheme == .https, resources.environment.settings.tls.reportsCertificates, let ssl,
            let version = ccurl_ssl_version(ssl), let cipher = ccurl_ssl_cipher(ssl)
        else { return nil }
        var length: UInt32 = 0
        let name = ccurl_ssl_application_protocol(ssl, &length).map {
            UnsafeBufferPointer(start: $0, count: Int(length))
        }
        return .init(
            version: String(cString: version),
            cipherSuite: String(cString: cipher),
            applicationProtocol: name.map { String(decoding: $0, as: UTF8.self) }
        )
    }

    /// The failure of a server whose certificate is not among the pinned ones.
    ///
    /// libcurl itself compares public keys while it connects, but has no pins of certificates. Only the first
    /// certificate counts: the server can send any others along with it.
    func pinFailure(_ certificates: [ServerCertificate]) -> TransferFailure? {
        guard case .certificates(let pins) = hostRules?.pins else { return nil }
        if let leaf = certificates.first, pins.contains(leaf.pin) { return nil }
        return TransferFailure(
            code: .certificatePinMismatch,
            stage: .tls,
            sent: .notSent,
            reason: TransferFailure.pinReason("certificate", of: target.host, shown: certificates.first?.pin, pins)
        )
    }
}

extension ccurl_protocols {
    static func http(offersHTTP2: Bool, offersHTTP1: Bool, proxies: Int, isLimited: Bool) -> ccurl_protocols {
        var protocols = ccurl_protocols()
        let names =
            Array((offersHTTP2 ? "\u{2}h2" : "").utf8)
            + Array((offersHTTP1 || !offersHTTP2 ? "\u{8}http/1.1" : "").utf8)
        withUnsafeMutableBytes(of: &protocols.names) { $0.copyBytes(from: names) }
        protocols.length = UInt32(names.count)
        protocols.proxies = UInt32(proxies)
        // Not while the connection is made.
        protocols.reading.allowance = .max
        protocols.reading.is_limited = isLimited
        protocols.reading.alert = -1
        return protocols
    }
}
