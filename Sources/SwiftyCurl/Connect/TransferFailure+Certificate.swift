// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension TransferFailure {
    /// Whether the server closed the connection because of the client certificate: according to its alert, or to
    /// OpenSSL's text if the alert is not known.
    static func isRefusalOfIdentity(_ alert: TLSAlert?, _ text: String) -> Bool {
        if let alert { return alert.refusesIdentity }
        return text.contains("alert")
            && [
                "certificate required", "bad certificate", "unknown ca", "certificate unknown", "certificate expired",
                "certificate revoked", "unsupported certificate", "access denied",
            ].contains { text.contains($0) }
    }

    /// The reason for a pin mismatch.
    static func pinReason(_ kind: String, of host: String, shown: String?, _ pins: [String]) -> String {
        let shown = shown ?? "unknown"
        return "the \(kind) of \(host) is \(shown), but these are pinned: \(pins.joined(separator: ", "))"
    }

    /// Explains a failure that concerns certificates.
    mutating func explainTLS(
        host: String,
        pins: TransportSettings.TLS.Pins?,
        certificates: [ServerCertificate],
        identity: TransportSettings.TLS.Identity?
    ) {
        switch code {
        case .certificatePinMismatch:
            guard case .publicKeys(let pins) = pins else { return }
            reason = Self.pinReason("public key", of: host, shown: certificates.first?.publicKeyPin, pins)
        case .clientCertificateInvalid:
            let files = identity?.description ?? "none"
            reason =
                "the client certificate (\(files)) cannot be used; is the password right, and the key its own? "
                + reason
        case .clientCertificateRefused:
            reason = "the server does not accept the client's certificate, or demands one: \(reason)"
        default: break
        }
    }
}
