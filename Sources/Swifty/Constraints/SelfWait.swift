// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Whether a load waits for itself: it is held until the end of a flight that waits for the load, directly or by way of other
/// flights and their loads.
///
/// It rests on what is known of the load, and never on how long something takes: a flight may be as slow as it likes.
struct SelfWait {
    /// Constraints that are in the way of themselves.
    struct Circle {
        let constraints: [ObjectIdentifier]
        /// Their names, and what is wrong.
        let description: String

        /// - Parameter isOne: whether it is one of the constraints, and not all of them.
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

    /// The flights that wait for the load: it was made by them, or their tasks were found waiting for its own.
    var dependents: Set<FlightID> = []
    /// Flights of which one has made the load.
    var possibleMakers: Set<FlightID> = []
    private var lastCircle: [ObjectIdentifier] = []

    /// Whether there is anything to look for.
    var isPossible: Bool { !dependents.isEmpty || !possibleMakers.isEmpty }

    /// The circle that the load is in; `nil` if it is in none.
    ///
    /// - Parameters:
    ///   - flights: those that the load is held by.
    ///   - board: all that are under way.
    func circle(by flights: [FlightID], on board: FlightBoard) -> Circle? {
        for flight in flights {
            if let constraints = board.circle(from: flight, to: dependents) { return Circle(constraints) }
        }
        // Whichever has made the load, it is among those that hold it.
        let makers = board.constraints(of: possibleMakers)
        let holders = board.constraints(of: possibleMakers.intersection(flights))
        return !makers.isEmpty && makers.count == holders.count ? Circle(holders, isOne: true) : nil
    }

    /// A circle that is found twice in a row is one. Once is not enough, as not all gates are looked at in the same moment.
    mutating func isSure(of circle: Circle?) -> Bool {
        defer { lastCircle = circle?.constraints.sorted() ?? [] }
        guard let circle else { return false }
        return lastCircle == circle.constraints.sorted()
    }
}
