// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension TransferFailure {
    /// Replaces libcurl's explanation by a better one where there is one.
    ///
    /// - Parameters:
    ///   - curlCode: The code that libcurl ended the transfer with.
    ///   - systemError: The error number of the last failed system call.
    ///   - host: The target's host, which the certificate must match.
    ///   - peer: The host and port to connect to.
    ///   - overdue: The limit that the transfer has reached by the loop's clock, if any.
    mutating func explain(
        _ curlCode: CURLcode,
        systemError: Int64,
        host: String,
        peer: HostAndPort,
        overdue: TransferDeadlines.Overdue? = nil
    ) {
        switch curlCode {
        case CURLE_COULDNT_RESOLVE_HOST: reason = "the name \"\(peer.host)\" could not be resolved"
        case CURLE_COULDNT_CONNECT: reason = Self.connectReason(reason, systemError, "\(peer)")
        case CURLE_GOT_NOTHING: reason = "the server closed the connection without a response"
        case CURLE_PARTIAL_FILE where stage == .body:
            reason = Self.joined("the connection ended within the response's content", reason)
        case CURLE_PEER_FAILED_VERIFICATION:
            reason = Self.joined("the certificate of \(host) is not accepted", reason)
        case CURLE_UNSUPPORTED_PROTOCOL where code == .malformedResponse:
            reason = "the response is not HTTP/1.0 or later"
        case CURLE_BAD_FUNCTION_ARGUMENT where code == .malformedResponse:
            reason = "a header line of the response is malformed"
        case CURLE_OUT_OF_MEMORY where code == .responseTooLarge: reason = Self.headReason("")
        case CURLE_RECV_ERROR where code == .responseTooLarge: reason = Self.headReason(reason)
        // The loop and libcurl both have a clock for the connection. Whichever ends the transfer, the words are the
        // same.
        case CURLE_OPERATION_TIMEDOUT where overdue != nil: reason = overdue?.reason ?? reason
        default:
            if reason.isEmpty { reason = String(cString: curl_easy_strerror(curlCode)) }
        }
    }

    private static func connectReason(_ text: String, _ systemError: Int64, _ peer: String) -> String {
        guard let number = Int32(exactly: systemError), number != 0 else {
            return joined("no connection to \(peer) could be made", text)
        }
        return "no connection to \(peer) could be made: \(systemErrorText(number))"
    }

    private static func headReason(_ text: String) -> String {
        joined("a header field of the response exceeds libcurl's own limit, which no setting raises", text)
    }

    private static func joined(_ sentence: String, _ detail: String) -> String {
        detail.isEmpty ? sentence : "\(sentence): \(detail)"
    }

    static func systemErrorText(_ number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, ccurl_error_text(number, base, buffer.count) else {
                return "error \(number)"
            }
            return String(cString: base)
        }
    }
}

extension TransferFailure {
    /// Whether the server closed the connection because of the client certificate, by OpenSSL's text (RFC 8446 §6.2).
    /// With TLS 1.3 the client may already be reading the response by then.
    static func isRefusalOfIdentity(_ text: String) -> Bool {
        text.contains("alert")
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

    /// Like ``explain(_:systemError:host:peer:overdue:)``, for failures that concern certificates.
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
