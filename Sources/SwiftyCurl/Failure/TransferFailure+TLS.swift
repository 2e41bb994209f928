// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension TransferFailure {
    /// Whether the server ended the connection because of our certificate, in OpenSSL's words (RFC 8446 §6.2). With TLS
    /// 1.3 the client may already be reading the response by then.
    static func isRefusalOfIdentity(_ text: String) -> Bool {
        text.contains("alert")
            && [
                "certificate required", "bad certificate", "unknown ca", "certificate unknown", "certificate expired",
                "certificate revoked", "unsupported certificate", "access denied",
            ].contains { text.contains($0) }
    }

    /// Says in words why a pin did not hold.
    static func pinReason(_ kind: String, of host: String, shown: String?, _ pins: [String]) -> String {
        let shown = shown ?? "unknown"
        return "the \(kind) of \(host) is \(shown), none of those that are pinned: \(pins.joined(separator: ", "))"
    }

    /// As `explain(_:systemError:host:peer:)`, for what has to do with certificates.
    mutating func explainTLS(_ transfer: Transfer, _ identity: TransportSettings.TLS.Identity?) {
        switch code {
        case .certificatePinMismatch:
            guard case .publicKeys(let pins) = transfer.hostRules?.pins else { return }
            let host = transfer.target.host
            reason = Self.pinReason("public key", of: host, shown: transfer.certificates.first?.publicKeyPin, pins)
        case .clientCertificateInvalid:
            let files = identity?.description ?? "none"
            reason =
                "the client certificate (\(files)) cannot be used; is the password right, and the key its own? \(reason)"
        case .clientCertificateRefused:
            reason = "the server does not accept the client's certificate, or there is none: \(reason)"
        default: break
        }
    }
}
