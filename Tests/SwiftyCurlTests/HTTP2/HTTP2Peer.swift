// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport

/// The misbehaving HTTP/2 server of `Tests/Peers/http2.py`.
struct HTTP2Peer {
    private let peer: TLSPeer

    init() async throws {
        peer = try await TLSPeer("http2.py")
    }

    var port: Int { peer.port }

    /// A transport that trusts the server and resolves its name.
    func transport(_ change: (inout CurlTransport.Configuration) -> Void = { _ in }) -> CurlTransport {
        peer.transport(change)
    }

    func url(_ path: String) -> String { peer.url(path) }

    func request(
        _ path: String,
        method: HTTPRequest.Method = .post,
        content: Data? = Data("content".utf8)
    ) throws
        -> NetworkRequest
    {
        try .to(url(path), method: method, content: method == .get ? nil : content)
    }

    /// The requests that the server processed, without the number of the connection.
    func seen(by transport: CurlTransport) async throws -> [String] {
        try await transport.get(url("log")).text.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst().joined(separator: " ")
        }
    }
}
