// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The waiters at a gate, and the flight that some of them have boarded: event in, decision out.
///
/// Landings are counted, because a flight may land while the constraint is being asked about a waiter. A negative
/// answer from before the landing must not start another flight: the constraint is asked again.
struct GateState {
    /// The next step of a waiter for whose load the constraint is not satisfied.
    enum Boarding {
        /// Wait for the flight in progress, with its probe; or do nothing, if the waiter has left.
        case wait(FlightProbe?)
        /// Start the flight with this number for this request, and wait for it.
        case start(Int, ConstraintGate.Waiter)
        /// Ask the constraint again, because a flight has landed in the meantime.
        case askAgain
        /// Fail, because a flight has failed since the waiter arrived.
        case fail(ConstraintGate.Waiter, SwiftyError)
    }

    /// A finished flight, with the waiters to release or to ask about again.
    struct Landing {
        var constraint: Constraint
        var flight: FlightID
        /// The waiters to release, with the flight's error if it has one.
        var released: [ConstraintGate.Waiter] = []
        /// The numbers of the waiters about which the constraint is asked again.
        var asking: [Int] = []
        /// The timer of the time limit.
        var timer: LoadClock.Timer?
        var onEnd: (@Sendable () -> Void)?
    }

    private struct Visit {
        let waiter: ConstraintGate.Waiter
        /// The number of landings when the load arrived.
        let arrival: Int
        /// The number of landings when the constraint was last asked about the load; `nil` before the first time.
        var asked: Int?
    }

    private struct Flight {
        let number: Int
        let constraint: Constraint
        let trigger: Int
        var passengers: [Int] = []
        var probe: FlightProbe?
        var timer: LoadClock.Timer?
        /// Whether all waiters have left.
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
        visits[lastVisit] = Visit(waiter: waiter, arrival: landings)
        return lastVisit
    }

    /// Starts to ask the constraint about a waiter; returns its request, or `nil` if the waiter has left.
    mutating func beginAsking(_ number: Int) -> NetworkResource? {
        guard let visit = visits[number] else { return nil }
        // A gate that asks without a new landing would ask forever, and occupy a thread.
        assert(visit.asked.map { $0 < landings } ?? true, "no flight has landed since the last question")
        visits[number]?.asked = landings
        return visit.waiter.resource
    }

    /// Removes a waiter that may pass.
    mutating func pass(_ number: Int) -> ConstraintGate.Waiter? {
        visits.removeValue(forKey: number)?.waiter
    }

    /// Removes a waiter whose load has ended.
    ///
    /// - Returns: The action that ends the flight, if no load waits for it any more.
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
        if landings > visit.asked ?? visit.arrival { return .askAgain }
        if flight != nil {
            flight?.passengers.append(number)
            return .wait(flight?.probe)
        }
        lastFlight += 1
        flight = Flight(number: lastFlight, constraint: constraint, trigger: number)
        return .start(lastFlight, visit.waiter)
    }

    func isInProgress(_ number: Int) -> Bool {
        flight?.number == number
    }

    /// The loads that have joined the flight after its start.
    var passengers: [NetworkResource] {
        flight?.passengers.compactMap { visits[$0]?.waiter.resource } ?? []
    }

    /// The waits of the flight's trigger and of its passengers.
    var waitingForFlight: [ConstraintWait] {
        guard let flight else { return [] }
        return ([flight.trigger] + flight.passengers).compactMap { visits[$0]?.waiter.wait }
    }

    /// The flight that a waiter waits for.
    func flight(holding number: Int) -> FlightID? {
        guard let flight, visits[number] != nil, flight.trigger == number || flight.passengers.contains(number)
        else { return nil }
        return flight.id
    }

    mutating func attach(_ probe: FlightProbe, toFlight number: Int) {
        if isInProgress(number) { flight?.probe = probe }
    }

    /// Stores the timer of a flight's time limit.
    ///
    /// - Returns: `false` if the flight has ended already.
    mutating func attach(_ timer: LoadClock.Timer, toFlight number: Int) -> Bool {
        guard isInProgress(number) else { return false }
        flight?.timer = timer
        return true
    }

    /// Stores the action to call when a flight has ended or is abandoned.
    ///
    /// - Returns: `true` if it has ended or is abandoned already.
    mutating func onEnd(ofFlight number: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
        guard let current = flight, current.number == number, !current.isAbandoned else { return true }
        flight?.onEnd = action
        return false
    }

    /// Ends the flight.
    ///
    /// - Parameter number: The number of the flight; `nil` for the one in progress.
    /// - Returns: The landing; `nil` if that flight is not in progress.
    mutating func land(_ number: Int?, with error: SwiftyError?) -> Landing? {
        guard let landed = flight, number == nil || number == landed.number else { return nil }
        flight = nil
        landings += 1
        let passengers = landed.passengers.filter { visits[$0] != nil }
        var landing = Landing(
            constraint: landed.constraint,
            flight: landed.id,
            timer: landed.timer,
            onEnd: landed.onEnd
        )
        if error == nil {
            landing.released = take([landed.trigger])
            landing.asking = passengers
        } else if landed.isAbandoned {
            // The flight was abandoned before these loads arrived, so they do not fail with its error.
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
