// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("HTTP/2 servers that do not process a request", .timeLimit(.minutes(15)))
struct StreamTests {
    /// Whether the connection has served a request before.
    private static let isWarm = [false, true]

    private func warm(_ transport: CurlTransport, _ peer: HTTP2Peer, _ isWarm: Bool) async throws {
        if isWarm { _ = try await transport.load(peer.request("ok", method: .get)) }
    }

    @Test("a refused POST is repeated, and processed once", arguments: isWarm, [7, 500_000])
    func refusedOnce(isWarm: Bool, count: Int) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await warm(transport, peer, isWarm)
        let body = Data(repeating: 65, count: count)
        #expect(try await transport.load(peer.request("refuse-once/a", content: body)).text == "ok")
        #expect(try await peer.seen(by: transport).filter { $0.contains("refuse") } == ["POST /refuse-once/a"])
    }

    @Test("a POST that is always refused counts as not sent, and ends after a few attempts", arguments: isWarm)
    func refused(isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await warm(transport, peer, isWarm)
        let error = try await transport.failure(of: peer.request("refuse"))
        #expect(error.code == .connectionLost)
        #expect(error.sent == .notSent, "\(error)")
    }

    @Test("a POST above the last stream of GOAWAY counts as not sent", arguments: isWarm)
    func unseen(isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await warm(transport, peer, isWarm)
        let error = try await transport.failure(of: peer.request("goaway"))
        #expect(error.code == .connectionLost)
        #expect(error.sent == .notSent, "\(error)")
        #expect(try await transport.load(peer.request("ok")).text == "ok")
    }

    @Test(
        "a POST that the server may have processed is maybe sent, and never repeated",
        arguments: ["goaway-seen", "calm", "die", "abort", "reset/2", "reset/8", "reset/11", "reset/13"],
        isWarm
    )
    func seen(path: String, isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await warm(transport, peer, isWarm)
        let error = try await transport.failure(of: peer.request(path))
        #expect(error.code == .connectionLost || error.code == .malformedResponse)
        #expect(error.sent == .maybeSent, "\(error)")
        #expect(try await peer.seen(by: transport).filter { !$0.contains("/ok") } == ["POST /\(path)"])
    }

    @Test("many refused simultaneously on one connection are each processed once")
    func refusedTogether() async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await warm(transport, peer, true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask { _ = try await transport.load(peer.request("refuse-once/\(index)")) }
            }
            try await group.waitForAll()
        }
        let seen = try await peer.seen(by: transport).filter { $0.contains("refuse") }
        #expect(seen.count == 40)
        #expect(Set(seen).count == 40)
    }

    @Test("a connection that breaks during many POSTs repeats none of them", arguments: ["die", "abort"])
    func diesTogether(path: String) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await warm(transport, peer, true)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                let path = index % 8 == 7 ? "\(path)/\(index)" : "ok/\(index)"
                group.addTask { _ = try? await transport.load(peer.request(path)) }
            }
        }
        let seen = try await peer.seen(by: transport).filter { $0.hasPrefix("POST") }
        #expect(Set(seen).count == seen.count, "\(seen)")
    }

    @Test("a server that always sends ENHANCE_YOUR_CALM gets a few attempts, of one load or of two", arguments: [1, 2])
    func calm(parallel: Int) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        try await withThrowingTaskGroup(of: SwiftyError.self) { group in
            for index in 0..<parallel {
                group.addTask { try await transport.failure(of: peer.request("calm/\(index)", method: .get)) }
            }
            for try await error in group { #expect(error.code == .connectionLost, "\(error)") }
        }
        #expect(try await peer.seen(by: transport).filter { $0.contains("calm") }.count <= 6 * parallel)
    }

    @Test("a reset names its code, whatever the method")
    func resetCode() async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        let error = try await transport.failure(of: peer.request("reset/8", method: .get))
        #expect(error.reason.contains("CANCEL"))
        #expect(error.stage == .firstByte)
    }

    /// Such a request still stands in nghttp2's queue when its load ends.
    @Test(
        "a request that ends while it waits for room on its connection does not affect others",
        arguments: [1, 20, 150]
    )
    func withoutRoom(count: Int) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport { $0.loops = 1 }
        #expect(try await transport.load(peer.request("full", method: .get)).text == "ok")
        // The frames after the response leave the connection without room; no event reports them.
        try await Task.sleep(for: .milliseconds(200))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                group.addTask {
                    let cancellation = LoadCancellation()
                    async let cancel: Void = {
                        // The loads wait for room meanwhile.
                        try? await Task.sleep(for: .milliseconds(300))
                        cancellation.cancel()
                    }()
                    _ = try? await transport.send(peer.request("ok/cancelled/\(index)"), cancellation: cancellation)
                    await cancel
                }
            }
        }
        // Some are sent while there is still no room, and some when there is.
        for round in 0..<2 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    let request = try peer.request("ok/\(round)/\(index)", method: .get)
                    group.addTask {
                        let response = try await transport.load(request)
                        #expect(response.text == "ok")
                    }
                }
                try await group.waitForAll()
            }
        }
        await transport.shutdown()
    }
}
