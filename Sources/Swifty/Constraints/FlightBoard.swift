// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The identity of one flight of one constraint.
struct FlightID: Hashable, Sendable {
    let constraint: ObjectIdentifier
    let number: Int
}

/// The flights in progress in this process, of all constraints.
///
/// It finds what a single gate cannot know: a cycle of flights and loads that wait for one another.
final class FlightBoard: Sendable {
    static let shared = FlightBoard()

    private struct Entry {
        /// Counts the flights of the process.
        let number: Int
        let constraint: Constraint
    }

    private struct State {
        var flights: [FlightID: Entry] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    func insert(_ flight: FlightID, of constraint: Constraint) {
        state.withLock { state in
            state.lastNumber += 1
            state.flights[flight] = Entry(number: state.lastNumber, constraint: constraint)
        }
    }

    func remove(_ flight: FlightID) {
        // The constraint is released outside of the lock.
        _ = state.withLock { $0.flights.removeValue(forKey: flight) }
    }

    /// The flights and their constraints, in the order in which they have begun.
    private var inOrder: [(flight: FlightID, constraint: Constraint)] {
        state.withLock { state in
            state.flights.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.constraint) }
        }
    }

    /// Finds a cycle of constraints: each one's flight waits for a load that the next constraint holds, and the last
    /// one's for a load that the first constraint holds.
    ///
    /// - Parameters:
    ///   - flight: The flight that a load waits for.
    ///   - dependents: The flights that wait for this load.
    /// - Returns: The constraints; `nil` if there is no cycle through the load.
    func cycle(from flight: FlightID, to dependents: Set<FlightID>) -> [Constraint]? {
        let all = inOrder
        guard let first = all.first(where: { $0.flight == flight }) else { return nil }
        var paths = [(flight, [first.constraint])]
        var seen: Set = [flight]
        while let (last, path) = paths.popLast() {
            if dependents.contains(last) { return path }
            for (next, constraint) in all where !seen.contains(next) {
                guard constraint.gate.holdsLoad(of: last, untilEndOf: next.number) else { continue }
                seen.insert(next)
                paths.append((next, path + [constraint]))
            }
        }
        return nil
    }
}
