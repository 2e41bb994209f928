// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("An async constraint", .timeLimit(.minutes(15)))
struct AsyncConstraintTests {
    struct Refused: Error {}

    @Test("holds loads until it is satisfied, once for all that wait")
    func singleFlight() async throws {
        let stub = StubTransport()
        let gate = Gate()
        let constraint = Session { _ in await gate.wait() }
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        let loads = (0..<1000).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { constraint.asked >= 1000 }
        #expect(stub.requests.isEmpty)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(constraint.flights == 1)
        #expect(stub.requests.count == 1000)
    }

    @Test("that throws fails exactly the waiting loads, and is satisfied again for the next load")
    func failure() async throws {
        let gate = Gate()
        let constraint = Session { flight in
            await gate.wait()
            if flight == 1 { throw Refused() }
        }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        let loads = (0..<100).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { constraint.asked == 100 }
        gate.open()
        for load in loads {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .constraintFailed)
            #expect(error?.underlying is Refused)
            #expect(error?.stage == .constraint)
            #expect(error?.reason.contains("Session") == true)
        }
        #expect(constraint.flights == 1)
        _ = try await swifty.api.get("x").load()
        #expect(constraint.flights == 2)
    }

    @Test("is cancelled when the last waiting load has left, and not before")
    func cancellation() async throws {
        for _ in 0..<20 {
            let started = Gate()
            let wasCancelled = Gate()
            let constraint = Session { flight in
                if flight > 1 { return }
                started.open()
                await untilCancelled()
                wasCancelled.open()
                throw CancellationError()
            }
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
            let loads = (0..<10).map { _ in Task { try await swifty.api.get("x").load() } }
            try await until { constraint.asked == 10 }
            try await until { started.isOpen }
            for load in loads.dropLast() { load.cancel() }
            for load in loads.dropLast() { _ = await load.result }
            #expect(!constraint.wasCancelled)
            loads[9].cancel()
            try await until { wasCancelled.isOpen }
            let error = await #expect(throws: SwiftyError.self) { try await loads[9].value }
            #expect(error?.code == .cancelled)
            // The next load does not get the cancelled flight's error.
            _ = try await swifty.api.get("x").load()
            #expect(constraint.flights == 2)
        }
    }

    @Test("that takes too long is cancelled, and fails with an error that names it")
    func timeout() async throws {
        let wasCancelled = Gate()
        let constraint = Session(timeout: .milliseconds(50)) { _ in
            await untilCancelled()
            wasCancelled.open()
        }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .timedOut)
        #expect(error?.stage == .constraint)
        #expect(error?.reason.contains("Session") == true)
        try await until { wasCancelled.isOpen }
    }

    @Test("can be satisfied by loads through the same Swifty: awaited, in child tasks, in closure forms")
    func noDeadlock() async throws {
        let box = Box()
        let forms: [@Sendable (Swifty) async throws -> Void] = [
            { _ = try await $0.api.get("token").load() },
            { swifty in
                async let one = swifty.api.get("token").load()
                async let two = Task { try await swifty.api.get("token").load() }.value
                _ = try await (one, two)
            },
            { swifty in
                try await withCheckedThrowingContinuation { continuation in
                    swifty.api.get("token").load(
                        successBlock: { _ in continuation.resume() },
                        failureBlock: { continuation.resume(throwing: $0) }
                    )
                }
            },
            { swifty in
                await withCheckedContinuation { continuation in
                    swifty.api.get("token").load { (_: NetworkResponse) in continuation.resume() }
                }
            },
            { _ = await $0.batch([$0.api.get("a"), $0.api.get("b")]) },
        ]
        for form in forms {
            let constraint = Session { _ in if let swifty = box.swifty { try await form(swifty) } }
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
            box.swifty = swifty
            _ = try await swifty.api.get("x").load()
            #expect(constraint.flights == 1)
        }
        box.swifty = nil
    }

    @Test("can load through the same Swifty in isSatisfied")
    func loadsWhileAsked() async throws {
        final class Asking: AsyncConstraint {
            let box = Box()

            func isSatisfied(for resource: NetworkResource) async -> Bool {
                _ = try? await box.swifty?.api.get("status").load()
                return true
            }

            func satisfy(for resource: NetworkResource) async throws {}
        }
        let constraint = Asking()
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        constraint.box.swifty = swifty
        _ = try await swifty.api.get("x").load()
        constraint.box.swifty = nil
    }

    @Test("holds the loads that its task makes after the end of the flight")
    func afterTheFlight() async throws {
        let stub = StubTransport()
        let box = Box()
        let late = Gate()
        let second = Gate()
        let constraint = Session(isSatisfiedAfterwards: false) { flight in
            if flight > 1 { return await second.wait() }
            Task {
                await late.wait()
                _ = try await box.swifty?.api.get("late").load()
            }
        }
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        box.swifty = swifty
        _ = try await swifty.api.get("first").load()
        late.open()
        try await until { constraint.flights == 2 }
        #expect(stub.requests.map(\.template) == ["first"])
        second.open()
        try await until { stub.requests.count == 2 }
        box.swifty = nil
    }

    @Test("survives many simultaneous loads, cancellations and flights")
    func storm() async throws {
        for round in 0..<100 {
            let constraint = Session(isSatisfiedAfterwards: false) { flight in
                await Task.yield()
                if flight.isMultiple(of: 3) { throw Refused() }
            }
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint, constraint) }
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        let load = Task { try await swifty.api.get("x").load() }
                        if (index + round).isMultiple(of: 2) { load.cancel() }
                        _ = await load.result
                    }
                }
            }
        }
    }
}

/// An async constraint that is satisfied by a closure, which gets the number of its flight.
final class Session: AsyncConstraint {
    private struct State {
        var isSatisfied = false
        var asked = 0
        var flights = 0
        var wasCancelled = false
    }

    private let state = Mutex(State())
    private let limit: Duration
    private let isSatisfiedAfterwards: Bool
    private let open: @Sendable (Int) async throws -> Void

    init(
        timeout: Duration = .seconds(900),
        isSatisfiedAfterwards: Bool = true,
        open: @escaping @Sendable (Int) async throws -> Void
    ) {
        limit = timeout
        self.isSatisfiedAfterwards = isSatisfiedAfterwards
        self.open = open
    }

    var asked: Int { state.withLock { $0.asked } }
    var flights: Int { state.withLock { $0.flights } }
    var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

    var timeout: Duration { limit }

    func isSatisfied(for resource: NetworkResource) async -> Bool {
        state.withLock { state in
            state.asked += 1
            return state.isSatisfied
        }
    }

    func satisfy(for resource: NetworkResource) async throws {
        let flight = state.withLock { state in
            state.flights += 1
            return state.flights
        }
        defer { if Task.isCancelled { state.withLock { $0.wasCancelled = true } } }
        try await open(flight)
        state.withLock { $0.isSatisfied = isSatisfiedAfterwards }
    }
}

@Suite("An async constraint of several interfaces", .timeLimit(.minutes(15)))
struct SharedConstraintTests {
    /// A constraint without identity.
    private struct Value: AsyncConstraint {
        let session: Session

        func isSatisfied(for resource: NetworkResource) async -> Bool { await session.isSatisfied(for: resource) }
        func satisfy(for resource: NetworkResource) async throws { try await session.satisfy(for: resource) }
    }

    /// Loads through two interfaces, and compares the number of flights while both wait.
    private func flights(_ hook: any AsyncConstraint, _ session: Session, _ gate: Gate, _ count: Int) async throws {
        let interfaces = (0..<2).map { _ in Swifty(transport: StubTransport()) { $0.use(hook) } }
        let loads = interfaces.map { interface in Task { try await interface.api.get("x").load() } }
        try await until { session.asked >= 2 && session.flights == count }
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(session.flights == count)
    }

    @Test("has its flights in common if it is an object, and separate ones if it is a value")
    func sharing() async throws {
        for isObject in [true, false] {
            let gate = Gate()
            let session = Session { _ in await gate.wait() }
            try await flights(isObject ? session : Value(session: session), session, gate, isObject ? 1 : 2)
        }
    }

    @Test("is released with the last interface that uses it")
    func release() async throws {
        for _ in 0..<100 {
            weak var released: Session?
            do {
                let session = Session { _ in }
                released = session
                let first = Swifty(transport: StubTransport()) { $0.use(session) }
                let second = Swifty(transport: StubTransport()) { $0.use(session) }
                for interface in [first, second, first] { _ = try await interface.api.get("x").load() }
                #expect(session.flights == 1)
            }
            try await until { released == nil }
        }
    }

    @Test("has one flight at a time, while interfaces with it are made and released on many threads")
    func simultaneousInterfaces() async throws {
        let running = Mutex((now: 0, most: 0))
        let session = Session(isSatisfiedAfterwards: false) { _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            await Task.yield()
            running.withLock { $0.now -= 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let interface = Swifty(transport: StubTransport()) { $0.use(session) }
                        _ = try await interface.api.get("x").load()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock(\.most) == 1)
    }

    @Test("may be an actor")
    func actor() async throws {
        actor SignIn: AsyncConstraint {
            private var token: String?

            func isSatisfied(for resource: NetworkResource) async -> Bool { token != nil }
            func satisfy(for resource: NetworkResource) async throws { token = "t" }
        }
        let swifty = Swifty(transport: StubTransport()) { $0.use(SignIn()) }
        #expect(try await swifty.api.get("x").load().metrics.constraintWaits.map(\.name) == ["SignIn"])
    }
}
