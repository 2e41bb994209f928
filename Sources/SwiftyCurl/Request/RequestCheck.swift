// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Rejects requests that must not be sent to any server. The DSL makes the same checks; these are the last line of
/// defence.
enum RequestCheck {
    static func check(
        _ request: NetworkRequest,
        _ connections: TransportSettings.Connections
    ) throws(SwiftyError) {
        try request.checkMethodAndContent()
        if let peer = request.connectsTo, !peer.isValid {
            throw SwiftyError(.invalidURL, stage: .building, reason: "\"\(peer)\" is not a host and port to connect to")
        }
        if connections.version == .http2, CurlLibrary.linked?.nghttp2 == nil {
            throw SwiftyError(
                .versionUnavailable,
                stage: .building,
                reason: "HTTP/2, which the settings demand, needs a libcurl with nghttp2 and OpenSSL"
            )
        }
        if connections.version == .http2, request.target.scheme == .http {
            // Only ALPN in TLS shows that a server speaks HTTP/2.
            throw SwiftyError(
                .versionUnavailable,
                stage: .building,
                reason: "HTTP/2 is available over TLS only, but the settings demand it for an http URL"
            )
        }
    }
}
