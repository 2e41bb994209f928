// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

/// Calls of `finish` from callbacks that have lost their flight: late, twice, and in other orders.
@Suite("A flight that ends in a callback", .timeLimit(.minutes(15)))
struct ConstraintFinishTests {
    /// A constraint that the test satisfies, and whose flights the test ends.
    final class Manual: Constraint, @unchecked Sendable {
        private let isOpen = Mutex(false)
        private let limit: Duration
        let begun = Recording<Constraint.Flight?>()

        init(timeout: Duration = .seconds(900)) { limit = timeout }

        override var timeout: Duration { limit }
        var isSatisfied: Bool {
            get { isOpen.withLock(\.self) }
            set { isOpen.withLock { $0 = newValue } }
        }
        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { isSatisfied }
        override func satisfyConstraint(for resource: NetworkResource) { begun.append(flight) }
    }

    struct Refused: Error {}

    /// What a second flight gets beside its own end.
    enum Stray: CaseIterable {
        case doubledSuccess, doubledFailure, lateSuccess, lateFailure

        var isLate: Bool { self == .lateSuccess || self == .lateFailure }
        var error: (any Error)? { self == .doubledFailure || self == .lateFailure ? Refused() : nil }
    }

    private let stub = StubTransport()

    private func swifty(_ constraint: Constraint, _ clock: TestClock = TestClock()) -> Swifty {
        Swifty(transport: stub) {
            $0.use(constraint)
            $0.clock = clock
        }
    }

    /// Ends the first flight of a constraint: in time, or by its limit.
    private func endFirstFlight(
        of constraint: Manual,
        _ swifty: Swifty,
        _ clock: TestClock,
        isLate: Bool
    ) async throws {
        let first = Task { try await swifty.api.get("first").load() }
        try await until { constraint.begun.count == 1 }
        if isLate {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(900))
            await #expect(throws: SwiftyError.self) { try await first.value }
        } else {
            constraint.isSatisfied = true
            constraint.finish()
            _ = try await first.value
            constraint.isSatisfied = false
        }
    }

    @Test("does not end with the stray call of an earlier one", arguments: Stray.allCases, [1, 20])
    func stray(_ stray: Stray, loads: Int) async throws {
        // A failure that is doubled cannot be told from the second flight's own, unless the callback keeps its flight.
        let isExact = stray == .doubledFailure
        let (constraint, clock) = (Manual(), TestClock())
        let swifty = swifty(constraint, clock)
        try await endFirstFlight(of: constraint, swifty, clock, isLate: stray.isLate)
        let before = stub.requests.count
        var held = (0..<loads).map { _ in Task { try await swifty.api.get("second").load() } }
        try await until { constraint.begun.count == 2 }
        if isExact {
            constraint.begun.values[0]?.finish(with: stray.error)
        } else {
            constraint.finish(with: stray.error)
        }
        // The question about a later load follows any that the stray call has led to, and then all are still held.
        held.append(Task { try await swifty.api.get("later").load() })
        try await until { (2...loads + 2).allSatisfy { constraint.gate.flight(holding: $0) != nil } }
        #expect(stub.requests.count == before)
        constraint.isSatisfied = true
        constraint.finish()
        for load in held { #expect(try await load.value.error == nil) }
        #expect(constraint.begun.count == 2)
    }

    @Test("ends with its own callback, in its second and in later flights")
    func ownCallback() async throws {
        let constraint = Manual()
        let swifty = swifty(constraint)
        for number in 1...5 {
            let load = Task { try await swifty.api.get("x").load() }
            try await until { constraint.begun.count == number }
            constraint.isSatisfied = !number.isMultiple(of: 2)
            constraint.finish(with: constraint.isSatisfied ? nil : Refused())
            if constraint.isSatisfied {
                _ = try await load.value
            } else {
                let error = await #expect(throws: SwiftyError.self) { try await load.value }
                #expect(error?.underlying is Refused)
            }
            constraint.isSatisfied = false
        }
    }

    @Test("ends by the value of its flight from any thread, once")
    func value() async throws {
        let constraint = Manual()
        let swifty = swifty(constraint)
        for number in 1...3 {
            let load = Task { try await swifty.api.get("x").load() }
            try await until { constraint.begun.count == number }
            let flight = try #require(constraint.begun.values[number - 1])
            // The load that has started the flight continues, whatever the constraint says.
            DispatchQueue.concurrentPerform(iterations: 8) { _ in flight.finish() }
            _ = try await load.value
        }
        #expect(stub.requests.count == 3)
        #expect(constraint.flight == nil)
    }

    @Test("whose loads have left ends with its callback, and the next load starts another one")
    func abandoned() async throws {
        let constraint = Manual()
        let swifty = swifty(constraint)
        for number in 1...3 {
            let load = Task { try await swifty.api.get("x").load() }
            try await until { constraint.begun.count == number }
            load.cancel()
            await #expect(throws: SwiftyError.self) { try await load.value }
            constraint.finish()
        }
    }
}
