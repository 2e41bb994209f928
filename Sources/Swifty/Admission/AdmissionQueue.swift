// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Date

/// Holds loads back until they may be sent, and gives each one its place; see ``AdmissionPolicy``.
///
/// All decisions are made by ``AdmissionState`` under one lock; this class has the continuations and the clock. While no
/// limit is set, no host is held back and nothing is paused, `admit` and `release` touch two atomic values only.
final class AdmissionQueue: Sendable {
    private typealias Continuation = CheckedContinuation<Result<Admission, SwiftyError>, Never>
    private typealias Ending = (continuation: Continuation, result: Result<Admission, SwiftyError>)

    private struct Guarded {
        var state: AdmissionState
        var continuations: [Int: Continuation] = [:]
        var timer: LoadClock.Timer?

        /// The waits that are over, each with its result.
        mutating func takeEndings() -> [Ending] {
            if state.decisions.isEmpty { return [] }
            defer { state.decisions = [] }
            return state.decisions.compactMap { decision in
                continuations.removeValue(forKey: decision.number).map { ($0, decision.result) }
            }
        }
    }

    let policy: AdmissionPolicy
    private let clock: LoadClock
    private let date: @Sendable () -> Date
    private let guarded: Mutex<Guarded>
    /// Whether loads may pass uncounted.
    private let isOpen: Atomic<Bool>
    private let uncounted = Atomic<Int>(0)

    /// - Parameters:
    ///   - policy: What to decide by.
    ///   - clock: Measures waits and pauses.
    ///   - date: The wall clock, for a `Retry-After` that is a date.
    init(
        policy: AdmissionPolicy,
        clock: LoadClock,
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        let state = AdmissionState(policy: policy)
        self.policy = policy
        self.clock = clock
        self.date = date
        isOpen = Atomic(state.isIdle)
        guarded = Mutex(Guarded(state: state))
    }

    deinit {
        guarded.withLock { $0.timer }?.cancel()
    }

    /// A place as long as places are not counted; `nil` if ``admit(_:cancellation:timeLimit:onWait:)`` must be asked.
    func admitUncounted(_ request: NetworkRequest) -> Admission? {
        guard isOpen.load(ordering: .acquiring) else { return nil }
        uncounted.wrappingAdd(1, ordering: .relaxed)
        return Admission(origin: request.target.origin)
    }

    /// Waits for a place; suspends only when there is none.
    ///
    /// - Parameters:
    ///   - request: What is to be sent; its origin and its priority count.
    ///   - cancellation: Ends the wait. Its handler is free again when this returns or throws.
    ///   - timeLimit: How long the whole load may still take.
    ///   - onWait: Called if the load has to wait, before it does.
    /// - Throws: ``SwiftyError`` of the stage `queue`: cancelled, timed out, or the circuit is open. Nothing was sent, and
    ///   there is nothing to release.
    nonisolated(nonsending) func admit(
        _ request: NetworkRequest,
        cancellation: LoadCancellation,
        timeLimit: Duration? = nil,
        onWait: () -> Void = {}
    ) async throws(SwiftyError) -> Admission {
        if let admission = admitUncounted(request) { return admission }
        if let code = cancellation.code { throw Self.error(code) }
        let arrival = AdmissionState.Arrival(
            load: ObjectIdentifier(cancellation),
            origin: request.target.origin,
            priority: request.priority,
            timeLimit: timeLimit
        )
        if let admission = try admitAtOnce(arrival) { return admission }
        onWait()
        return try await wait(arrival, cancellation)
    }

    /// Gives a place back, with what came of it; to be called exactly once for each admission.
    // Kept out of the frames of waiting loads; see LoadPipeline.
    @inline(never)
    func release(_ admission: Admission, _ outcome: AdmissionOutcome) {
        let feedback = AdmissionFeedback(outcome, policy, date: date)
        if admission.number == 0 {
            uncounted.wrappingSubtract(1, ordering: .relaxed)
            if !feedback.isNoteworthy { return }
        }
        update { $0.release(admission, feedback, now: $1) }
    }

    /// Changes how urgent a load is, if it waits now.
    func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {
        update { $0.setPriority(priority, of: ObjectIdentifier(load), now: $1) }
    }

    /// Admits nothing until ``resume()``. Cancellation and timeouts still work.
    func pause() {
        update { $0.setPaused(true, now: $1) }
    }

    /// Goes on after ``pause()``.
    func resume() {
        update { $0.setPaused(false, now: $1) }
    }

    /// The quality of the network as a whole.
    var quality: AdmissionPolicy.NetworkQuality {
        guarded.withLock { $0.state.quality.quality(now: clock.now()) }
    }

    /// The quality of the way to one origin (`https://example.com`).
    func quality(ofHost origin: String) -> AdmissionPolicy.NetworkQuality {
        guarded.withLock { $0.state.quality.quality(of: origin, now: clock.now()) }
    }

    /// Says what the quality is, whatever is measured; `nil` to go back to the measurement.
    func overrideQuality(_ quality: AdmissionPolicy.NetworkQuality?) {
        update { $0.overrideQuality(quality, now: $1) }
    }

    /// How many loads are in flight and how many wait.
    var statistics: Swifty.AdmissionStatistics {
        var statistics = guarded.withLock { $0.state.statistics(now: clock.now()) }
        statistics.inFlight += uncounted.load(ordering: .relaxed)
        return statistics
    }
}

extension AdmissionQueue {
    private func admitAtOnce(_ arrival: AdmissionState.Arrival) throws(SwiftyError) -> Admission? {
        try guarded.withLock { guarded throws(SwiftyError) in
            defer { isOpen.store(guarded.state.isIdle, ordering: .releasing) }
            return try guarded.state.admitAtOnce(arrival, now: clock.now())
        }
    }

    private func wait(
        _ arrival: AdmissionState.Arrival,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> Admission {
        let result = await withCheckedContinuation { continuation in
            let number = change { guarded, now in
                let number = guarded.state.wait(arrival, now: now)
                guarded.continuations[number] = continuation
                return number
            }
            cancellation.onCancel { [self] code in cancel(number, code) }
        }
        cancellation.onCancel(nil)
        let admission = try result.get()
        if let code = cancellation.code {
            release(admission, .notSent)
            throw Self.error(code)
        }
        return admission
    }

    private func cancel(_ number: Int, _ code: SwiftyError.Code) {
        let continuation = change { guarded, now in
            guarded.state.leave(number, now: now) ? guarded.continuations.removeValue(forKey: number) : nil
        }
        continuation?.resume(returning: .failure(Self.error(code)))
    }

    private func update(_ event: (inout AdmissionState, Duration) -> Void) {
        change { guarded, now in event(&guarded.state, now) }
    }

    /// Applies an event, sets the timer, and tells those who wait what was decided about them.
    private func change<Value>(_ event: (inout Guarded, Duration) -> Value) -> Value {
        let (value, endings, oldTimer) = guarded.withLock { guarded in
            let value = event(&guarded, clock.now())
            let endings = guarded.takeEndings()
            let oldTimer = setTimer(&guarded)
            isOpen.store(guarded.state.isIdle, ordering: .releasing)
            return (value, endings, oldTimer)
        }
        oldTimer?.cancel()
        for ending in endings { ending.continuation.resume(returning: ending.result) }
        return value
    }

    /// Starts a timer if the one that runs, if any, would ring too late. One that rings early is set again then.
    ///
    /// - Returns: the timer that is to be cancelled.
    private func setTimer(_ guarded: inout Guarded) -> LoadClock.Timer? {
        guard let time = guarded.state.nextAlarm() else { return nil }
        let old = guarded.timer
        if let old, old.time <= time { return nil }
        guarded.timer = clock.timer(at: time) { [weak self] in self?.ring(time) }
        return old
    }

    private func ring(_ time: Duration) {
        change { guarded, now in
            if guarded.timer?.time == time { guarded.timer = nil }
            guarded.state.tick(now: now)
        }
    }

    private static func error(_ code: SwiftyError.Code) -> SwiftyError {
        SwiftyError(code, stage: .queue, reason: code.explanation)
    }
}
