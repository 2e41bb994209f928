// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("A constraint", .timeLimit(.minutes(15)))
struct ConstraintTests {
    struct Refused: Error {}

    @Test("holds a load until it is satisfied, and is satisfied once for all waiting loads")
    func singleFlight() async throws {
        let stub = StubTransport()
        let gate = Gate()
        let constraint = TestConstraint { constraint in
            Task {
                await gate.wait()
                constraint.isSatisfied = true
                constraint.finish()
            }
        }
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        let loads = (0..<1000).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { constraint.asked == 1000 }
        #expect(stub.requests.isEmpty)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(constraint.flights == 1)
        #expect(stub.requests.count == 1000)
        _ = try await swifty.api.get("y").load()
        #expect(constraint.flights == 1)
    }

    @Test("that fails is the error of exactly the waiting loads, and is satisfied again for the next load")
    func failure() async throws {
        let stub = StubTransport()
        let constraint = TestConstraint(sleeping: 0.05, error: Refused())
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        let errors = await withTaskGroup(of: SwiftyError?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(SwiftyError) {
                        _ = try await swifty.api.get("x").load()
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.allSatisfy { $0?.code == .constraintFailed })
        #expect(errors.allSatisfy { $0?.underlying is Refused })
        #expect(errors.allSatisfy { $0?.stage == .constraint })
        #expect(errors.allSatisfy { $0?.sent == .notSent })
        #expect(errors.allSatisfy { $0?.request?.method == "GET" })
        #expect(stub.requests.isEmpty)
        constraint.isSatisfied = true
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.count == 1)
    }

    @Test("is asked simultaneously with the others, even if all of them block their threads")
    func concurrent() async throws {
        let constraints = [
            TestConstraint(sleeping: 0.3), TestConstraint(sleeping: 0.2), TestConstraint(sleeping: 0.25),
        ]
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraints) }
        let inFlight = Counter()
        let meeting = DispatchGroup()
        for _ in 0..<2 { meeting.enter() }
        let together = (0..<2).map { _ in
            TestConstraint { constraint in
                inFlight.increment()
                meeting.leave()
                // Succeeds only if both are satisfied simultaneously.
                if meeting.wait(timeout: .now() + 600) == .success { constraint.isSatisfied = true }
                constraint.finish(with: constraint.isSatisfied ? nil : Refused())
            }
        }
        _ = try await swifty.api.get("x").load()
        #expect(constraints.allSatisfy { $0.flights == 1 })
        _ = try await Swifty(transport: StubTransport()) { $0.use(together) }.api.get("x").load()
    }

    @Test("that blocks does not hold loads without constraints")
    func unconstrained() async throws {
        let gate = DispatchSemaphore(value: 0)
        let constraint = TestConstraint { constraint in
            gate.wait()
            constraint.isSatisfied = true
            constraint.finish()
        }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        let held = Task { try await swifty.api.get("held").load() }
        try await until { constraint.flights == 1 }
        _ = try await swifty.api.get("free").constraints(.none).load()
        gate.signal()
        _ = try await held.value
    }

    @Test("can be satisfied by loads through the same Swifty, in every form")
    func noDeadlock() async throws {
        let stub = StubTransport(content: #"{"token":"t"}"#)
        let box = Box()
        let asynchronous = TestConstraint { constraint in
            Task {
                _ = try await box.swifty?.api.get("token").load()
                constraint.isSatisfied = true
                constraint.finish()
            }
        }
        let callingBack = TestConstraint { constraint in
            box.swifty?.api.get("token").load { (_: NetworkResponse) in
                constraint.isSatisfied = true
                constraint.finish()
            }
        }
        let inTwoSteps = TestConstraint { constraint in
            box.swifty?.api.get("code").load { (_: NetworkResponse) in
                // A load in the completion of the flight's load is part of the flight, too.
                box.swifty?.api.get("token").load { (_: NetworkResponse) in
                    constraint.isSatisfied = true
                    constraint.finish()
                }
            }
        }
        for constraint in [asynchronous, callingBack, inTwoSteps] {
            let swifty = Swifty(transport: stub) { $0.use(constraint) }
            box.swifty = swifty
            _ = try await swifty.api.get("x").load()
            #expect(constraint.flights == 1)
        }
        box.swifty = nil
    }

    @Test("that never finishes times out with an error that names it")
    func neverFinishes() async throws {
        let constraint = TestConstraint(timeout: .milliseconds(50)) { _ in }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .timedOut)
        #expect(error?.stage == .constraint)
        #expect(error?.reason.contains("TestConstraint") == true)
    }

    @Test("that finishes twice, or without a flight, releases no load early")
    func finishesTwice() async throws {
        let stub = StubTransport()
        let (second, hasFinished) = (Gate(), Gate())
        let constraint = TestConstraint { constraint in
            let flight = constraint.flights
            Task {
                if flight == 1 {
                    constraint.finish(with: Refused())
                    await second.wait()
                    // Too late: another flight is in progress by now.
                    constraint.finish()
                    hasFinished.open()
                }
            }
        }
        constraint.finish()
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("first").load() }
        let held = Task { try await swifty.api.get("second").load() }
        try await until { constraint.flights == 2 }
        second.open()
        try await until { hasFinished.isOpen }
        // The question about a third load follows any that the late call has led to.
        let third = Task { try await swifty.api.get("third").load() }
        try await until { [2, 3].allSatisfy { constraint.gate.flight(holding: $0) != nil } }
        #expect(stub.requests.isEmpty)
        constraint.isSatisfied = true
        constraint.finish()
        for load in [held, third] { _ = try await load.value }
        #expect(stub.requests.count == 2)
    }

    @Test("is asked again about the loads that waited while it was satisfied for another")
    func asksAgain() async throws {
        final class Scoped: Constraint, @unchecked Sendable {
            let scopes = Mutex<[String]>([])

            override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
                scopes.withLock { scopes in resource.tags.allSatisfy(scopes.contains) }
            }

            override func satisfyConstraint(for resource: NetworkResource) {
                scopes.withLock { $0 += resource.tags.sorted() }
                finish()
            }
        }
        let constraint = Scoped()
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        async let first = swifty.api.get("a").tag("read").load()
        async let second = swifty.api.get("b").tag("write").load()
        _ = try await (first, second)
        #expect(constraint.scopes.withLock { $0.sorted() } == ["read", "write"])
    }

    @Test("releases a cancelled load and holds the others")
    func cancellation() async throws {
        let gate = Gate()
        let stub = StubTransport()
        let constraint = TestConstraint { constraint in
            Task {
                await gate.wait()
                constraint.isSatisfied = true
                constraint.finish()
            }
        }
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        let cancelled = Task { try await swifty.api.get("cancelled").load() }
        let kept = Task { try await swifty.api.get("kept").load() }
        try await until { constraint.asked == 2 }
        cancelled.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await cancelled.value }
        #expect(error?.code == .cancelled)
        #expect(error?.stage == .constraint)
        #expect(error?.sent == .notSent)
        gate.open()
        _ = try await kept.value
        #expect(stub.requests.map(\.template) == ["kept"])
    }

    @Test("counts towards the time limit of the whole call")
    func deadline() async throws {
        let constraint = TestConstraint { _ in }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").timeout(.milliseconds(50)).load()
        }
        #expect(error?.code == .timedOut)
        #expect(error?.stage == .constraint)
    }

    @Test("that fails among several gives one error, and its waiting time is in the metrics")
    func severalFailures() async throws {
        let swifty = Swifty(transport: StubTransport()) {
            for _ in 0..<2 { $0.use(TestConstraint(sleeping: 0.02, error: Refused())) }
        }
        for _ in 0..<20 {
            let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
            #expect(error?.code == .constraintFailed)
            #expect((error?.metrics?.constraintTime ?? .zero) > .zero)
        }
    }

    @Test("survives many simultaneous loads, cancellations and flights")
    func storm() async throws {
        let stub = StubTransport()
        let constraint = TestConstraint { constraint in
            constraint.finish(with: constraint.flights.isMultiple(of: 3) ? Refused() : nil)
        }
        let swifty = Swifty(transport: stub) { $0.use(constraint, constraint) }
        let outcomes = Counter()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let load = Task { try await swifty.api.get("x").load() }
                    if index.isMultiple(of: 2) { load.cancel() }
                    _ = await load.result
                    outcomes.increment()
                }
            }
        }
        #expect(outcomes.value == 500)
    }
}
