// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SwiftyError {
    /// The failure of a task. A code that `URLSession` uses for several causes gets the safest interpretation: the
    /// request may have been processed.
    init(urlError error: any Error, hasHead: Bool) {
        let code = URLFailure.code(of: error.localizedDescription) ?? (error as? URLError)?.code
        let failure = hasHead ? URLFailure.inContent(code) : URLFailure.connecting(code) ?? URLFailure.waiting(code)
        self.init(
            failure.code,
            stage: failure.stage,
            sent: failure.sent,
            reason: Redaction.oneLine(error.localizedDescription),
            underlying: error
        )
    }
}

/// The meaning of a `URLError` code for a transfer.
private struct URLFailure {
    let code: SwiftyError.Code
    let stage: SwiftyError.Stage
    var sent = SwiftyError.SentState.notSent

    /// The code of a failure by libcurl's message, which FoundationNetworking passes on without a distinct code; `nil`
    /// for other messages, which only make the error less exact.
    static func code(of words: String) -> URLError.Code? {
        if malformed.contains(where: { words.contains($0) }) { return .cannotParseResponse }
        if words.hasPrefix("SSL certificate problem") || words.hasPrefix("SSL: no alternative certificate") {
            return .serverCertificateUntrusted
        }
        // Written in the handshake only; later failures begin with "OpenSSL SSL_read" or "SSL_write".
        return words.hasPrefix("OpenSSL/") ? .secureConnectionFailed : nil
    }

    private static let malformed = [
        "Header without colon", "Failed writing header", "Nul byte in header", "Invalid Content-Length",
        "chunked-encod", "Unrecognized content encoding", "bad argument",
    ]

    /// Failures before anything is sent; `nil` for others.
    static func connecting(_ code: URLError.Code?) -> URLFailure? {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: URLFailure(code: .nameResolutionFailed, stage: .nameLookup)
        case .cannotConnectToHost, .notConnectedToInternet: URLFailure(code: .connectionFailed, stage: .connect)
        case .secureConnectionFailed: URLFailure(code: .tlsFailed, stage: .tls)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            URLFailure(code: .certificateInvalid, stage: .tls)
        case .clientCertificateRejected, .clientCertificateRequired:
            URLFailure(code: .clientCertificateRefused, stage: .tls)
        default: nil
        }
    }

    static func waiting(_ code: URLError.Code?) -> URLFailure {
        switch code {
        // libcurl's "unsupported protocol": the response is not HTTP, since the URL is http or https.
        case .unsupportedURL, .cannotParseResponse:
            URLFailure(code: .malformedResponse, stage: .head, sent: .maybeSent)
        default: URLFailure(code: .connectionLost, stage: .firstByte, sent: .maybeSent)
        }
    }

    static func inContent(_ code: URLError.Code?) -> URLFailure {
        code == .cannotDecodeRawData || code == .cannotDecodeContentData || code == .cannotParseResponse
            ? URLFailure(code: .malformedResponse, stage: .content, sent: .responded)
            : URLFailure(code: .connectionLost, stage: .content, sent: .responded)
    }
}
