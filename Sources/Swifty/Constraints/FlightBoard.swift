// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One flight of one constraint.
struct FlightID: Hashable, Sendable {
    let constraint: ObjectIdentifier
    let number: Int

    init(_ constraint: ObjectIdentifier, _ number: Int) {
        self.constraint = constraint
        self.number = number
    }
}

/// The flights that are under way in this process, of all constraints.
///
/// It answers what one gate cannot know: to which flight a load belongs whose task-local values are lost, and whether a
/// load waits for a flight that waits for the load.
final class FlightBoard: Sendable {
    static let shared = FlightBoard()

    private let flights = Mutex<[FlightID: Constraint]>([:])

    func insert(_ flight: FlightID, of constraint: Constraint) {
        flights.withLock { $0[flight] = constraint }
    }

    func remove(_ flight: FlightID) {
        flights.withLock { $0[flight] = nil }
    }

    /// The flights that a load can be part of which is written inside of a method of this name.
    func flights(ofLoadIn function: StaticString) -> LoadMakers {
        LoadMakers(flights.withLock { $0.filter { function.isEqual(to: $0.value.satisfyingMethod) } })
    }

    /// The constraints of these flights, without those that are over.
    func constraints(of some: some Sequence<FlightID>) -> [Constraint] {
        flights.withLock { flights in some.compactMap { flights[$0] } }
    }

    /// The constraints that are in the way of themselves: each is held up by a load that the next one holds, the last one by a
    /// load that the first one holds.
    ///
    /// - Parameters:
    ///   - flight: what a load waits for.
    ///   - dependents: the flights that wait for this load.
    /// - Returns: `nil` if the flight does not wait for itself by way of the load.
    func circle(from flight: FlightID, to dependents: Set<FlightID>) -> [Constraint]? {
        let all = flights.withLock(\.self)
        guard let first = all[flight] else { return nil }
        var paths = [(flight, [first])]
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

/// The flights by whose constraints a load can have been made.
struct LoadMakers: Sendable {
    /// Flights of one type, in the form of ``Constraint/flights``: the load is part of one of them.
    let known: [ObjectIdentifier: Int]
    /// Flights of different types: the load is part of one of them, and it is not known of which.
    let possible: Set<FlightID>

    fileprivate init(_ candidates: [FlightID: Constraint]) {
        let isClear = Set(candidates.values.map { ObjectIdentifier(type(of: $0)) }).count == 1
        known = isClear ? Dictionary(candidates.keys.map { ($0.constraint, $0.number) }, uniquingKeysWith: max) : [:]
        possible = isClear ? [] : Set(candidates.keys)
    }
}

extension StaticString {
    /// Whether the characters are the same; both are literals of several bytes.
    func isEqual(to other: StaticString) -> Bool {
        guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
        return withUTF8Buffer { own in other.withUTF8Buffer { own.elementsEqual($0) } }
    }
}
