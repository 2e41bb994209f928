// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

// Safety: one thread uses it. Tasks refer to it, and run on that thread too.
/// One simulated machine and its time: everything that happens in it, on one thread, in an order that its seed decides.
///
/// While ``run(until:)`` runs, the tasks of Swift belong to it, and the clocks of the process show its time.
public final class World: @unchecked Sendable {
    /// An action to come, which can be taken back.
    public struct Timer: Sendable {
        fileprivate let id: Timeline.ID
    }

    /// The time at which a world begins, in nanoseconds; not zero, as no machine's.
    public static let start: Int64 = 1_000_000_000_000

    /// The seed of this history's order.
    public let seed: UInt64
    /// The world's random numbers. Those of the plan were drawn from others.
    public var random: SimulationRandom
    /// The time, in nanoseconds.
    public private(set) var now = World.start
    /// The time of the last event, in nanoseconds.
    public private(set) var lastEvent = World.start
    /// What has happened.
    public let trace: Trace
    /// The invariants that were broken.
    public private(set) var findings: [Finding] = []
    /// The share of the steps of tasks and of other threads that come late, in per cent, and the most by which they do:
    /// a machine whose processors are busy.
    public var lag = (percent: 0, nanoseconds: Int64(0))
    /// Called after each step, to find out what it has changed.
    public var afterStep: (() -> Void)?

    private var timeline = Timeline()
    /// What can happen now.
    private var ready: [Work] = []
    private var stepCount = 0
    /// The number of steps after which a history is taken for endless. A content of 4 KB takes over 300,000 if a server
    /// makes room for one byte at a time, and says each time that it has not processed the request.
    private let stepLimit: Int

    /// Makes a world in which nothing has happened.
    public init(seed: UInt64, trace: Trace, stepLimit: Int = 2_000_000) {
        self.seed = seed
        self.trace = trace
        self.stepLimit = stepLimit
        random = SimulationRandom(seed: seed)
    }

    /// The time since the beginning, in nanoseconds.
    public var elapsed: Int64 { now - Self.start }
}

// MARK: Events

extension World {
    /// Notes an event.
    ///
    /// - Parameters:
    ///   - subject: The number of the load, the connection or whatever it happened to.
    ///   - value: What is to be in the digest beside the kind of event. Nothing that differs between processes.
    ///   - text: The event in words, for a reader.
    public func note(_ event: some EventName, _ subject: Int = 0, _ value: Int = 0, _ text: @autoclosure () -> String) {
        record(event, subject, value, text)
    }

    /// Notes an event. For functions that a scenario wraps around this, with its own type of events.
    public func record(_ event: some EventName, _ subject: Int, _ value: Int, _ text: () -> String) {
        lastEvent = now
        trace.add(event, subject, value, at: elapsed, text)
    }

    /// Counts that a machine was in a state.
    public func note(state: some EventName) {
        trace.coverage.count(state: state.rawValue)
    }

    /// Adds a line for a reader, which is no event.
    public func note(text: @autoclosure () -> String) {
        trace.add(at: elapsed, text)
    }

    /// Adds a number to the digest.
    public func addToDigest(_ number: UInt64) {
        trace.add(number)
    }
}

// MARK: Things to come

extension World {
    /// Has something happen now, before time goes on, in any order with what else happens now.
    public func soon(_ action: @escaping () -> Void) {
        ready.append(.action(action))
    }

    /// Has something happen on another thread: now, or later if the processors are busy. A thread may have several
    /// steps to do before.
    public func onAnotherThread(_ action: @escaping () -> Void) {
        perform(.action(action), after: drawLag() * 5)
    }

    /// Has something happen later.
    @discardableResult
    public func after(_ delay: Int64, _ action: @escaping () -> Void) -> Timer {
        at(now + max(0, delay), action)
    }

    /// Has something happen at a time, which is not past.
    @discardableResult
    public func at(_ time: Int64, _ action: @escaping () -> Void) -> Timer {
        Timer(id: timeline.insert(.action(action), at: max(time, now), tie: random.next()))
    }

    /// Takes an action back. Has no effect if it has happened.
    public func cancel(_ timer: Timer) {
        timeline.cancel(timer.id)
    }

    /// Takes a part of a task.
    func enqueue(_ job: UnownedJob, after delay: Int64) {
        perform(.job(job), after: delay + drawLag())
    }

    private func drawLag() -> Int64 {
        guard lag.percent > 0, random.chance(lag.percent) else { return 0 }
        return Int64(random.below(Int(lag.nanoseconds) + 1))
    }

    private func perform(_ work: Work, after delay: Int64) {
        if delay == 0 { return ready.append(work) }
        _ = timeline.insert(work, at: now + delay, tie: random.next())
    }
}

// MARK: Time

extension World {
    /// The world that tasks belong to.
    // Safety: set and read on the one thread of the simulation.
    nonisolated(unsafe) private static var current: World?

    /// Runs until there is nothing left to do, until this time, or until a condition holds.
    ///
    /// - Returns: Whether there is nothing left to do.
    @discardableResult
    public func run(until limit: Int64 = .max, or isOver: () -> Bool = { false }) -> Bool {
        let outer = Self.current
        enter()
        defer { leave(to: outer) }
        while !isOver(), step(until: limit) {
            afterStep?()
            stepCount += 1
            guard stepCount <= stepLimit else {
                report("a history ends", "\(stepLimit) steps have not ended it")
                return false
            }
        }
        return ready.isEmpty && timeline.earliest == nil
    }

    private func enter() {
        Self.takeJobs
        Self.current = self
        simulation_set_time(now)
        simulation_set_seed(random.next())
    }

    private func leave(to outer: World?) {
        Self.current = outer
        simulation_end_time()
        simulation_end_seed()
    }

    /// Returns `false` if nothing is left to do until then.
    private func step(until limit: Int64) -> Bool {
        if let work = takeReady() {
            work.run()
            return true
        }
        guard let time = timeline.earliest, time <= limit else {
            if limit != .max { setTime(max(now, limit)) }
            return false
        }
        setTime(time)
        timeline.popFirst()?.run()
        return true
    }

    private func setTime(_ time: Int64) {
        now = time
        simulation_set_time(time)
    }

    private func takeReady() -> Work? {
        guard !ready.isEmpty else { return nil }
        if ready.count == 1 { return ready.removeLast() }
        ready.swapAt(random.below(ready.count), ready.count - 1)
        return ready.removeLast()
    }

    private static let takeJobs: Void = simulation_take_jobs { job, delay in
        // Safety: a job is one pointer, and the library gives each to the hook once. One that comes after the end of
        // its history is never run.
        guard let job else { return }
        World.current?.enqueue(unsafeBitCast(job, to: UnownedJob.self), after: delay)
    }
}

// MARK: Invariants

extension World {
    /// Reports that an invariant is broken, unless it is not.
    public func expect(_ isTrue: Bool, _ invariant: String, _ text: @autoclosure () -> String = "") {
        if !isTrue { report(invariant, text()) }
    }

    /// Reports that an invariant is broken. One sentence names the invariant, another one says how it was broken.
    public func report(_ invariant: String, _ text: String) {
        findings.append(Finding(invariant: invariant, text: text, time: elapsed))
        note(text: "BROKEN: \(invariant): \(text)")
    }
}

/// An invariant that a history has broken.
public struct Finding: Sendable {
    /// The sentence that is not true, the same for each history that breaks it.
    public let invariant: String
    /// How it was broken.
    public let text: String
    /// The time since the history's beginning, in nanoseconds.
    public let time: Int64
}
