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
        case fail(Departure, SwiftyError)
    }

    /// The end of a wait.
    struct Departure {
        /// `nil` if the waiter has left before.
        let waiter: ConstraintGate.Waiter?
        /// The action that ends the flight in progress, if no load waits any more.
        let abandon: (@Sendable () -> Void)?
    }

    /// The meaning of a call of `finish`.
    enum Finish {
        /// It belongs to no flight, or to one that has ended.
        case ignore
        /// It ends this flight.
        case land(Int)
        /// It may end this flight: the constraint is asked about the request of a load that waits for it.
        case verify(Int, NetworkResource)
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

        var id: FlightID { FlightID(constraint: ObjectIdentifier(constraint), number: number) }
    }

    private var visits: [Int: Visit] = [:]
    private var flight: Flight?
    private var lastVisit = 0
    /// Flights and questions share their numbers.
    private var lastNumber = 0
    private var questions: Set<Int> = []
    /// The flights that have timed out, and whose own call of `finish` may still come, the earliest first.
    private var unfinished: [Int] = []
    /// Whether the constraint has once said that it is satisfied when a call of `finish` said so. Some never do, such
    /// as one that asks the user about each request.
    private var confirmsFinishes = false
    private var landings = 0
    private var lastFailure: (landing: Int, error: SwiftyError)?

    mutating func register(_ waiter: ConstraintGate.Waiter) -> Int {
        lastVisit += 1
        visits[lastVisit] = Visit(waiter: waiter, arrival: landings)
        return lastVisit
    }

    /// A waiter that has not left.
    func waiter(_ number: Int) -> ConstraintGate.Waiter? {
        visits[number]?.waiter
    }

    /// Starts to ask the constraint about a waiter; returns its request, or `nil` if the waiter has left.
    mutating func beginAsking(_ number: Int) -> NetworkResource? {
        guard let visit = visits[number] else { return nil }
        // A gate that asks without a new landing would ask forever, and occupy a thread.
        assert(visit.asked.map { $0 < landings } ?? true, "no flight has landed since the last question")
        visits[number]?.asked = landings
        return visit.waiter.resource
    }

    /// Removes a waiter that may pass, or whose load has ended.
    mutating func remove(_ number: Int) -> Departure {
        let waiter = visits.removeValue(forKey: number)?.waiter
        guard visits.isEmpty, let current = flight, !current.isAbandoned else {
            return Departure(waiter: waiter, abandon: nil)
        }
        flight?.isAbandoned = true
        return Departure(waiter: waiter, abandon: current.onEnd)
    }

    /// Makes an unsatisfied waiter wait for a flight.
    mutating func board(_ number: Int, _ constraint: Constraint) -> Boarding {
        guard let visit = visits[number] else { return .wait(nil) }
        if let lastFailure, lastFailure.landing > visit.arrival {
            return .fail(remove(number), lastFailure.error)
        }
        if landings > visit.asked ?? visit.arrival { return .askAgain }
        if flight != nil {
            flight?.passengers.append(number)
            return .wait(flight?.probe)
        }
        lastNumber += 1
        flight = Flight(number: lastNumber, constraint: constraint, trigger: number)
        return .start(lastNumber, visit.waiter)
    }

    func isInProgress(_ number: Int) -> Bool {
        flight?.number == number
    }

    func isUnderWay(_ number: Int) -> Bool {
        isInProgress(number) || questions.contains(number)
    }

    mutating func beginQuestion() -> Int {
        lastNumber += 1
        questions.insert(lastNumber)
        return lastNumber
    }

    mutating func endQuestion(_ number: Int) {
        questions.remove(number)
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

    /// Decides to which flight a call of `finish` belongs.
    ///
    /// - Parameter number: The number of its flight; `nil` if the call has lost it. Such a call may come from an
    ///   earlier flight, late or for the second time.
    mutating func finish(_ number: Int?, isFailure: Bool) -> Finish {
        if let number {
            unfinished.removeAll { $0 == number }
            return isInProgress(number) ? .land(number) : .ignore
        }
        guard let flight else {
            _ = forgetUnfinished()
            return .ignore
        }
        if isFailure { return forgetUnfinished() ? .ignore : .land(flight.number) }
        let waiting = ([flight.trigger] + flight.passengers).lazy.compactMap { [visits] in visits[$0]?.waiter.resource }
        return waiting.first.map { .verify(flight.number, $0) } ?? .land(flight.number)
    }

    /// Judges a call of `finish` that has lost its flight by what the constraint says.
    ///
    /// - Returns: Whether it ends the flight in progress.
    mutating func confirm(isSatisfied: Bool) -> Bool {
        if isSatisfied { confirmsFinishes = true }
        return isSatisfied || (!forgetUnfinished() && !confirmsFinishes)
    }

    /// Attributes a call of `finish` to the first flight that has timed out; `false` if no flight has.
    private mutating func forgetUnfinished() -> Bool {
        if unfinished.isEmpty { return false }
        unfinished.removeFirst()
        return true
    }

    /// Ends the flight.
    ///
    /// - Parameters:
    ///   - number: The number of the flight.
    ///   - isTimeout: Whether its time limit ends it, so that its own call of `finish` may still come.
    /// - Returns: The landing; `nil` if that flight is not in progress.
    mutating func land(_ number: Int, isTimeout: Bool = false, with error: SwiftyError?) -> Landing? {
        guard let landed = flight, number == landed.number else { return nil }
        if isTimeout { unfinished.append(number) }
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
