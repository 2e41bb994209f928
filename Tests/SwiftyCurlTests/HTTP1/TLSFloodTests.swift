// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// OpenSSL takes messages of its own without returning, for as long as the socket has more of them.
@Suite("Servers that send messages of TLS", .serialized, .timeLimit(.minutes(15)))
struct TLSFloodTests {
    /// A message of `Tests/Peers/tls_messages.py`.
    enum Message: String, CaseIterable {
        case update, question, ticket
    }

    /// The messages of a flood: one megabyte, or several.
    private static let flood = Thoroughness.isDeep ? 200_000 : 50_000

    /// Loads from another server until a task has ended, and prints the times.
    private func load(
        from neighbour: NeighbourLoads,
        over transport: CurlTransport,
        beside message: Message,
        until task: Task<Void, any Error>
    ) async throws {
        let times = try await neighbour.times(over: transport, until: task)
        let (p99, longest) = (times[times.count * 99 / 100], times[times.count - 1])
        print("\(times.count) loads beside \(message): p99 \(p99), longest \(longest)")
        // That a call returns in the middle of a flood is shown by the flood's own end. Here only a loop that stands
        // still is found: a machine with much else to do has held a load for 12 seconds.
        #expect(longest < .seconds(120))
    }

    @Test("without end lose the connection with a typed error, while other loads go on", arguments: Message.allCases)
    func waiting(_ message: Message) async throws {
        let (peer, neighbour) = (try await TLSPeer("tls_messages.py"), try await NeighbourLoads())
        let transport = peer.transport { $0.loops = 1 }
        let task = Task {
            let error = try await transport.failure(of: .to(peer.url("\(message)/\(Self.flood)")))
            #expect(error.code == .malformedResponse, "\(error)")
            #expect(error.sent == .maybeSent)
        }
        try await load(from: neighbour, over: transport, beside: message, until: task)
        try await task.value
        #expect(try await transport.get(peer.url("ok")).text == "ok")
        await transport.shutdown()
    }

    @Test("without end lose a connection that is kept, while other loads go on", arguments: Message.allCases)
    func kept(_ message: Message) async throws {
        let (peer, neighbour) = (try await TLSPeer("tls_messages.py"), try await NeighbourLoads())
        let transport = peer.transport { $0.loops = 1 }
        #expect(try await transport.get(peer.url("kept/\(message)/\(Self.flood)")).text == "before")
        let task = Task {
            try await until(within: .seconds(300)) { OpenSockets.descriptors(toPorts: [peer.port]).isEmpty }
        }
        try await load(from: neighbour, over: transport, beside: message, until: task)
        try await task.value
        #expect(try await transport.get(peer.url("ok")).text == "ok")
        await transport.shutdown()
    }

    @Test("before a response, some hundreds of them, do no harm", arguments: Message.allCases)
    func some(_ message: Message) async throws {
        let peer = try await TLSPeer("tls_messages.py")
        let transport = peer.transport()
        for count in [1, 100, 1_000] {
            let response = try await transport.get(peer.url("\(message)/\(count)"))
            #expect(response.text == "behind")
            #expect(response.metrics.isConnectionReused == (count > 1))
        }
        await transport.shutdown()
    }
}
