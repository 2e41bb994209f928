// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

extension EasyHandle {
    /// The decision about a connection whose certificates matter, before the request is written to it.
    enum CertificateDecision {
        case proceed
        case abort
        /// The certificates shown when the connection was made are unknown: another connection is needed.
        case unknown
    }

    /// Stores the certificates of the connection, and compares them with the pins of the host.
    ///
    /// libcurl itself compares public keys while it connects, but has no pins of certificates. Only the first
    /// certificate counts: the server can send any others along with it.
    func examineCertificates(of transfer: Transfer, isNew: Bool) -> CertificateDecision {
        guard transfer.target.scheme == .https else { return .proceed }
        let chain = isNew ? shownCertificates() : transfer.socket.flatMap { loop.certificates[$0.number] }
        if isNew, let socket = transfer.socket { loop.certificates[socket.number] = chain }
        if loop.environment.settings.tls.reportsCertificates { transfer.certificates = chain ?? [] }
        guard case .certificates(let pins) = transfer.hostRules?.pins else { return .proceed }
        guard let chain else { return .unknown }
        if let leaf = chain.first, pins.contains(leaf.pin) { return .proceed }
        endForPinMismatch(transfer, showing: chain, pins)
        return .abort
    }

    /// Ends the transfer and closes its connection, which libcurl would keep with HTTP/2.
    private func endForPinMismatch(_ transfer: Transfer, showing chain: [ServerCertificate], _ pins: [String]) {
        forbidReuse()
        transfer.certificates = chain
        let reason = TransferFailure.pinReason(
            "certificate",
            of: transfer.target.host,
            shown: chain.first?.pin,
            pins
        )
        transfer.state.end(.certificatePinMismatch, stage: .tls, reason: reason)
    }

    /// The certificates that the server sent when this handle made its connection, its own certificate first.
    func shownCertificates() -> [ServerCertificate] {
        guard let info = ccurl_get_certificates(curl)?.pointee, let lists = info.certinfo else { return [] }
        return (0..<max(0, Int(info.num_of_certs))).compactMap { lists[$0].flatMap(ServerCertificate.init(lines:)) }
    }
}

extension ServerCertificate {
    /// Parses libcurl's description of a certificate: lines as `Subject:CN = example.com`, the last one with the PEM
    /// form.
    init?(lines: UnsafeMutablePointer<curl_slist>) {
        var values: [Substring: Substring] = [:]
        var next: UnsafeMutablePointer<curl_slist>? = lines
        while let line = next {
            let text = line.pointee.data.map { String(cString: $0) } ?? ""
            if let colon = text.firstIndex(of: ":") { values[text[..<colon]] = text[text.index(after: colon)...] }
            next = line.pointee.next
        }
        let base64 = values["Cert"]?.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        guard let der = base64.flatMap({ Data(base64Encoded: $0) }), !der.isEmpty else { return nil }
        self.init(subject: String(values["Subject"] ?? ""), issuer: String(values["Issuer"] ?? ""), der: der)
    }
}
