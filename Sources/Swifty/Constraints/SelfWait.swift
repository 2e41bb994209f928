// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Detects that a load waits for itself: a flight holds it and waits for it, directly or through other flights and
/// their loads.
///
/// The decision depends on known relations between loads and flights, never on time: a slow flight is not a deadlock.
struct SelfWait {
    struct Cycle {
        let constraints: [ObjectIdentifier]
        /// The names of the constraints, and that they wait for themselves or for each other.
        let description: String

        fileprivate init(_ constraints: [Constraint]) {
            self.constraints = constraints.map(ObjectIdentifier.init)
            let names = constraints.map(\.constraintName).joined(separator: " and ")
            description = constraints.count == 1 ? "\(names) waits for itself" : "\(names) wait for each other"
        }
    }

    /// The flights that wait for the load: those that made it, and those whose tasks a probe found waiting for its
    /// task.
    var dependents: Set<FlightID> = []
    private var lastCycle: [ObjectIdentifier] = []

    /// Whether the load can wait for itself at all.
    var isPossible: Bool { !dependents.isEmpty }

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
        return nil
    }

    /// Confirms a cycle that is found twice in a row. Once is not enough, because the gates are not read atomically.
    mutating func confirm(_ cycle: Cycle?) -> Bool {
        defer { lastCycle = cycle?.constraints.sorted() ?? [] }
        guard let cycle else { return false }
        return lastCycle == cycle.constraints.sorted()
    }
}
