// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("The deadline of a caller", .timeLimit(.minutes(15)))
struct CallerDeadlineTests {
    private let clock = TestClock()

    /// A `Swifty` on the clock of the test.
    private func swifty(_ stub: StubTransport, configure: (inout Swifty.Configuration) -> Void = { _ in }) -> Swifty {
        Swifty(transport: stub) {
            $0.clock = clock
            configure(&$0)
        }
    }

    /// The error of an operation, while the time goes on until it has ended.
    private func error(
        step: Duration = .milliseconds(100),
        _ operation: @escaping @Sendable () async throws -> Void
    ) async throws -> SwiftyError? {
        let task = Task { try await operation() }
        let done = Gate()
        let end = Task {
            _ = await task.result
            done.open()
        }
        try await until {
            await clock.advance(by: step)
            return done.isOpen
        }
        await end.value
        return await #expect(throws: SwiftyError.self) { try await task.value }
    }

    @Test("ends loads, whatever their own limits say, unless these are earlier")
    func earliest() async throws {
        let (clock, constraint) = (clock, TestConstraint { _ in })
        let api = swifty(StubTransport()) { $0.use(constraint) }.api
        let deadline = try await error {
            try await withDeadline(.milliseconds(800), clock: clock) {
                _ = try await api.get("x").timeout(.seconds(10)).load()
            }
        }
        #expect(deadline?.code == .timedOut)
        #expect(deadline?.timeLimit == .deadline)
        #expect(deadline?.stage == .constraint)
        #expect(deadline?.sent == .notSent)
        #expect(deadline?.reason == "the load has not ended within 0.8 seconds, the limit that withDeadline sets")
        let total = try await error {
            try await withDeadline(.seconds(60), clock: clock) {
                _ = try await api.get("x").timeout(.seconds(10)).load()
            }
        }
        #expect(total?.timeLimit == .total)
    }

    @Test("that is past lets nothing be sent")
    func past() async throws {
        let stub = StubTransport()
        let (clock, api) = (clock, swifty(stub).api)
        for limit in [Duration.zero, .seconds(-5), .seconds(-1e18)] {
            let error = await #expect(throws: SwiftyError.self) {
                try await withDeadline(limit, clock: clock) { try await api.get("x").load() }
            }
            #expect(error?.timeLimit == .deadline)
            #expect(error?.sent == .notSent)
        }
        // The system's clock, and a load that would wait.
        let held = Swifty(transport: stub) { $0.use(TestConstraint { _ in }) }.api
        for limit in [Duration.zero, .seconds(-1), .seconds(-1e18), .seconds(Int64.min)] {
            let error = await #expect(throws: SwiftyError.self) {
                try await withDeadline(limit) { try await held.get("x").load() }
            }
            #expect(error?.timeLimit == .deadline)
        }
        let instant = clock.now
        await clock.advance(by: .seconds(1))
        await #expect(throws: SwiftyError.self) {
            try await withDeadline(at: instant, clock: clock) { try await api.get("x").load() }
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("is the earliest of nested ones, for all child tasks, until it is removed")
    func nested() async throws {
        let clock = clock
        #expect(CallerDeadline.remaining == nil)
        try await withDeadline(.seconds(5), clock: clock) {
            #expect(CallerDeadline.remaining == .seconds(5))
            await withDeadline(.seconds(9), clock: clock) { #expect(CallerDeadline.remaining == .seconds(5)) }
            await clock.advance(by: .seconds(2))
            try await withDeadline(.seconds(1), clock: clock) {
                async let child = CallerDeadline.remaining
                #expect(await child == .seconds(1))
                #expect(await Task { CallerDeadline.remaining }.value == .seconds(1))
                #expect(await Task.detached { CallerDeadline.remaining }.value == nil)
                await withDeadline(nil) { #expect(CallerDeadline.remaining == nil) }
                try await withThrowingTaskGroup { group in
                    group.addTask { #expect(CallerDeadline.remaining == .seconds(1)) }
                    try await group.waitForAll()
                }
            }
            #expect(CallerDeadline.remaining == .seconds(3))
            await clock.advance(by: .seconds(4))
            #expect(CallerDeadline.remaining == .seconds(-1))
        }
        let endless = await withDeadline(.seconds(Int64.max)) { CallerDeadline.remaining ?? .zero }
        #expect(endless > .seconds(1_000_000_000))
    }

    @Test("does not end what other loads wait for, too")
    func shared() async throws {
        let (clock, gate, stub) = (clock, Gate(), StubTransport())
        let deadlines = Counter()
        let constraint = TestConstraint { constraint in
            if CallerDeadline.remaining != nil { deadlines.increment() }
            gate.block()
            constraint.isSatisfied = true
            constraint.finish()
        }
        let api = swifty(stub) { $0.use(constraint) }.api
        let patient = Task { try await api.get("patient").load() }
        let first = try await error {
            try await withDeadline(.milliseconds(300), clock: clock) { _ = try await api.get("hasty").load() }
        }
        #expect(first?.timeLimit == .deadline)
        gate.open()
        _ = try await patient.value
        #expect(stub.requests.map(\.target.path) == ["/patient"])
        #expect(deadlines.value == 0)
    }

    @Test("allows no retry beyond it, and reaches the hooks of the load")
    func retries() async throws {
        final class Seen: Sendable { let times = Mutex<[Duration?]>([]) }
        let (clock, seen) = (clock, Seen())
        let stub = StubTransport(status: 503)
        let api = swifty(stub) {
            $0.retry = RetryPolicy(maximumAttempts: 5, backoff: .init(initial: .milliseconds(300), hasJitter: false))
            $0.use(
                RequestHook { resource in
                    seen.times.withLock { $0.append(CallerDeadline.remaining) }
                    return resource
                }
            )
        }.api
        let failure = try await error {
            try await withDeadline(.milliseconds(700), clock: clock) { _ = try await api.get("x").load() }
        }
        #expect(failure?.statusCode == 503)
        #expect(stub.requests.count == 2)
        #expect(seen.times.withLock { $0.first } == .milliseconds(700))
    }

    @Test("is passed on in a field, with what is left at each attempt")
    func field() async throws {
        let (clock, stub) = (clock, StubTransport(status: 503))
        let api = swifty(stub) {
            $0.deadlineField = .grpcTimeout
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .init(initial: .milliseconds(300), hasJitter: false))
        }.api
        _ = try await error {
            try await withDeadline(.milliseconds(800), clock: clock) { _ = try await api.get("x").load() }
        }
        let name = try #require(HTTPField.Name("grpc-timeout"))
        let times = stub.requests.compactMap { $0.headers[name].flatMap(DeadlineField.grpcTimeout.time) }
        try #require(times.count == 2)
        #expect(times[0] == .milliseconds(800))
        #expect(times[1] <= .milliseconds(500))
        let other = StubTransport()
        let plain = swifty(other) { $0.deadlineField = .grpcTimeout }.api
        _ = try await plain.get("x").load()
        _ = try await plain.get("x").timeout(.seconds(3)).load()
        _ = try await plain.get("x").timeout(.seconds(3)).header("grpc-timeout", "1S").load()
        _ = try await plain.get("x").timeout(.seconds(3)).removeHeader(name).load()
        try await withDeadline(.milliseconds(800), clock: clock) {
            await clock.advance(by: .milliseconds(300))
            _ = try await plain.get("x").load()
        }
        #expect(other.requests.map { $0.headers[name] } == [nil, "3000000u", "1S", nil, "500000u"])
    }

    @Test("lets a request be sent only if enough is left for it")
    func tooShort() async throws {
        let (clock, stub) = (clock, StubTransport())
        let swifty = swifty(stub) { $0.minimumTimeLeft = .milliseconds(50) }
        let api = swifty.api
        let error = await #expect(throws: SwiftyError.self) {
            try await withDeadline(.milliseconds(49), clock: clock) { try await api.get("x").load() }
        }
        #expect(error?.timeLimit == .deadline)
        #expect(error?.sent == .notSent)
        #expect(
            error?.reason
                == "less than 0.05 seconds is left for the request, the limit that Configuration.minimumTimeLeft sets"
        )
        #expect(stub.requests.isEmpty)
        _ = try await withDeadline(.milliseconds(50), clock: clock) { try await api.get("x").load() }
        // The load's own limit is no deadline of its caller.
        _ = try await api.get("x").timeout(.milliseconds(10)).load()
        #expect(stub.requests.count == 2)
        swifty.pause()
        let queued = try await self.error(step: .milliseconds(10)) {
            try await withDeadline(.milliseconds(100), clock: clock) { _ = try await api.get("x").load() }
        }
        #expect(queued?.timeLimit == .deadline)
        #expect(queued?.stage == .queue)
        swifty.resume()
        #expect(stub.requests.count == 2)
    }

    @Test("ends streams, and event streams that wait to connect again")
    func longLoads() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/events") { _ in .text("retry: 600000\n\ndata: 1\n\n", type: "text/event-stream") }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let limit = Duration.milliseconds(400)
        let stream = await #expect(throws: SwiftyError.self) {
            try await withDeadline(limit) {
                for try await _ in base.get("drip").query(["numbytes": 10, "duration": 600]).chunks() {}
            }
        }
        #expect(stream?.timeLimit == .deadline)
        let swifty = Swifty()
        let resource = BaseResource(server.url, networkInterface: swifty).get("events")
        let start = ContinuousClock.now
        let events = await #expect(throws: SwiftyError.self) {
            try await withDeadline(limit) { for try await _ in resource.events() {} }
        }
        // The server asks for a longer pause than that.
        #expect(ContinuousClock.now - start < .seconds(120))
        #expect(events?.code == .timedOut)
        #expect(events?.timeLimit == .deadline)
        #expect(events?.request != nil)
        // A load after the deadline would only fail, after what its interceptors take.
        #expect(swifty.statistics.started == 1)
    }

    @Test("ends mocks that answer late")
    func mocks() async throws {
        let clock = clock
        let mocks = MockTransport([.get("late"): .text("x").delayed(by: .seconds(3600))], clock: clock)
        let api = Swifty(transport: mocks) { $0.clock = clock }.api
        let late = try await error {
            try await withDeadline(.milliseconds(500), clock: clock) { _ = try await api.get("late").load() }
        }
        #expect(late?.timeLimit == .deadline)
    }

    @Test("does not hold for a cache that refreshes what it has")
    func refresh() async throws {
        let stub = StubTransport(
            headers: [.cacheControl: "max-age=1, stale-while-revalidate=600", .contentLength: "1"],
            content: "x"
        )
        let (dates, clock) = (DateClock(), clock)
        let cache = ResponseCache(now: dates.now)
        let swifty = swifty(stub) {
            $0.responseCache = cache
            $0.deadlineField = .grpcTimeout
        }
        for _ in 0..<2 {
            try await withDeadline(.seconds(1), clock: clock) { _ = try await swifty.api.get("x").load() }
            dates.advance(by: 20)
        }
        try await until { stub.requests.count == 2 && swifty.statistics.inFlight == 0 }
        let name = try #require(HTTPField.Name("grpc-timeout"))
        #expect(stub.requests.map { $0.headers.contains(name) } == [true, false])
    }
}
