// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

extension EventNames {
    /// The number of the load in its instance, from 1, and the name of each event.
    fileprivate convenience init() {
        self.init { event, load in
            let name =
                switch event {
                case .created: "created"
                case .waiting: "waiting"
                case .attemptStarted(let number): "attemptStarted \(number)"
                case .intercepted(let request): "intercepted \(request.target.path)"
                case .answered(let source): "answered \(source)"
                case .rerouted(let peer): "rerouted \(peer)"
                case .queued: "queued"
                case .transfer: "transfer"
                case .redirected: "redirected"
                case .attemptEnded(let record): "attemptEnded \(record.statusCode ?? 0)"
                case .hookIsSlow(let name): "hookIsSlow \(name)"
                case .waitIsLong(let names): "waitIsLong \(names)"
                case .retryScheduled: "retryScheduled"
                case .finished(let response): "finished \(response.statusCode ?? 0)"
                }
            return "\(load.id - UInt64(load.instance) << 40) \(name)"
        }
    }
}

@Suite("Observation", .timeLimit(.minutes(15)))
struct LoadObserverTests {
    @Test("reports the events of a load in the documented order")
    func order() async throws {
        let recorder = EventNames()
        let calls = Counter()
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: calls.increment() == 1 ? 503 : 200), content: Data())
        }
        let constraint = TestConstraint { constraint in
            constraint.isSatisfied = true
            constraint.finish()
        }
        let swifty = Swifty(transport: stub) {
            $0.retry = RetryPolicy(backoff: .none)
            $0.use(recorder)
            $0.use(constraint)
        }
        _ = try await swifty.api.get("x").load()
        _ = try await swifty.api.get("y").constraints(.none).mock(data: Data()).load()
        #expect(
            recorder.all == [
                "1 created", "1 waiting", "1 attemptStarted 1", "1 intercepted /x", "1 attemptEnded 503",
                "1 retryScheduled",
                "1 attemptStarted 2", "1 intercepted /x", "1 attemptEnded 200", "1 finished 200", "2 created",
                "2 finished 200",
            ]
        )
    }

    @Test("tells the loads of all instances apart")
    func numbers() async throws {
        let ids = EventNames { _, load in "\(load.id)" }
        let instances = EventNames { _, load in "\(load.instance)" }
        for _ in 0..<2 {
            let swifty = Swifty(transport: StubTransport()) { $0.use(ids, instances) }
            for _ in 0..<2 { _ = try await swifty.api.get("x").load() }
        }
        #expect(Set(ids.all).count == 4)
        #expect(Set(instances.all).count == 2)
    }

    @Test("counts loads, attempts and retries")
    func statistics() async throws {
        let stub = StubTransport { request in
            if request.template == "hang" { try await hang() }
            return TransportResponse(
                head: ResponseHead(statusCode: request.template == "bad" ? 503 : 200),
                content: Data()
            )
        }
        let policy = RetryPolicy(maximumAttempts: 2, backoff: .none)
        let swifty = Swifty(transport: stub) { $0.retry = policy }
        _ = try await swifty.api.get("x").load()
        _ = try? await swifty.api.get("bad").load()
        let hanging = Task { try await swifty.api.get("hang").load() }
        try await until { stub.requests.count == 4 }
        #expect(swifty.statistics.inFlight == 1)
        #expect(swifty.statistics.started == 3)
        swifty.cancelAllLoads()
        _ = await hanging.result
        let statistics = swifty.statistics
        #expect(statistics.inFlight == 0)
        #expect(statistics.succeeded == 1)
        #expect(statistics.failed == 1)
        #expect(statistics.cancelled == 1)
        #expect(statistics.attempts == 4)
        #expect(statistics.retries == 1)
    }

    @Test("of defaults: a request's own field wins over the Swifty's, a service's configuration comes between")
    func defaults() async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.defaultHeaders = [.userAgent: "default", .accept: "a/b"] }
        let base = BaseResource("https://a", networkInterface: swifty) { $0.header(.accept, "service").tag("service") }
        _ = try await base.get("x").load()
        _ = try await base.get("y").header(.accept, "own").header(.userAgent, "own").load()
        #expect(stub.requests.map { $0.headers[.accept] } == ["service", "own"])
        #expect(stub.requests.map { $0.headers[.userAgent] } == ["default", "own"])
        #expect(base.get().hasTag("service"))
    }

    @Test("of reroutes: a server's requests go to another address unchanged")
    func reroutes() async throws {
        let server = try LoopbackServer()
        let target = try TargetURI("http://staging.example.com")
        let swifty = try Swifty { $0.reroutes = [target: try TargetURI(server.url)] }
        let response = try await BaseResource(target.string, networkInterface: swifty).get("headers").load()
        #expect(response.string?.contains("staging.example.com") == true)
    }

    @Test("of a graceful shutdown: loads in flight succeed, later ones are refused, the rest end at the deadline")
    func gracefulShutdown() async throws {
        let clock = TestClock()
        let gate = Gate()
        let stub = StubTransport { request in
            if request.template == "hang" { try await hang() }
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = Swifty(transport: stub) { $0.clock = clock }
        let good = Task { try await swifty.api.get("x").load() }
        let bad = Task { try await swifty.api.get("hang").load() }
        try await until { stub.requests.count == 2 }
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(5)) }
        await clock.waitForSleepers(1)
        let late = await #expect(throws: SwiftyError.self) { try await swifty.api.get("late").load() }
        #expect(late?.code == .shutdown)
        gate.open()
        _ = try await good.value
        await clock.advance(by: .seconds(5))
        let cut = await #expect(throws: SwiftyError.self) { try await bad.value }
        #expect(cut?.code == .shutdown)
        await shutdown.value
        await swifty.shutdown(graceful: .seconds(5))
    }
}
