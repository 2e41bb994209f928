// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data
import struct Foundation.Date

@testable import Swifty
@testable import SwiftyTransport

/// Plays an ``AdmissionPlan``, and checks after each event that the state of admission agrees with what has happened.
final class AdmissionHistory {
    private struct Load {
        let token = LoadCancellation()
        let origin: String
        var priority: NetworkRequest.Priority
        /// Its place among those of its priority.
        var place: Int
        let arrived: Duration
        /// How long its request takes to the server, in milliseconds.
        let delay: Int
    }

    private let plan: AdmissionPlan
    private let world: World
    private var state: AdmissionState
    private var count = 0
    private var lastPlace = 0
    /// The loads that wait, by their numbers here and by those of the state.
    private var waiting: [Int: Load] = [:]
    private var numbers: [Int: Int] = [:]
    /// How many loads of higher priority each host has been sent since one of a priority was, or began to wait.
    private var lostTurns: [String: [NetworkRequest.Priority: Int]] = [:]
    private var running: [Int: (load: Load, admission: Admission, sent: Int64)] = [:]
    private var quotas = QuotaRecord(isOrdered: true)
    /// What servers say about the requests that have reached them.
    private var reports: [Int: QuotaRecord.Report] = [:]
    private var endCount = 0
    private var timer: World.Timer?
    /// The number of seconds after the last act within which every load must end.
    private static let patience = 2_000

    init(_ plan: AdmissionPlan, _ world: World) {
        (self.plan, self.world) = (plan, world)
        state = AdmissionState(policy: plan.policy)
    }

    private var now: Duration { .nanoseconds(world.elapsed) }

    func play() {
        for act in plan.acts {
            world.at(World.start + Int64(act.time) * 1_000_000) { [unowned self] in perform(act.kind) }
        }
        let end = Int64(plan.acts.last?.time ?? 0) * 1_000_000
        world.at(World.start + end + 1) { [unowned self] in endFaults() }
        world.run()
        world.expect(waiting.isEmpty && running.isEmpty, "every load is admitted or refused in the end")
        world.expect(endCount == count, "every load ends exactly once", "\(endCount) of \(count)")
    }

    // MARK: Acts

    private func perform(_ kind: AdmissionPlan.Kind) {
        switch kind {
        case .arrival(let host, let priority, let limit, let delay):
            lastPlace += 1
            let load = Load(
                origin: "https://host\(host)",
                priority: .allCases[priority],
                place: lastPlace,
                arrived: now,
                delay: plan.isDisordered ? delay : 0
            )
            arrive(load, limit)
        case .end(let index, let outcome): if let number = chosen(index, of: running) { end(number, outcome) }
        case .leaving(let index): if let number = chosen(index, of: waiting) { leave(number) }
        case .priority(let priority, let index):
            if let number = chosen(index, of: waiting) { change(number, .allCases[priority]) }
        case .pause(let isPaused):
            world.note(isPaused ? AdmissionEvent.paused : .resumed, 0, 0, isPaused ? "all wait" : "loads are sent")
            state.setPaused(isPaused, now: now)
        case .quality(let index):
            world.note(AdmissionEvent.qualityChanged, 0, index, "the network's quality is \(index)")
            state.overrideQuality(AdmissionPolicy.NetworkQuality.allCases[index], now: now)
        }
        settle()
    }

    private func chosen<Value>(_ index: Int, of loads: [Int: Value]) -> Int? {
        loads.isEmpty ? nil : loads.keys.sorted()[index % loads.count]
    }

    private func arrive(_ load: Load, _ limit: Int?) {
        count += 1
        let number = count
        world.note(AdmissionEvent.arrives, number, 0, "load \(number) to \(load.origin) arrives, \(load.priority)")
        let arrival = AdmissionState.Arrival(
            load: ObjectIdentifier(load.token),
            origin: load.origin,
            priority: load.priority,
            timeLimit: limit.map { .milliseconds($0) }
        )
        do throws(SwiftyError) {
            if let admission = try state.admitImmediately(arrival, now: now) {
                world.note(state: AdmissionFate.sentImmediately)
                send(number, load, admission)
            } else {
                beginLine(at: load.origin, load.priority)
                waiting[number] = load
                numbers[state.enqueue(arrival, now: now)] = number
            }
        } catch {
            refuse(number, error)
        }
    }

    private func end(_ number: Int, _ outcome: AdmissionPlan.Outcome) {
        guard let (load, admission, _) = running[number] else { return }
        let outcome = possible(outcome, of: number)
        if outcome.isResponse { reach(number) }
        running[number] = nil
        world.note(AdmissionEvent.responded, number, 0, "load \(number) ends: \(outcome)")
        endCount += 1
        let field = outcome.hasReport ? reports[number]?.field(at: world.now) : nil
        if field != nil, let report = reports[number] { quotas.end(load.origin, report, at: world.now) }
        let feedback = AdmissionFeedback(outcome.reported(field), state.policy) { Date(timeIntervalSince1970: 0) }
        state.release(admission, feedback, now: now)
        world.expect(admission.origin == load.origin, "an admission is of its load's host", "load \(number)")
    }

    private func leave(_ number: Int) {
        guard let own = numbers.first(where: { $0.value == number })?.key else { return }
        world.note(AdmissionEvent.leaves, number, 0, "load \(number) is cancelled")
        world.note(state: AdmissionFate.left)
        world.expect(state.leave(own, now: now), "a load that waits for admission can leave", "load \(number)")
        (waiting[number], numbers[own]) = (nil, nil)
        endCount += 1
    }

    private func change(_ number: Int, _ priority: NetworkRequest.Priority) {
        guard let load = waiting[number] else { return }
        world.note(AdmissionEvent.priorityChanged, number, priority.rawValue, "load \(number) is \(priority) now")
        if load.priority != priority {
            lastPlace += 1
            beginLine(at: load.origin, priority)
            waiting[number]?.priority = priority
            waiting[number]?.place = lastPlace
        }
        state.setPriority(priority, of: ObjectIdentifier(load.token), now: now)
    }

    /// From now on nothing is paused, and each load ends within a second.
    private func endFaults() {
        state.overrideQuality(nil, now: now)
        state.setPaused(false, now: now)
        settle()
        endAll(after: 1)
    }

    private func endAll(after seconds: Int) {
        if waiting.isEmpty && running.isEmpty || seconds > Self.patience { return }
        world.after(1_000_000_000) { [unowned self] in
            for number in running.keys.sorted() {
                end(number, .success)
                settle()
            }
            endAll(after: seconds + 1)
        }
    }

    // MARK: Decisions

    private func send(_ number: Int, _ load: Load, _ admission: Admission) {
        world.note(AdmissionEvent.sent, number, 0, "load \(number) is sent")
        world.expect(running[number] == nil, "a load is admitted once", "load \(number)")
        running[number] = (load, admission, world.now)
        if load.delay == 0 {
            reach(number, sent: nil)
        } else {
            world.after(load.delay.milliseconds) { [unowned self] in reach(number) }
        }
    }

    /// Has the server count the request of a load, if it has a quota.
    private func reach(_ number: Int) {
        reach(number, sent: running[number]?.sent)
    }

    private func reach(_ number: Int, sent: Int64?) {
        guard let quota = plan.quota, let load = running[number]?.load, reports[number] == nil else { return }
        let (report, excess) = quotas.begin(load.origin, quota, sent: sent, at: world.now)
        reports[number] = report
        let detail = excess.map { "load \(number) is number \($0)" } ?? ""
        world.expect(excess == nil, "no more is sent to a server than it has told to accept", detail)
    }

    /// An outcome with which a client can know what its server has counted: if requests arrive in any order, those that
    /// have arrived are reported.
    private func possible(_ outcome: AdmissionPlan.Outcome, of number: Int) -> AdmissionPlan.Outcome {
        if !plan.isDisordered || outcome.hasReport { return outcome }
        return outcome.isResponse || reports[number] != nil ? .success : outcome
    }

    private func refuse(_ number: Int, _ error: SwiftyError) {
        world.note(AdmissionEvent.refused, number, 0, "load \(number) fails: \(error.code)")
        world.note(state: error.code == .timedOut ? AdmissionFate.timedOut : .circuitOpen)
        let isKnown = error.code == .timedOut || error.code == .circuitOpen
        world.expect(isKnown, "admission fails a load for a limit or an open circuit", "\(error.code)")
        endCount += 1
    }

    /// Takes the decisions, checks the state, and sets the timer as the queue does.
    private func settle() {
        for decision in state.decisions {
            guard let number = numbers.removeValue(forKey: decision.number),
                let load = waiting.removeValue(forKey: number)
            else {
                world.report("a decision of admission is about a load that waits", "\(decision.number)")
                continue
            }
            switch decision.result {
            case .success(let admission):
                world.note(state: AdmissionFate.sentAfterWait)
                checkOrder(of: number, load)
                countTurns(since: load)
                send(number, load, admission)
            case .failure(let error): refuse(number, error)
            }
        }
        state.decisions = []
        check()
        if let timer { world.cancel(timer) }
        timer = state.nextDeadline().map { deadline in
            world.at(World.start + deadline.nanoseconds) { [unowned self] in
                world.note(AdmissionEvent.deadline, 0, 0, "a deadline")
                state.tick(now: now)
                settle()
            }
        }
    }
}

// MARK: Invariants

extension AdmissionHistory {
    /// A load is sent before those of its host that are less urgent or came later. It goes before its turn only if its
    /// priority has lost nine turns, and it has waited for more than twice as long as the load whose turn it would be.
    private func checkOrder(of number: Int, _ load: Load) {
        let others = waiting.values.filter { $0.origin == load.origin && $0.priority >= load.priority }
        let urgency = others.map(\.priority).max()
        guard let next = others.filter({ $0.priority == urgency }).min(by: { $0.place < $1.place }) else { return }
        let isPassedOver = lostTurns[load.origin]?[load.priority] ?? 0 >= AgeingRule.patience
        let isOld = next.priority > load.priority && isPassedOver && now - load.arrived > (now - next.arrived) * 2
        let equals = others.filter { $0.priority == load.priority }
        let isFirst = equals.allSatisfy { $0.place > load.place }
        let isInTurn = isFirst && (next.priority == load.priority || isOld)
        world.expect(isInTurn, "waiting loads are sent in their order", "load \(number)")
    }

    private func beginLine(at origin: String, _ priority: NetworkRequest.Priority) {
        let isFirst = !waiting.values.contains { $0.origin == origin && $0.priority == priority }
        if isFirst { lostTurns[origin]?[priority] = nil }
    }

    /// The priorities below that of a load that is sent lose a turn, if loads wait at them.
    private func countTurns(since load: Load) {
        lostTurns[load.origin, default: [:]][load.priority] = nil
        let others = waiting.values.filter { $0.origin == load.origin && $0.priority < load.priority }
        for priority in Set(others.map(\.priority)) { lostTurns[load.origin, default: [:]][priority, default: 0] += 1 }
    }

    /// Counts are right, limits are kept, and no load waits that could be sent.
    private func check() {
        world.expect(state.running.count == running.count, "admission counts the loads that are sent")
        world.expect(state.waiters.count == waiting.count, "admission counts the loads that wait")
        let origins = Set(waiting.values.map(\.origin))
        world.expect(Set(state.waitingOrigins) == origins, "admission knows the hosts for which loads wait")
        for (origin, host) in state.hosts {
            let count = running.values.count { $0.load.origin == origin }
            let waits = waiting.values.count { $0.origin == origin }
            world.expect(host.inFlight == count, "admission counts the loads of a host", origin)
            world.expect(host.waiting.count == waits, "admission counts the waiting loads of a host", origin)
            let limit = max(1, state.policy.maximumLoadsPerHost ?? .max)
            world.expect(count <= limit, "no more loads of a host are in flight than the limit allows", origin)
        }
        let limit = max(1, state.policy.maximumLoads ?? .max)
        world.expect(running.count <= limit, "no more loads are in flight than the limit allows")
        // What is due at this moment may come after the event that is checked.
        if let deadline = state.nextDeadline(), deadline <= now { return }
        if state.isPaused || !state.hasRoom(now: now) { return }
        for load in waiting.values where load.priority >= state.minimumPriority(now: now) {
            let hold = state.hosts[load.origin]?.hold(state.policy, now: now)
            world.expect(hold != .free, "no load waits for admission that could be sent", load.origin)
        }
    }
}

extension AdmissionPlan.Outcome {
    fileprivate var isResponse: Bool {
        switch self {
        case .success, .unavailable, .unreported: true
        case .failed, .notSent: false
        }
    }

    fileprivate var hasReport: Bool {
        switch self {
        case .success, .unavailable: true
        case .unreported, .failed, .notSent: false
        }
    }

    fileprivate func reported(_ rateLimit: String?) -> AdmissionOutcome {
        var fields = HTTPFields()
        fields[.rateLimit] = rateLimit
        if case .unavailable = self { fields[.retryAfter] = "1" }
        return switch self {
        case .success: .responded(status: 200, fields)
        case .unavailable: .responded(status: 503, fields)
        case .unreported: .responded(status: 200)
        case .failed: .failed(SwiftyError(.connectionFailed, stage: .connect))
        case .notSent: .notSent
        }
    }
}

extension AdmissionOutcome {
    fileprivate static func responded(status: Int, _ headers: HTTPFields = [:]) -> AdmissionOutcome {
        let head = ResponseHead(statusCode: status, headers: headers)
        return .responded(TransportResponse(head: head, content: Data(), metrics: TransferMetrics()))
    }
}
