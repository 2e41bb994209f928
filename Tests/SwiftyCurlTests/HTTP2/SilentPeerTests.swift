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

    @Test("are waited for without an interval")
    func withoutPing() async throws {
        let peer = try await HTTP2Peer()
        let transport = transport(peer, pingInterval: nil)
        var request = try peer.request("silent")
        request.timeouts.idle = .seconds(3)
        #expect(try await transport.failure(of: request).code == .timedOut)
    }
}
