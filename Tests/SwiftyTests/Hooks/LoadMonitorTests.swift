// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("A monitor of a load", .timeLimit(.minutes(15)))
struct LoadMonitorTests {
    @Test("follows the load: constraints, queue, connection, retry, end")
    func states() async throws {
        let gates = (constraint: Gate(), first: Gate(), second: Gate())
        let count = Counter()
        let stub = StubTransport { request in
            await (count.increment() == 1 ? gates.first : gates.second).wait()
            request.onEvent?(.connected(nameLookup: .zero, connect: .zero, tls: .zero, isReused: false))
            request.onEvent?(.responseHead(statusCode: 200, contentLength: 5))
            request.onEvent?(.progress(sent: 0, received: 5))
            let head = ResponseHead(statusCode: count.value == 1 ? 503 : 200)
            return TransportResponse(head: head, content: Data("12345".utf8))
        }
        let constraint = TestConstraint { constraint in
            gates.constraint.block()
            constraint.isSatisfied = true
            constraint.finish()
        }
        let clock = TestClock()
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .init(initial: .milliseconds(300), hasJitter: false))
        }
        let monitor = LoadMonitor()
        #expect(monitor.state == .notStarted)
        let resource = swifty.api.get("x").use(monitor, constraint)
        async let response = resource.load()
        try await until { monitor.state == .waitingForConstraints }
        #expect(monitor.attempts == 0)
        swifty.pause()
        gates.constraint.open()
        try await until { monitor.state == .queued }
        #expect(monitor.attempts == 1)
        swifty.resume()
        try await until { count.value == 1 }
        #expect(monitor.state == .queued || monitor.state == .connecting)
        gates.first.open()
        try await until { monitor.state == .waitingForRetry }
        #expect(monitor.endedAttempts.map(\.statusCode) == [503])
        gates.second.open()
        try await until {
            await clock.advance(by: .milliseconds(300))
            return monitor.isFinished
        }
        _ = try await response
        #expect(monitor.state == .succeeded)
        #expect(monitor.attempts == 2)
        #expect(monitor.received == 5)
        #expect(monitor.metrics?.attempts.count == 2)
        #expect(monitor.isFinished)
    }

    @Test("shows the code of a failure, and the latest load of a request that is loaded again")
    func again() async throws {
        let monitor = LoadMonitor()
        let count = Counter()
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: count.increment() == 1 ? 404 : 200), content: Data())
        }
        let resource = Swifty(transport: stub).api.get("x").use(monitor)
        await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(monitor.state == .failed(.unacceptableStatus))
        try await resource.load()
        #expect(monitor.state == .succeeded)
        #expect(monitor.endedAttempts.count == 1)
    }

    @Test("counts the bytes of a stream until its end")
    func streams() async throws {
        let server = try LoopbackServer()
        let monitor = LoadMonitor()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let stream = try await base.get("bytes/5000").use(monitor).stream()
        #expect(!monitor.isFinished)
        _ = try await stream.collect(limit: 9000)
        #expect(monitor.state == .succeeded)
        #expect(monitor.received == 5000)
    }
}
