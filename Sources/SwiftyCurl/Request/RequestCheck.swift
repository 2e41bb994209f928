// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Refuses what libcurl would write to the wire unchecked. The DSL checks the same; this is the last line.
enum RequestCheck {
    static func check(_ request: NetworkRequest, _ connections: TransportSettings.Connections) throws(SwiftyError) {
        let method = request.method.rawValue
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte), request.method != .connect else {
            throw SwiftyError(.invalidMethod, stage: .building, reason: "the method cannot be sent")
        }
        if request.method == .head, request.body != nil {
            throw SwiftyError(.bodyNotAllowed, stage: .building, reason: "a HEAD request has no content")
        }
        if let peer = request.connectsTo, !peer.isValid {
            throw SwiftyError(.invalidURL, stage: .building, reason: "\"\(peer)\" is no host and port to connect to")
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
