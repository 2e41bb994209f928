// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The flight of a constraint", .timeLimit(.minutes(15)))
struct ConstraintFlightTests {
    struct Refused: Error {}

    @Test("blocks no other load, even if 64 flights block their threads simultaneously")
    func manyBlock() async throws {
        let open = DispatchSemaphore(value: 0)
        let blocking = Counter()
        let constraints = (0..<64).map { _ in
            TestConstraint { constraint in
                blocking.increment()
                open.wait()
                open.signal()
                constraint.isSatisfied = true
                constraint.finish()
            }
        }
        let held = constraints.map { constraint in
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
            return Task { try await swifty.api.get("held").load() }
        }
        let all = Swifty(transport: StubTransport()) { $0.use(constraints) }
        let heldByAll = Task { try await all.api.get("held").load() }
        // All of them block simultaneously …
        try await until { blocking.value == 64 }
        // … and neither unconstrained loads nor those with another constraint wait for them, blocking or not.
        for _ in 0..<20 { _ = try await Swifty(transport: StubTransport()).api.get("free").load() }
        let other = TestConstraint(sleeping: 0.01)
        _ = try await Swifty(transport: StubTransport()) { $0.use(other) }.api.get("other").load()
        let session = Session { _ in await Task.yield() }
        _ = try await Swifty(transport: StubTransport()) { $0.use(session) }.api.get("async").load()
        open.signal()
        for load in held { _ = try await load.value }
        _ = try await heldByAll.value
        #expect(constraints.allSatisfy { $0.flights == 1 })
    }

    @Test("is shared by all loads, even those that are asked about while it ends")
    func overtakenAnswers() async throws {
        for _ in 0..<100 {
            let constraint = TestConstraint { constraint in
                constraint.isSatisfied = true
                constraint.finish()
            }
            let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await swifty.api.get("x").load() } }
                try await group.waitForAll()
            }
            #expect(constraint.flights == 1)
        }
    }

    @Test("may be finished from any thread, synchronously, and more than once")
    func finishes() async throws {
        let ways: [@Sendable (TestConstraint) -> Void] = [
            { $0.finish() },
            { constraint in Thread.detachNewThread { constraint.finish() } },
            { constraint in DispatchQueue.main.async { constraint.finish() } },
            { constraint in Task.detached { constraint.finish() } },
            { constraint in
                constraint.finish()
                constraint.finish(with: Refused())
            },
            { constraint in
                DispatchQueue.concurrentPerform(iterations: 8) { _ in constraint.finish() }
            },
        ]
        for way in ways {
            for _ in 0..<10 {
                let constraint = TestConstraint { constraint in
                    constraint.isSatisfied = true
                    way(constraint)
                }
                let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
                async let one = swifty.api.get("x").load()
                async let two = swifty.api.get("x").load()
                _ = try await (one, two)
                #expect(constraint.flights == 1)
            }
        }
    }

    @Test("that finishes after its time limit does not end the next one")
    func lateFinish() async throws {
        let late = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        let constraint = TestConstraint(timeout: .milliseconds(50)) { constraint in
            guard constraint.flights == 1 else { return }
            late.wait()
            constraint.finish()
            finished.signal()
        }
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        let second = Task { try await swifty.api.get("x").load() }
        try await until { constraint.flights == 2 }
        late.signal()
        await Task.detached { finished.waitForSignal() }.value
        let error = await #expect(throws: SwiftyError.self) { try await second.value }
        #expect(error?.code == .timedOut)
        #expect(stub.requests.isEmpty)
    }

    @Test("has its time limit, and its duration in the metrics, on the clock of the load that starts it")
    func virtualTime() async throws {
        let clock = TestClock()
        let gate = Gate()
        let constraint = Session(timeout: .seconds(3600)) { flight in
            if flight == 1 { try await hang() } else { await gate.wait() }
        }
        let swifty = Swifty(transport: StubTransport()) {
            $0.use(constraint)
            $0.clock = clock
        }
        let first = Task { try await swifty.api.get("x").load() }
        try await until { constraint.flights == 1 }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(3600))
        let error = await #expect(throws: SwiftyError.self) { try await first.value }
        #expect(error?.timeLimit == .constraint)
        #expect(error?.metrics?.constraintWaits.map(\.duration) == [.seconds(3600)])
        let second = Task { try await swifty.api.get("x").load() }
        try await until { constraint.flights == 2 }
        await clock.advance(by: .seconds(60))
        gate.open()
        #expect(try await second.value.metrics.constraintTime == .seconds(60))
        // The timer of a flight that has ended does not stay.
        try await until { clock.sleeperCount == 0 }
    }

    @Test("does not start for a cancelled load")
    func cancelledBefore() async throws {
        let constraint = TestConstraint { _ in }
        let swifty = Swifty(transport: StubTransport()) { $0.use(constraint) }
        let cancellation = LoadCancellation()
        cancellation.cancel()
        let response = await swifty.load(swifty.api.get("x").draft, cancellation: cancellation)
        #expect(response.error?.code == .cancelled)
        #expect(constraint.asked == 0)
    }

    @Test("invalidates nothing by default")
    func invalidation() {
        let response = NetworkResponse(head: ResponseHead(statusCode: 401), data: nil)
        #expect(!Constraint().invalidate(after: response))
    }
}

extension DispatchSemaphore {
    /// Blocks the calling thread, also in an async function.
    fileprivate func waitForSignal() { wait() }
}
