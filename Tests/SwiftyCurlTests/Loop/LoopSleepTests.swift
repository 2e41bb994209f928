// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("A loop that falls asleep between loads", .timeLimit(.minutes(15)))
struct LoopSleepTests {
    @Test("forgets no transfer, whatever the timing", arguments: [1, 2, 8, 40])
    func nothingLost(callers: Int) async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for number in 0..<(800 / callers) {
                        let response = try await transport.get(server.url + "/ip")
                        #expect(response.head.statusCode == 200)
                        // Sometimes the loop has fallen asleep before another thread has begun and ended.
                        if (caller + number) % 7 == 0 { try await onOwnThread {} }
                    }
                }
            }
            try await group.waitForAll()
        }
        await transport.shutdown()
    }

    @Test("keeps a limit that begins while it sleeps without one", arguments: [300, 1_500])
    func limit(milliseconds: Int) async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(exchange + [.readRequest, .stall])
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        _ = try await transport.get(server.url)
        // By now the loop sleeps without a limit.
        try await Task.sleep(for: .milliseconds(2_300))
        var request = try NetworkRequest.to(server.url)
        request.timeouts.total = .milliseconds(milliseconds)
        let error = try await transport.failure(of: request)
        #expect(error.code == .timedOut)
        await transport.shutdown()
    }

    @Test("ends all loads when it is shut down during them", arguments: 0..<10)
    func shutdown(round: Int) async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        let count = Counter()
        let loads = (0..<8).map { _ in
            Task {
                while true {
                    _ = try await transport.get(server.url + "/ip")
                    count.increment()
                }
            }
        }
        // Another moment in each round.
        try await until { count.value >= 25 * round }
        await transport.shutdown()
        for load in loads {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .shutdown)
        }
    }
}
