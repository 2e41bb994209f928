// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Swifty

@Suite("A constraint's gate", .timeLimit(.minutes(15)))
struct ConstraintGateTests {
    private let constraint = Constraint()
    private let error = SwiftyError(.constraintFailed, stage: .constraint)

    private func waiter() -> ConstraintGate.Waiter {
        ConstraintGate.Waiter(resource: Swifty.shared.api.get("x")) { _ in }
    }

    private func check(_ boarding: GateState.Boarding, starts expected: Int) {
        guard case .start(let flight, _) = boarding else {
            Issue.record("no flight is started")
            return
        }
        #expect(flight == expected)
    }

    @Test("starts one flight for all waiters, and releases the one that caused it")
    func oneFlight() throws {
        var state = GateState()
        let numbers = (0..<3).map { _ in state.register(waiter()) }
        check(state.board(numbers[0], constraint), starts: 1)
        for number in numbers.dropFirst() {
            guard case .wait = state.board(number, constraint) else {
                Issue.record("a second flight")
                return
            }
        }
        #expect(state.isInProgress(1))
        let landed = state.land(1, with: nil)
        let landing = try #require(landed)
        #expect(landing.released.count == 1)
        #expect(landing.asking == [numbers[1], numbers[2]])
        let again = (state.land(1, with: nil), state.land(2, with: nil))
        #expect(again.0 == nil)
        #expect(again.1 == nil)
    }

    @Test("asks again when a flight has landed since the constraint was asked")
    func overtaken() {
        var state = GateState()
        let (first, second) = (state.register(waiter()), state.register(waiter()))
        _ = state.beginAsking(second)
        check(state.board(first, constraint), starts: 1)
        _ = state.land(1, with: nil)
        guard case .askAgain = state.board(second, constraint) else {
            Issue.record("an answer from before the landing counts")
            return
        }
        _ = state.beginAsking(second)
        check(state.board(second, constraint), starts: 2)
    }

    @Test("fails with a flight's error also the waiters that arrived before its end and were not asked about yet")
    func failure() throws {
        var state = GateState()
        let (first, second) = (state.register(waiter()), state.register(waiter()))
        check(state.board(first, constraint), starts: 1)
        let landing = state.land(1, with: error)
        #expect(landing?.released.count == 1)
        _ = state.beginAsking(second)
        guard case .fail = state.board(second, constraint) else {
            Issue.record("it waited while the flight failed")
            return
        }
        let third = state.register(waiter())
        _ = state.beginAsking(third)
        check(state.board(third, constraint), starts: 2)
    }

    @Test("abandons a flight when the last waiter leaves, and does not pass its error to later ones")
    func abandonment() throws {
        var state = GateState()
        let (first, second) = (state.register(waiter()), state.register(waiter()))
        check(state.board(first, constraint), starts: 1)
        _ = state.board(second, constraint)
        let ended = Counter()
        let isOver = state.onEnd(ofFlight: 1) { ended.increment() }
        #expect(!isOver)
        state.remove(first).abandon?()
        #expect(ended.value == 0)
        state.remove(second).abandon?()
        #expect(ended.value == 1)
        let third = state.register(waiter())
        _ = state.beginAsking(third)
        guard case .wait = state.board(third, constraint) else {
            Issue.record("two simultaneous flights")
            return
        }
        let ending = state.land(1, with: error)
        let landing = try #require(ending)
        #expect(landing.released.isEmpty)
        #expect(landing.asking == [third])
        _ = state.beginAsking(third)
        check(state.board(third, constraint), starts: 2)
    }

    @Test("abandons a flight also when the last waiter passes, or fails with an earlier flight's error")
    func abandonmentByOthers() {
        for fails in [false, true] {
            var state = GateState()
            let last = state.register(waiter())
            _ = state.beginAsking(last)
            if fails {
                check(state.board(state.register(waiter()), constraint), starts: 1)
                _ = state.land(1, with: error)
            }
            let trigger = state.register(waiter())
            _ = state.beginAsking(trigger)
            check(state.board(trigger, constraint), starts: fails ? 2 : 1)
            let ended = Counter()
            let isOver = state.onEnd(ofFlight: fails ? 2 : 1) { ended.increment() }
            #expect(!isOver)
            state.remove(trigger).abandon?()
            #expect(ended.value == 0)
            if case .fail(let departure, _) = state.board(last, constraint), fails {
                departure.abandon?()
            } else {
                state.remove(last).abandon?()
            }
            #expect(ended.value == 1)
        }
    }

    @Test("reports an action as due if its flight has ended or is abandoned")
    func lateRegistration() {
        var state = GateState()
        let first = state.register(waiter())
        check(state.board(first, constraint), starts: 1)
        _ = state.remove(first)
        let isOver = state.onEnd(ofFlight: 1) {}
        #expect(isOver)
        let isUnknown = state.onEnd(ofFlight: 7) {}
        #expect(isUnknown)
    }
}
