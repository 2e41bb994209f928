// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

/// Many parallel requests to the server of `Tests/Peers/http2_load.py`.
@Suite("HTTP/2 servers that limit, refuse or end streams under load", .timeLimit(.minutes(15)))
struct LoadedServerTests {
    static let methods: [HTTPRequest.Method] = [.get, .head, .put, .delete, .post, .patch, .options]

    /// Sends requests, as many simultaneously as there are lanes, and returns those that were sent: method and path.
    private func send(
        _ count: Int,
        lanes: Int,
        to folder: String,
        _ peer: TLSPeer,
        _ transport: CurlTransport
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    var sent: [String] = []
                    for index in stride(from: lane, to: count, by: lanes) {
                        let method = Self.methods[index % Self.methods.count]
                        let body = [.put, .post, .patch].contains(method) ? Data("content".utf8) : nil
                        let path = "\(folder)/\(index)"
                        let response = try await transport.load(.to(peer.url(path), method: method, content: body))
                        #expect(response.text == (method == .head ? "" : "ok"))
                        sent.append("\(method.rawValue) /\(path)")
                    }
                    return sent
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func lines(_ path: String, _ peer: TLSPeer) async throws -> [String] {
        try await peer.transport().get(peer.url(path)).text.split(separator: "\n").map(String.init)
    }

    @Test("one of ten is refused: requests of all methods succeed, and each is processed once")
    func refusals() async throws {
        let peer = try await TLSPeer("http2_load.py")
        let sent = try await send(700, lanes: 50, to: "refuse", peer, peer.transport())
        #expect(try await lines("log", peer).sorted() == sent.sorted())
        #expect(try await lines("refused", peer).count >= 70)
    }

    @Test("GOAWAY without an error excludes some: they are repeated with any method, and each is processed once")
    func goAway() async throws {
        let peer = try await TLSPeer("http2_load.py")
        let sent = try await send(1_000, lanes: 20, to: "goaway", peer, peer.transport { $0.loops = 1 })
        #expect(try await lines("log", peer).sorted() == sent.sorted())
        // Otherwise there was no GOAWAY behind which a request was repeated.
        #expect(try await lines("excluded", peer).count >= 10)
    }

    @Test(
        "a limit of streams holds for a thousand parallel loads",
        arguments: ["limit-1", "limit-3", "limit-100", "limit"]
    )
    func limit(folder: String) async throws {
        let peer = try await TLSPeer("http2_load.py")
        let transport = peer.transport { $0.loops = 1 }
        // The first limit comes behind the acknowledgement of the server's first SETTINGS.
        for _ in 0..<3 { #expect(try await transport.get(peer.url("\(folder)/first")).text == "ok") }
        let sent = try await send(1_000, lanes: 1_000, to: folder, peer, transport)
        #expect(try await lines("log", peer).filter { !$0.hasSuffix("first") }.sorted() == sent.sorted())
        #expect(try await lines("violations", peer) == [])
    }
}
