// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting
import TestSupport
import Testing

@testable import Swifty

@Suite("The wait for constraints", .timeLimit(.minutes(15)))
struct ConstraintWaitTests {
    struct Refused: Error {}

    final class Named: Constraint, @unchecked Sendable {
        override var constraintName: String { "the session" }
    }

    private func wait(
        for hooks: [any Swifty.Hook],
        _ cancellation: LoadCancellation = LoadCancellation(),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(SwiftyError) -> [LoadMetrics.ConstraintWait] {
        var configuration = Swifty.Configuration()
        configuration.use(hooks)
        return try await ConstraintWait.waitUntilSatisfied(
            configuration.constraints.map(\.constraint),
            for: Swifty.shared.api.get("x"),
            cancellation: cancellation,
            deadline: nil,
            clock: LoadClock(clock)
        )
    }

    @Test("records how long each of them held the load, by name and in their order")
    func records() async throws {
        let (clock, gates, named) = (TestClock(), [Gate(), Gate()], Named())
        let held = Session { _ in await gates[0].wait() }
        let blocking = TestConstraint { constraint in
            gates[1].block()
            constraint.isSatisfied = true
            constraint.finish()
        }
        let wait = Task { try await self.wait(for: [named, held, blocking], clock: clock) }
        try await until { held.flights == 1 && blocking.flights == 1 }
        // The first constraint has answered when its queue is empty.
        await Task(executorPreference: named.askingExecutor) {}.value
        for gate in gates {
            await clock.advance(by: .seconds(60))
            gate.open()
        }
        let records = try await wait.value
        #expect(records.map(\.name) == ["the session", "Session", "TestConstraint"])
        #expect(records[0].duration == .zero)
        #expect(records[1].duration >= .seconds(60))
        #expect(records[2].duration >= .seconds(120))
    }

    final class Known: Constraint, @unchecked Sendable {
        override func isKnownSatisfied(for resource: NetworkResource) -> Bool { true }
        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            Issue.record("asked although it is known")
            return false
        }
    }

    @Test("does not ask constraints that are known to be satisfied")
    func known() async throws {
        #expect(try await wait(for: [Known(), Known()]).map(\.duration) == [.zero, .zero])
        let records = try await wait(for: [Known(), TestConstraint(sleeping: 0.01), Known()])
        #expect(records.map(\.name) == ["Known", "TestConstraint", "Known"])
        #expect(records[0].duration == .zero)
        #expect(records[2].duration == .zero)
        #expect(records[1].duration >= .milliseconds(10))
        let cancellation = LoadCancellation()
        cancellation.cancel()
        await #expect(throws: SwiftyError.self) { try await wait(for: [Known()], cancellation) }
    }

    @Test("records it in the error, too, when a constraint fails or the load is cancelled")
    func recordsOfFailures() async throws {
        let never = Session { _ in await untilCancelled() }
        do {
            _ = try await wait(for: [never, TestConstraint(sleeping: 0.02, error: Refused())])
            Issue.record("the wait should have failed")
        } catch {
            #expect(error.code == .constraintFailed)
            #expect(error.metrics?.constraintWaits.map(\.name) == ["Session", "TestConstraint"])
            #expect(error.metrics?.constraintWaits.allSatisfy { $0.duration >= .milliseconds(20) } == true)
        }
        let cancellation = LoadCancellation()
        let endless = Session { _ in await untilCancelled() }
        let wait = Task { try await self.wait(for: [endless], cancellation) }
        try await until { endless.flights == 1 }
        cancellation.cancel(with: .shutdown)
        let error = await #expect(throws: SwiftyError.self) { try await wait.value }
        #expect(error?.code == .shutdown)
        #expect(error?.metrics?.constraintWaits.count == 1)
    }

    @Test("leaves the others when one of them fails")
    func leaves() async throws {
        let wasCancelled = Gate()
        let other = Session { _ in
            await untilCancelled()
            wasCancelled.open()
        }
        let failing = TestConstraint { constraint in
            Task {
                try await until { other.flights == 1 }
                constraint.finish(with: Refused())
            }
        }
        await #expect(throws: SwiftyError.self) { try await wait(for: [other, failing]) }
        try await until { wasCancelled.isOpen }
    }
}
