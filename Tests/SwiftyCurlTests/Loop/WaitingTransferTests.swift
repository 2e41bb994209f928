// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// The server is `Tests/Peers/delayed.py`: its second connection is ready only after a delay.
@Suite("Requests that wait for a connection while another one becomes free", .timeLimit(.minutes(15)))
struct WaitingTransferTests {
    private func request(_ peer: TLSPeer, _ path: String) throws -> NetworkRequest {
        try .to(peer.url(path), timeouts: NetworkRequest.Timeouts(total: .seconds(60)))
    }

    /// A request that opens a gate when it is sent.
    private func request(_ peer: TLSPeer, _ path: String, opening gate: Gate) throws -> NetworkRequest {
        var request = try request(peer, path)
        request.onEvent = { event in if event == .requestSent { gate.open() } }
        return request
    }

    @Test("are not sent on a shared connection that is too old")
    func age() async throws {
        let peer = try await TLSPeer("delayed.py", option: "h2 6")
        let transport = peer.transport {
            $0.maximumConcurrentStreams = 1
            $0.settings.connections.maximumAge = .seconds(1)
        }
        let isSent = Gate()
        async let late = transport.load(request(peer, "late", opening: isSent))
        try await until { isSent.isOpen }
        // The connection is too old when the response comes, after three seconds.
        let second = try await transport.load(request(peer, "ok"))
        #expect(try await late.text == "ok")
        #expect(second.text == "ok")
        #expect(!second.metrics.isConnectionReused)
    }

    @Test("are not lost when they are sent on an idle connection that makes room for them")
    func idle() async throws {
        for _ in 0..<20 {
            let peer = try await TLSPeer("delayed.py", option: "h2 60")
            let transport = peer.transport { $0.settings.connections.maximumIdleTime = .seconds(5) }
            #expect(try await transport.load(request(peer, "pause")).text == "ok")
            let start = ContinuousClock.now
            try await Task.sleep(for: .seconds(1))
            // On a busy machine the pause may outlast the connection.
            if ContinuousClock.now - start > .seconds(3) { continue }
            // Sent after three seconds, when the server makes room, and answered after six.
            let second = try await transport.load(request(peer, "late"))
            #expect(second.text == "ok")
            #expect(second.metrics.isConnectionReused)
            return
        }
        Issue.record("a second lasted more than three, twenty times")
    }

    @Test("leave a connection whose unrequested bytes are no response and no reason to end the process")
    func unrequestedBytes() async throws {
        let peer = try await TLSPeer("delayed.py", option: "http/1.1 1.5")
        let transport = peer.transport { $0.settings.connections.version = .http1_1 }
        for _ in 0..<2 {
            // The second connection is ready, and idle, before the first one has served both requests.
            async let first = transport.load(request(peer, ""))
            async let second = transport.load(request(peer, ""))
            #expect(try await [first.text, second.text] == ["ok", "ok"])
        }
    }
}
