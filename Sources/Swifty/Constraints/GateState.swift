// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Who waits at a gate and who has boarded the flight that will satisfy its constraint: event in, decision out.
struct GateState {
    /// A flight that has ended, and those whom that concerns.
    struct Landing {
        let constraint: Constraint
        /// The load that caused the flight; `nil` if it has left meanwhile.
        let trigger: ConstraintGate.Waiter?
        /// The other loads that wait for it, by their numbers.
        let others: [Int]
        let allWaiters: [ConstraintGate.Waiter]
    }

    private struct Flight {
        let number: Int
        let constraint: Constraint
        let trigger: Int
        var passengers: [Int]
    }

    private(set) var waiters: [Int: ConstraintGate.Waiter] = [:]
    private var flight: Flight?
    private var lastWaiter = 0
    private var lastFlight = 0

    mutating func register(_ waiter: ConstraintGate.Waiter) -> Int {
        lastWaiter += 1
        waiters[lastWaiter] = waiter
        return lastWaiter
    }

    mutating func forget(_ number: Int) -> ConstraintGate.Waiter? {
        waiters.removeValue(forKey: number)
    }

    /// Makes an unsatisfied waiter wait for a flight.
    ///
    /// - Returns: the number of the flight that must be started for it; `nil` if one is under way.
    mutating func board(_ number: Int, _ constraint: Constraint) -> Int? {
        if flight != nil {
            flight?.passengers.append(number)
            return nil
        }
        lastFlight += 1
        flight = Flight(number: lastFlight, constraint: constraint, trigger: number, passengers: [])
        return lastFlight
    }

    /// Ends the flight.
    ///
    /// - Parameter number: the flight that is said to have ended; `nil` if that is not known.
    /// - Returns: `nil` if that flight is not under way.
    mutating func land(_ number: Int?) -> Landing? {
        guard let landed = flight, number == nil || number == landed.number else { return nil }
        flight = nil
        let present = landed.passengers.filter { waiters[$0] != nil }
        let landing = Landing(
            constraint: landed.constraint,
            trigger: waiters[landed.trigger],
            others: present,
            allWaiters: ([landed.trigger] + landed.passengers).compactMap { waiters[$0] }
        )
        waiters[landed.trigger] = nil
        return landing
    }
}
