// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Connections, if there are more loads than connections", .timeLimit(.minutes(15)))
struct TurnoverTests {
    @Test(
        "suffice if an eighth of the transfers that are queued got one in this turn",
        arguments: [(0, 1, false), (1, 8, true), (1, 9, false), (3, 24, true), (3, 25, false), (50, 400, true)]
    )
    func speed(freed: Int, queued: Int, suffice: Bool) {
        var turnover = Turnover()
        for _ in 0..<freed { turnover.note(in: 7) }
        #expect(turnover.suffices(for: queued, in: 7) == suffice)
    }

    @Test("say nothing of a later turn")
    func laterTurn() {
        var turnover = Turnover()
        for _ in 0..<100 { turnover.note(in: 7) }
        #expect(!turnover.suffices(for: 1, in: 8))
        turnover.note(in: 8)
        #expect(turnover.suffices(for: 8, in: 8))
        #expect(!turnover.suffices(for: 9, in: 8))
    }

    @Test("may become free until the loop has received after the arrival of a transfer")
    func arrival() throws {
        var line = WaitingLine()
        let environment = CurlEnvironment(CurlTransport.Configuration())
        let transfers = try (0..<2).map { try Transfer(.to("http://one.test/\($0)"), in: environment) }
        line.receive(transfers[0])
        #expect(!line.hasReceived(since: transfers[0]))
        line.noteReceiving()
        line.receive(transfers[1])
        #expect(line.hasReceived(since: transfers[0]))
        #expect(!line.hasReceived(since: transfers[1]))
        // One that is repeated has waited already.
        line.receive(transfers[0])
        #expect(line.hasReceived(since: transfers[0]))
        line.noteReceiving()
        #expect(line.hasReceived(since: transfers[1]))
    }

    /// A new connection costs as much as dozens of loads: one for each load that waits would slow down all of them, so
    /// that more loads wait. If other tests keep the server from responding, the loads rightly make more connections.
    @Test("stay much fewer than the loads, if there are more of these than can be carried")
    func overload() async throws {
        var counts: [Int] = []
        while counts.count < 5, counts.last ?? .max >= 1_500 { counts.append(try await connectionCount()) }
        #expect(counts.contains { $0 < 1_500 }, "\(counts)")
    }

    /// The number of connections that the server has seen in the end.
    private func connectionCount() async throws -> Int {
        let server = try CountingServer(limit: 4_000)
        let transport = CurlTransport()
        try await transport.load(16_000, lanes: 2_000) { try .to("\(server.url)/\($0)", timeouts: .init()) }
        await transport.shutdown()
        return server.connectionCount
    }
}
