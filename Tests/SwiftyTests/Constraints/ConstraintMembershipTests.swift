// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

/// Loads that have to do with a constraint, and that it holds nevertheless.
@Suite("A constraint holds", .timeLimit(.minutes(15)))
struct ConstraintMembershipTests {
    /// A task that loads when the test lets it, begun by a constraint.
    final class Poller: Sendable {
        let (mayLoad, box) = (Gate(), Box())
        private let task = Mutex<Task<Void, any Error>?>(nil)

        func begin() {
            task.withLock { task in
                guard task == nil else { return }
                task = Task { [mayLoad, box] in
                    await mayLoad.wait()
                    _ = try await box.swifty?.api.get("poll").load()
                }
            }
        }

        func end() async throws { try await task.withLock(\.self)?.value }
    }

    enum Form: CaseIterable {
        case blocking, async

        func constraint(_ isOpen: Flag, _ poller: Poller, _ flights: Counter) -> Constraint {
            self == .blocking
                ? Blocking(isOpen, poller, flights) : AsyncConstraintAdapter.of(Asynchronous(isOpen, poller, flights))
        }
    }

    final class Flag: Sendable {
        private let state = Mutex(true)
        var value: Bool {
            get { state.withLock(\.self) }
            set { state.withLock { $0 = newValue } }
        }
    }

    final class Blocking: Constraint, @unchecked Sendable {
        let (isOpen, poller, flights): (Flag, Poller, Counter)

        init(_ isOpen: Flag, _ poller: Poller, _ flights: Counter) {
            (self.isOpen, self.poller, self.flights) = (isOpen, poller, flights)
        }
        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            poller.begin()
            return isOpen.value
        }
        override func satisfyConstraint(for resource: NetworkResource) { flights.increment() }
    }

    final class Asynchronous: AsyncConstraint {
        let (isOpen, poller, flights): (Flag, Poller, Counter)

        init(_ isOpen: Flag, _ poller: Poller, _ flights: Counter) {
            (self.isOpen, self.poller, self.flights) = (isOpen, poller, flights)
        }
        func isSatisfied(for resource: NetworkResource) async -> Bool {
            poller.begin()
            return isOpen.value
        }
        func satisfy(for resource: NetworkResource) async throws {
            flights.increment()
            try await until { isOpen.value }
        }
    }

    private let stub = StubTransport()

    @Test("the loads of a task that one of its questions has begun", arguments: Form.allCases)
    func question(form: Form) async throws {
        let (isOpen, poller, flights) = (Flag(), Poller(), Counter())
        let constraint = form.constraint(isOpen, poller, flights)
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        poller.box.swifty = swifty
        _ = try await swifty.api.get("x").load()
        isOpen.value = false
        poller.mayLoad.open()
        try await until { flights.value == 1 }
        // It is the load that the flight was begun for.
        #expect(constraint.gate.flight(holding: 2) != nil)
        #expect(stub.requests.count == 1)
        isOpen.value = true
        constraint.finish()
        try await poller.end()
        #expect(stub.requests.count == 2)
        poller.box.swifty = nil
    }

    /// Functions that are called as those of constraints, and are none.
    struct Order: Sendable {
        let swifty: Swifty

        func satisfy(for customer: String) async throws {
            _ = try await swifty.api.get("order-of-\(customer)").load()
        }

        func satisfyConstraint(for customer: String) async throws {
            _ = try await swifty.api.get("order-of-\(customer)").load()
        }

        func stream(for customer: String) async throws {
            func satisfy(for customer: String) async throws {
                _ = try await swifty.api.get("order-of-\(customer)").stream().next()
            }
            try await satisfy(for: customer)
        }
    }

    @Test("the loads of functions that only have the name of its own", arguments: Form.allCases)
    func names(form: Form) async throws {
        let (isOpen, poller, flights) = (Flag(), Poller(), Counter())
        let constraint = form.constraint(isOpen, poller, flights)
        isOpen.value = false
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        async let first = swifty.api.get("x").load()
        try await until { flights.value == 1 }
        let order = Order(swifty: swifty)
        let others = [
            Task { try await order.satisfy(for: "a") },
            Task { try await order.satisfyConstraint(for: "b") },
            Task { try await order.stream(for: "c") },
        ]
        try await until { (1...4).allSatisfy { constraint.gate.flight(holding: $0) != nil } }
        #expect(stub.requests.isEmpty)
        isOpen.value = true
        constraint.finish()
        _ = try await first
        for other in others { try await other.value }
        #expect(stub.requests.count == 4)
    }
}
