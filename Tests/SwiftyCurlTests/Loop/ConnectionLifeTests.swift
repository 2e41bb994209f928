// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("The lifetime of connections", .timeLimit(.minutes(15)))
struct ConnectionLifeTests {
    private func transport(_ change: (inout TransportSettings.Connections) -> Void) -> CurlTransport {
        CurlTransport(configuration: .with { change(&$0.settings.connections) })
    }

    @Test("a connection that was idle or alive for too long is replaced, and no load fails", arguments: [true, false])
    func tooLong(isIdle: Bool) async throws {
        let server = try LoopbackServer()
        let transport = transport {
            if isIdle { $0.maximumIdleTime = .seconds(5) } else { $0.maximumAge = .seconds(5) }
        }
        let start = ContinuousClock.now
        #expect(try await !transport.get("\(server.url)/get").metrics.isConnectionReused)
        let isReused = try await transport.get("\(server.url)/get").metrics.isConnectionReused
        // On a very slow machine, even the second load comes too late.
        #expect(isReused || ContinuousClock.now - start > .seconds(4))
        // The limits are measured by the system's clock.
        try await Task.sleep(for: .milliseconds(6500))
        let response = try await transport.load(.to("\(server.url)/post", method: .post, content: Data("x".utf8)))
        #expect(!response.metrics.isConnectionReused)
        #expect(response.head.statusCode == 200)
    }

    @Test("zero reuses no connection", arguments: [true, false])
    func zero(isIdle: Bool) async throws {
        let server = try LoopbackServer()
        let transport = transport { if isIdle { $0.maximumIdleTime = .zero } else { $0.maximumAge = .zero } }
        for _ in 0..<3 { #expect(try await !transport.get("\(server.url)/get").metrics.isConnectionReused) }
    }

    @Test(
        "extreme times are accepted",
        arguments: [
            Duration.seconds(-1), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ]
    )
    func extreme(_ time: Duration) async throws {
        let server = try LoopbackServer()
        let transport = transport {
            $0.maximumIdleTime = time
            $0.maximumAge = time
        }
        #expect(try await transport.get("\(server.url)/get").head.statusCode == 200)
        #expect(try await transport.get("\(server.url)/get").head.statusCode == 200)
    }

    @Test("connections that are replaced under load fail no load")
    func rotation() async throws {
        let server = try LoopbackServer()
        let transport = transport { $0.maximumAge = .seconds(1) }
        let end = ContinuousClock.now + .seconds(4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    while ContinuousClock.now < end {
                        let request = try NetworkRequest.to(
                            "\(server.url)/post",
                            method: .post,
                            content: Data("x".utf8)
                        )
                        #expect(try await transport.load(request).head.statusCode == 200)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
