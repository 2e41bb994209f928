// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Refuses what libcurl would write to the wire unchecked. The DSL checks the same; this is the last line.
enum RequestCheck {
    static func check(_ request: NetworkRequest, _ connections: ConnectionSettings) throws(SwiftyError) {
        let method = request.method.rawValue
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte), request.method != .connect else {
            throw SwiftyError(.invalidMethod, stage: .building, reason: "the method cannot be sent")
        }
        if request.method == .head, request.body != nil {
            throw SwiftyError(.bodyNotAllowed, stage: .building, reason: "a HEAD request has no content")
        }
        if connections.version == .http2, request.target.scheme == .http {
            // libcurl 7.88.1 cannot use such a connection twice, and earlier and later ones cannot without prior knowledge.
            throw SwiftyError(
                .versionUnavailable,
                stage: .building,
                reason: "HTTP/2 is spoken over TLS only, and the settings demand it for an http URL"
            )
        }
    }
}

extension UInt8 {
    /// A byte of a token, RFC 9110 §5.6.2.
    fileprivate var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
