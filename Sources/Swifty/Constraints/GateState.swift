// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Who waits at a gate and who has boarded the flight that will satisfy its constraint: event in, decision out.
///
/// Landings are counted, because an answer of the constraint may be overtaken by one: what was said before a landing does
/// not send anyone on another flight after it.
struct GateState {
    /// What a load that may not pass does.
    enum Boarding {
        /// It waits: a flight is under way, which has the probe. Also if it is gone.
        case wait(FlightProbe?)
        /// It waits for the flight of this number, which must be started for its request.
        case start(Int, NetworkResource)
        /// The constraint must be asked again: a flight has ended meanwhile.
        case askAgain
        /// It waited while a flight failed.
        case fail(ConstraintGate.Waiter, SwiftyError)
    }

    /// A flight that has ended, and those whom that concerns.
    struct Landing {
        var constraint: Constraint
        var flight: FlightID
        /// Those that may go on (no error) or fail (with the flight's).
        var released: [ConstraintGate.Waiter] = []
        /// The loads about which the constraint must be asked again, by their numbers.
        var asking: [Int] = []
        var onEnd: (@Sendable () -> Void)?
    }

    private struct Visit {
        let waiter: ConstraintGate.Waiter
        /// The number of landings when the load came, and when the constraint was last asked about it.
        let arrival: Int
        var asked: Int
    }

    private struct Flight {
        let number: Int
        let constraint: Constraint
        let trigger: Int
        var passengers: [Int] = []
        var probe: FlightProbe?
        /// Whether everybody has left.
        var isAbandoned = false
        var onEnd: (@Sendable () -> Void)?

        var id: FlightID { FlightID(ObjectIdentifier(constraint), number) }
    }

    private var visits: [Int: Visit] = [:]
    private var flight: Flight?
    private var lastVisit = 0
    private var lastFlight = 0
    private var landings = 0
    private var lastFailure: (landing: Int, error: SwiftyError)?

    mutating func register(_ waiter: ConstraintGate.Waiter) -> Int {
        lastVisit += 1
        visits[lastVisit] = Visit(waiter: waiter, arrival: landings, asked: landings)
        return lastVisit
    }

    /// Begins to ask the constraint about a load; `nil` if the load is gone.
    mutating func beginAsking(_ number: Int) -> NetworkResource? {
        visits[number]?.asked = landings
        return visits[number]?.waiter.resource
    }

    /// Takes out a waiter that may pass.
    mutating func pass(_ number: Int) -> ConstraintGate.Waiter? {
        visits.removeValue(forKey: number)?.waiter
    }

    /// Forgets a waiter whose load has ended otherwise.
    ///
    /// - Returns: what ends the flight early if nobody waits for it any more.
    mutating func leave(_ number: Int) -> (@Sendable () -> Void)? {
        visits[number] = nil
        guard visits.isEmpty, let current = flight, !current.isAbandoned else { return nil }
        flight?.isAbandoned = true
        return current.onEnd
    }

    /// Makes an unsatisfied waiter wait for a flight.
    mutating func board(_ number: Int, _ constraint: Constraint) -> Boarding {
        guard let visit = visits[number] else { return .wait(nil) }
        if let lastFailure, lastFailure.landing > visit.arrival {
            visits[number] = nil
            return .fail(visit.waiter, lastFailure.error)
        }
        if landings > visit.asked { return .askAgain }
        if flight != nil {
            flight?.passengers.append(number)
            return .wait(flight?.probe)
        }
        lastFlight += 1
        flight = Flight(number: lastFlight, constraint: constraint, trigger: number)
        return .start(lastFlight, visit.waiter.resource)
    }

    func isUnderWay(_ number: Int) -> Bool {
        flight?.number == number
    }

    /// The loads that came while the flight was under way, and wait for it.
    var passengers: [NetworkResource] {
        flight?.passengers.compactMap { visits[$0]?.waiter.resource } ?? []
    }

    /// The waits of the load that the flight was started for, and of its passengers.
    var waitingForFlight: [ConstraintWait] {
        guard let flight else { return [] }
        return ([flight.trigger] + flight.passengers).compactMap { visits[$0]?.waiter.wait }
    }

    /// The flight that a load waits for.
    func flight(holding number: Int) -> FlightID? {
        guard let flight, visits[number] != nil, flight.trigger == number || flight.passengers.contains(number)
        else { return nil }
        return flight.id
    }

    mutating func keep(_ probe: FlightProbe, ofFlight number: Int) {
        if isUnderWay(number) { flight?.probe = probe }
    }

    /// Remembers what is to be called when a flight has ended, or is not wanted any more.
    ///
    /// - Returns: whether that is so already.
    mutating func onEnd(ofFlight number: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
        guard let current = flight, current.number == number, !current.isAbandoned else { return true }
        flight?.onEnd = action
        return false
    }

    /// Ends the flight.
    ///
    /// - Parameter number: the flight that is said to have ended; `nil` if that is not known.
    /// - Returns: `nil` if that flight is not under way.
    mutating func land(_ number: Int?, with error: SwiftyError?) -> Landing? {
        guard let landed = flight, number == nil || number == landed.number else { return nil }
        flight = nil
        landings += 1
        let passengers = landed.passengers.filter { visits[$0] != nil }
        var landing = Landing(constraint: landed.constraint, flight: landed.id, onEnd: landed.onEnd)
        if error == nil {
            landing.released = take([landed.trigger])
            landing.asking = passengers
        } else if landed.isAbandoned {
            // It was given up before they came: its error is not theirs.
            landing.asking = passengers
        } else {
            landing.released = take([landed.trigger] + passengers)
            lastFailure = error.map { (landings, $0) }
        }
        return landing
    }

    private mutating func take(_ numbers: [Int]) -> [ConstraintGate.Waiter] {
        numbers.compactMap { visits.removeValue(forKey: $0)?.waiter }
    }
}
