// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// Loads from a well-behaved server, on the loop of a transport that another server floods.
struct NeighbourLoads {
    private let server: PeerServer

    init() async throws {
        server = try await PeerServer.nginx { port, _ in
            "server { listen 127.0.0.1:\(port); keepalive_requests 1000000; location / { return 200 'ok'; } }"
        }
    }

    /// Sends GETs until a task has ended, and returns their times, the shortest first.
    func times<Success: Sendable>(
        over transport: CurlTransport,
        until task: Task<Success, any Error>
    ) async throws -> [Duration] {
        let isOver = Gate()
        async let over: Void = {
            _ = await task.result
            isOver.open()
        }()
        var times: [Duration] = []
        while !isOver.isOpen || times.count < 20 {
            let start = ContinuousClock.now
            #expect(try await transport.get(server.url).text == "ok")
            times.append(ContinuousClock.now - start)
        }
        await over
        return times.sorted()
    }
}
