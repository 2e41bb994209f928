// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("HTTP/2 servers that fall silent", .timeLimit(.minutes(15)))
struct SilentPeerTests {
    private func transport(_ peer: HTTP2Peer, pingInterval: Duration?) -> CurlTransport {
        peer.transport { $0.settings.connections.pingInterval = pingInterval }
    }

    @Test(
        "that do not answer a PING lose the connection, and the next load uses another one",
        arguments: [true, false]
    )
    func dead(isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: .seconds(1))
        if isWarm { _ = try await transport.load(peer.request("ok", method: .get)) }
        let error = try await transport.failure(of: peer.request("silent"))
        #expect(error.code == .connectionLost, "\(error)")
        #expect(error.reason.contains("PING"), "\(error)")
        #expect(error.sent == .maybeSent)
        let response = try await transport.load(peer.request("ok"))
        #expect(response.text == "ok")
        #expect(!response.metrics.isConnectionReused)
    }

    @Test("that answer each PING may take their time")
    func late() async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: .seconds(1))
        #expect(try await transport.load(peer.request("late")).text == "ok")
    }

    @Test(
        "are left after the first request that reaches a limit, however long a PING may take",
        arguments: [true, false]
    )
    func sequence(isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: .seconds(600))
        if isWarm { _ = try await transport.load(peer.request("ok", method: .get)) }
        var request = try peer.request("silent")
        request.timeouts.total = .seconds(1)
        #expect(try await transport.failure(of: request).code == .timedOut)
        for _ in 0..<3 {
            let response = try await transport.load(peer.request("ok"))
            #expect(response.text == "ok")
        }
    }

    @Test("are found by requests that are cancelled, one after the other")
    func cancelled() async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: .seconds(1))
        // The peer stops reading the connection with the first request.
        for _ in 0..<600 {
            let cancellation = LoadCancellation()
            let task = Task { try await transport.send(peer.request("silent"), cancellation: cancellation) }
            try await Task.sleep(for: .milliseconds(100))
            cancellation.cancel()
            if case .failure(let error as SwiftyError) = await task.result, error.reason.contains("PING") { return }
        }
        Issue.record("the connection was not found to be dead")
    }

    @Test("are no reason for an interval of zero or less, which is an error of every load", arguments: [0, -1, .min])
    func invalidInterval(seconds: Int64) async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: .seconds(seconds))
        let error = try await transport.failure(of: peer.request("silent"))
        #expect(error.code == .invalidSettings && error.sent == .notSent, "\(error)")
    }

    @Test("are waited for without an interval")
    func withoutPing() async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: nil)
        var request = try peer.request("silent")
        request.timeouts.idle = .seconds(3)
        #expect(try await transport.failure(of: request).code == .timedOut)
    }
}
