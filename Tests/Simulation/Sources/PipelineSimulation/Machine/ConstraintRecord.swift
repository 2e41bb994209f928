// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

/// What both kinds of constraints do by plan, and their record of questions and flights.
// Safety: the one thread of the simulation uses it.
final class ConstraintRecord: @unchecked Sendable {
    /// A flight, from the call of the constraint's method until the constraint says that it is over.
    // Safety: the one thread of the simulation uses it.
    final class Flight: @unchecked Sendable {
        let number: Int
        /// The load that has started it.
        let load: Int
        let begin: Int64
        var isOver: Bool { end != nil }
        var end: Int64?
        /// Whether it ended by a call of `finish` that had lost it, so that the call may have been taken for that of an
        /// earlier flight, and the earlier one's for this one's.
        var isTakenForEarlier = false
        /// Whether a call of `finish` that had lost its flight may have ended this one.
        var mayHaveLanded = false
        /// Whether it took longer than its limit.
        var isOverdue = false
        /// The time since when it is certain that no load waits for it; `nil` before.
        var abandonment: Int64?

        init(number: Int, load: Int, begin: Int64) {
            (self.number, self.load, self.begin) = (number, load, begin)
        }
    }

    let index: Int
    let plan: ConstraintPlan
    unowned let history: PipelineHistory
    private(set) var flights: [Flight] = []
    /// The credential; 0 without one.
    private(set) var credential = 0
    private var expiry: World.Timer?
    /// The loads that this constraint has let pass since they began to wait.
    private var passed: Set<Int> = []
    /// The loads about which it was last known without a question whether they may pass.
    private var known: [Int: Bool] = [:]
    /// The loads that began a flight which has satisfied the constraint for them.
    private var satisfiedBy: Set<Int> = []
    /// When each load began to wait.
    private var waits: [Int: Int64] = [:]
    /// The loads that must fail because a flight has, and its number.
    private var doomed: [Int: Int] = [:]
    /// The loads for which it has said no since they began to wait.
    private var refused: Set<Int> = []
    private var isBeingAsked = false
    private var answerCount = 0
    /// Counts questions and landings.
    private var lastNumber = 0
    private var lastLanding = 0
    /// The numbers of the last questions about loads.
    private var questions: [Int: Int] = [:]

    init(_ index: Int, _ plan: ConstraintPlan, _ history: PipelineHistory) {
        (self.index, self.plan, self.history) = (index, plan, history)
        if plan.isSatisfied { obtain() }
    }

    private var world: World { history.world }
    var name: String { "constraint \(index)" }
    var isSatisfied: Bool { credential != 0 }

    /// The constraint that does as this record says.
    func makeHook() -> any Swifty.Hook { plan.isAsync ? TaskConstraint(self) : BlockingConstraint(self) }

    /// Whether a load has it.
    func holds(_ run: LoadRun) -> Bool {
        run.plan.canHaveConstraints && (!plan.isOfRequests || run.plan.hasOwnConstraints)
    }

    // MARK: The condition

    private func obtain() {
        history.lastCredential += 1
        credential = history.lastCredential
        if let expiry { world.cancel(expiry) }
        expiry = plan.lifetime.map { lifetime in
            world.after(lifetime.milliseconds) { [weak self] in self?.credential = 0 }
        }
    }

    /// Drops the credential that a server has refused.
    func invalidate(_ used: String?) -> Bool {
        guard let used, Int(used) != nil else { return false }
        if used == "\(credential)" {
            credential = 0
            world.note(.credentialDropped, of: index, is: "\(name): the credential \(used) is dropped")
        }
        return true
    }

    // MARK: The rules

    func loadWaits(_ load: Int) {
        passed.remove(load)
        satisfiedBy.remove(load)
        doomed[load] = nil
        refused.remove(load)
        known[load] = nil
        waits[load] = world.now
    }

    func answersKnown(_ load: Int) -> Bool {
        let isKnown = plan.isKnown && isSatisfied
        known[load] = isKnown
        if isKnown { passed.insert(load) }
        return isKnown
    }

    func beginQuestion(_ load: Int) {
        world.note(.constraintAsked, of: load, index, is: "\(name) is asked about load \(load)")
        world.expect(known[load] != true, "a constraint is not asked about a load that it is known to let pass", name)
        world.expect(
            !satisfiedBy.contains(load),
            "the load that began a flight continues without another question",
            "\(name), load \(load)"
        )
        lastNumber += 1
        questions[load] = lastNumber
        if plan.isAsync { return }
        world.expect(!isBeingAsked, "a constraint with blocking methods is asked about one load at a time", name)
        isBeingAsked = true
    }

    func endQuestion(_ load: Int, _ isSatisfied: Bool) -> Bool {
        isBeingAsked = false
        if isSatisfied {
            passed.insert(load)
            // It was being asked about while a flight failed.
            doomed[load] = nil
        } else {
            refused.insert(load)
        }
        return isSatisfied
    }

    /// In milliseconds.
    func timeOfNextAnswer() -> Int {
        defer { answerCount += 1 }
        return plan.answerTime(answerCount)
    }

    /// Whether a load that has waited may be sent, as far as this constraint is concerned.
    func checkPassed(_ load: Int) {
        world.expect(
            passed.contains(load) || satisfiedBy.contains(load),
            "a load that a constraint holds is not sent",
            "\(name), load \(load)"
        )
        world.expect(
            doomed[load] == nil,
            "a failed flight fails all loads that wait for it",
            "\(name), load \(load)"
        )
    }

    /// A load that a failed flight fails has its error, or that of another flight, if that one failed while the load
    /// waited for its question.
    func check(_ failure: FlightFailure, of load: Int) {
        let sentence = "a load fails with the error of its flight"
        world.expect(failure.flight <= doomed[load] ?? failure.flight, sentence, "\(name), load \(load)")
        if history.hasOneConstraint, flights.indices.contains(failure.flight) {
            let flight = flights[failure.flight]
            if !history.isLate, let end = flight.end, let wait = waits[load] {
                world.expect(end >= wait, sentence, "\(name), load \(load): its flight was over before the load waited")
            }
            let isUnknown = flights[(failure.flight + 1)...].contains(where: \.isTakenForEarlier)
            world.expect(!flight.isOverdue || isUnknown, "a flight that has timed out fails no load later", name)
        }
    }

    /// Finds out which flights no load waits for.
    func loadLeaves() {
        for flight in flights where !flight.isOver && flight.abandonment == nil {
            let isAwaited = history.runs.values.contains {
                $0.isWaiting && !passed.contains($0.number) && holds($0)
            }
            if !isAwaited { flight.abandonment = world.now }
        }
    }

    /// A flight that no load waits for is cancelled.
    func checkCancelled(_ flight: Flight, isCancelled: Bool) {
        let limit = flight.begin + plan.timeout.milliseconds
        if !history.isLate, world.now > limit {
            world.expect(isCancelled, "a flight that takes longer than its limit is cancelled", name)
        }
        guard let abandonment = flight.abandonment, abandonment < world.now else { return }
        world.expect(
            isCancelled,
            "a flight that no load waits for is cancelled",
            "\(name), flight \(flight.number), since\(Milliseconds(abandonment - World.start))"
        )
    }

    /// A load that waits for itself is found long before the limit of its flight.
    func checkSelfWait(_ run: LoadRun) {
        guard plan.timeout >= 10_000, history.hasOneConstraint, case .failure(let error) = run.outcome else {
            return
        }
        let sentence = "a load that waits for its own flight is found"
        world.expect(error.timeLimit != .constraint, sentence, "\(name), \(run.number)")
    }

    func beginFlight(_ load: Int) -> (flight: Flight, plan: ConstraintPlan.Flight) {
        let flight = Flight(number: flights.count, load: load, begin: world.now)
        world.note(.flightBegins, of: load, index, is: "\(name): flight \(flight.number) begins for load \(load)")
        let limit = plan.timeout.milliseconds
        world.expect(
            history.isLate || flights.allSatisfy { $0.isOver || $0.mayHaveLanded || world.now - $0.begin >= limit },
            "a constraint has one flight at a time",
            "\(name), flight \(flight.number)"
        )
        world.expect(
            history.isLate || questions[load] ?? .max > lastLanding,
            "a flight begins only after a question that was put since the last landing",
            "\(name), flight \(flight.number)"
        )
        flights.append(flight)
        return (flight, plan.flight(flight.number))
    }

    /// The flight has come to its end: the constraint is about to say so.
    ///
    /// - Parameter isExact: Whether it says so as part of the flight.
    func endFlight(_ flight: Flight, succeeds: Bool, isExact: Bool = true) {
        if flight.isOver { return }
        flight.end = world.now
        flight.isTakenForEarlier = !isExact
        if !isExact { for other in flights where !other.isOver { other.mayHaveLanded = true } }
        if succeeds { obtain() } else { noteLaterFailure(flight) }
        let time = world.now - flight.begin
        // A late step can have set the timer late.
        let grace = history.isLate ? 20.milliseconds : 0
        if time >= plan.timeout.milliseconds, time <= plan.timeout.milliseconds + grace {
            // Either counts: the end of the flight, or that of its time.
            if succeeds { passed.insert(flight.load) }
        } else if time > plan.timeout.milliseconds {
            flight.isOverdue = true
            world.note(.flightOverdue, of: flight.load, index, is: "\(name): flight \(flight.number) is overdue")
        } else if succeeds {
            world.note(.flightSucceeds, of: flight.load, index, is: "\(name): flight \(flight.number) succeeds")
            if isExact, history.runs[flight.load]?.isWaiting == true { satisfiedBy.insert(flight.load) }
        } else {
            world.note(.flightFails, of: flight.load, index, is: "\(name): flight \(flight.number) fails")
            doomPassengers(of: flight)
        }
        refused = []
        guard isExact, time < plan.timeout.milliseconds else { return }
        lastNumber += 1
        lastLanding = lastNumber
    }

    /// A load about which the constraint is asked while several flights fail has the error of the last one.
    private func noteLaterFailure(_ flight: Flight) {
        for load in doomed.keys { doomed[load] = flight.number }
    }

    /// Notes the loads that a failed flight must fail. While the load that began it waits, no load finds it abandoned.
    private func doomPassengers(of flight: Flight) {
        // Another constraint, or a late step, may have ended the trigger's wait without a sign.
        guard let trigger = history.runs[flight.load], trigger.waitsSteadily, history.hasOneConstraint,
            !history.isLate, history.plan.setup.responseHook == nil
        else { return }
        for run in history.runs.values where run.isWaiting && refused.contains(run.number) {
            if !passed.contains(run.number) { doomed[run.number] = flight.number }
        }
    }
}
