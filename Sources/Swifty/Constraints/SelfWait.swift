// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Detects that a load waits for itself: a flight holds it and waits for it, directly or through other flights and
/// their loads.
///
/// The decision depends on known relations between loads and flights, never on time: a slow flight is not a deadlock.
struct SelfWait {
    /// The constraints of a cycle.
    struct Cycle {
        let constraints: [ObjectIdentifier]
        /// The names of the constraints, and that they wait for themselves or for each other.
        let description: String

        /// - Parameter isOne: Whether only one of the constraints waits for itself, and it is unknown which.
        fileprivate init(_ constraints: [Constraint], isOne: Bool = false) {
            self.constraints = constraints.map(ObjectIdentifier.init)
            let names = constraints.map(\.constraintName)
            description =
                if isOne || names.count == 1 {
                    "\(names.sorted().joined(separator: " or ")) waits for itself"
                } else {
                    "\(names.joined(separator: " and ")) wait for each other"
                }
        }
    }

    /// The flights that wait for the load: those that made it, and those whose tasks a probe found waiting for its
    /// task.
    var dependents: Set<FlightID> = []
    /// The flights of which one has made the load.
    var possibleMakers: Set<FlightID> = []
    private var lastCycle: [ObjectIdentifier] = []

    /// Whether the load can wait for itself at all.
    var isPossible: Bool { !dependents.isEmpty || !possibleMakers.isEmpty }

    /// Finds a cycle through the load.
    ///
    /// - Parameters:
    ///   - flights: The flights that hold the load.
    ///   - board: All flights in progress.
    /// - Returns: The cycle; `nil` if the waits form none.
    func cycle(ofLoadHeldBy flights: [FlightID], on board: FlightBoard) -> Cycle? {
        for flight in flights {
            if let constraints = board.cycle(from: flight, to: dependents) { return Cycle(constraints) }
        }
        // Whichever flight has made the load, it also holds the load.
        let makers = board.constraints(of: possibleMakers)
        let holders = board.constraints(of: possibleMakers.intersection(flights))
        return !makers.isEmpty && makers.count == holders.count ? Cycle(holders, isOne: true) : nil
    }

    /// Confirms a cycle that is found twice in a row. Once is not enough, because the gates are not read in the same
    /// moment.
    mutating func confirm(_ cycle: Cycle?) -> Bool {
        defer { lastCycle = cycle?.constraints.sorted() ?? [] }
        guard let cycle else { return false }
        return lastCycle == cycle.constraints.sorted()
    }
}
