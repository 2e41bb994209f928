// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

package import struct Foundation.Data

/// One answer of a mock: a response or a failure, and the way in which it arrives.
package struct MockResponse: Sendable {
    package enum Outcome: Sendable {
        case response(ResponseHead, content: Data)
        case failure(SwiftyError)
    }

    package var outcome: Outcome
    /// The time before the response begins, or before the failure.
    package var latency = Duration.zero
    /// The number of bytes of content a second; `nil` sends it at once.
    package var bytesPerSecond: Int?
    /// The number of bytes of content after which the connection is lost; `nil` sends all of it.
    package var cut: Int?

    package init(_ outcome: Outcome) {
        self.outcome = outcome
    }

    package init(status: Int, headers: HTTPFields = [:], content: Data = Data()) {
        self.init(.response(ResponseHead(statusCode: status, headers: headers), content: content))
    }

    /// Whether a response with this status has no content (RFC 9110 §6.4.1).
    package static func hasNoContent(_ status: Int) -> Bool { status == 204 || status == 304 }
}

extension SwiftyError {
    /// The error of a mocked failure, as a transport would throw it.
    package init(mocked code: Code, reason: String = "") {
        let (stage, sent) = code.placeOfMockedFailure
        self.init(code, stage: stage, sent: sent, reason: reason.isEmpty ? "the mock fails with \(code)" : reason)
        if code == .timedOut { timeLimit = .firstByte }
    }
}

extension SwiftyError.Code {
    /// The stage in which a transport fails with this code, and the sent state that it then knows.
    fileprivate var placeOfMockedFailure: (SwiftyError.Stage, SwiftyError.SentState) {
        switch self {
        case .nameResolutionFailed: (.nameLookup, .notSent)
        case .connectionFailed, .proxyFailed, .proxyAuthenticationRequired, .addressDenied, .tooManyOpenFiles:
            (.connect, .notSent)
        case .tlsFailed, .certificateInvalid, .certificatePinMismatch, .clientCertificateInvalid,
            .clientCertificateRefused, .versionUnavailable:
            (.tls, .notSent)
        case .cancelled, .shutdown, .circuitOpen: (.queue, .notSent)
        case .malformedResponse: (.head, .maybeSent)
        case .responseTooLarge: (.content, .responded)
        default: (.firstByte, .maybeSent)
        }
    }

    /// The codes with which a transport may fail, by which mock files name their failures.
    package static let ofTransports: [SwiftyError.Code] = [
        .addressDenied, .cancelled, .certificateInvalid, .certificatePinMismatch, .circuitOpen,
        .clientCertificateInvalid, .clientCertificateRefused, .connectionFailed, .connectionLost, .malformedResponse,
        .nameResolutionFailed, .proxyAuthenticationRequired, .proxyFailed, .responseTooLarge, .shutdown, .timedOut,
        .tlsFailed, .tooManyOpenFiles, .transportFailed, .versionUnavailable,
    ]
}
