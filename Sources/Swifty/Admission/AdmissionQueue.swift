// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Date

/// Holds loads back until they may be sent; see ``AdmissionPolicy``.
///
/// ``AdmissionState`` makes all decisions, under one lock; this class has the continuations and the clock. While no
/// limit is set, no host is held back and nothing is paused, `admit` touches only two atomic values, and so does
/// `release`, unless the outcome has a pause, a rate limit or a measurement of the network to record.
final class AdmissionQueue: Sendable {
    private typealias Continuation = CheckedContinuation<Result<Admission, SwiftyError>, Never>
    private typealias Ending = (continuation: Continuation, result: Result<Admission, SwiftyError>)

    private struct Guarded {
        var state: AdmissionState
        var continuations: [Int: Continuation] = [:]
        var timer: LoadClock.Timer?

        /// Removes the decisions, each with the continuation that waits for it.
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
    /// The number of uncounted loads in flight.
    private let uncounted = Atomic<Int>(0)
    private let qualityBroadcast: QualityBroadcast
    private let onCircuitChange: @Sendable (AdmissionQueue, _ origin: String) -> Void

    /// - Parameters:
    ///   - policy: The limits.
    ///   - clock: The clock of waits and pauses.
    ///   - date: The wall clock, for a `Retry-After` that is a date.
    ///   - onCircuitChange: Called after a circuit breaker has opened, lets probes pass, or has closed.
    init(
        policy: AdmissionPolicy,
        clock: LoadClock,
        date: @escaping @Sendable () -> Date = { Date() },
        onCircuitChange: @escaping @Sendable (AdmissionQueue, _ origin: String) -> Void = { _, _ in }
    ) {
        let state = AdmissionState(policy: policy)
        self.policy = policy
        self.clock = clock
        self.date = date
        isOpen = Atomic(state.isIdle)
        guarded = Mutex(Guarded(state: state))
        qualityBroadcast = QualityBroadcast(clock)
        self.onCircuitChange = onCircuitChange
    }

    deinit {
        guarded.withLock { $0.timer }?.cancel()
    }

    /// Admits a request while admissions are not counted. Otherwise returns `false`, and the caller has to use
    /// ``admit(_:cancellation:timeLimit:onWait:)``.
    func admitUncounted() -> Bool {
        guard isOpen.load(ordering: .acquiring) else { return false }
        uncounted.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    /// Admits a request; suspends only if it has to wait.
    ///
    /// - Parameters:
    ///   - request: The request to send; its origin and its priority count.
    ///   - cancellation: Ends the wait. The handler on it is removed when this method returns or throws.
    ///   - timeLimit: The time that is left for the whole load.
    ///   - onWait: Called before a wait.
    /// - Throws: ``SwiftyError`` of the stage `queue`: cancelled, timed out, or the circuit is open. Nothing was sent,
    ///   and there is nothing to release.
    func admit(
        _ request: NetworkRequest,
        cancellation: LoadCancellation,
        timeLimit: Duration? = nil,
        onWait: () -> Void = {}
    ) async throws(SwiftyError) -> Admission {
        if admitUncounted() { return Admission(origin: request.target.origin) }
        if let code = cancellation.code { throw Self.error(code) }
        let arrival = AdmissionState.Arrival(
            load: ObjectIdentifier(cancellation),
            origin: request.target.origin,
            priority: request.priority,
            timeLimit: timeLimit
        )
        if let admission = try admitImmediately(arrival) { return admission }
        onWait()
        return try await wait(arrival, cancellation)
    }

    /// Releases an admission that was not counted, and reports the outcome.
    func releaseUncounted(_ request: NetworkRequest, after response: TransportResponse) {
        if policy.learnsRateLimits || AdmissionFeedback.isRecorded(of: response) {
            release(Admission(origin: request.target.origin), .responded(response))
        } else {
            uncounted.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Releases an admission and reports the outcome. Must be called exactly once for each admission.
    // Not inlined; see Load+Run.swift.
    @inline(never)
    func release(_ admission: Admission, _ outcome: AdmissionOutcome) {
        let feedback = AdmissionFeedback(outcome, policy, date: date)
        if admission.number == 0 {
            uncounted.wrappingSubtract(1, ordering: .relaxed)
            if !feedback.mustBeRecorded { return }
        }
        update { $0.release(admission, feedback, now: $1) }
        if feedback.sample != nil { qualityBroadcast.update(qualityReader) }
    }

    /// Changes the priority of a load, if it is waiting.
    func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {
        update { $0.setPriority(priority, of: ObjectIdentifier(load), now: $1) }
    }

    /// Admits nothing until ``resume()``. Cancellation and timeouts still work.
    func pause() {
        update { $0.setPaused(true, now: $1) }
    }

    /// Admits loads again after ``pause()``.
    func resume() {
        update { $0.setPaused(false, now: $1) }
    }

    /// The quality of the network as a whole.
    var quality: AdmissionPolicy.NetworkQuality {
        guarded.withLock { $0.state.quality.quality(now: clock.now()) }
    }

    /// The quality of the network to one origin (`https://example.com`).
    func quality(ofHost origin: String) -> AdmissionPolicy.NetworkQuality {
        guarded.withLock { $0.state.quality.quality(of: origin, now: clock.now()) }
    }

    /// Sets the quality, whatever is measured; `nil` returns to the measured one.
    func overrideQuality(_ quality: AdmissionPolicy.NetworkQuality?) {
        update { $0.overrideQuality(quality, now: $1) }
        qualityBroadcast.update(qualityReader)
    }

    /// The quality of the network as a whole, after the last measurement. Takes no lock.
    func latestQuality(now: Duration) -> NetworkQuality { qualityBroadcast.quality(now: now) }

    /// The quality of the network as a whole, and each change of it, until the queue is released.
    var qualityChanges: AsyncStream<NetworkQuality> { qualityBroadcast.stream(qualityReader) }

    private var qualityReader: QualityBroadcast.Reader {
        { [weak self] in
            self?.guarded.withLock { guarded in
                let quality = guarded.state.quality
                guard let now = self?.clock.now() else { return nil }
                return QualityBroadcast.Report(quality: quality.quality(now: now), expiry: quality.expiry)
            }
        }
    }

    /// The state of the circuit breaker of an origin.
    func circuit(of origin: String) -> AdmissionPolicy.CircuitBreaker.State {
        guarded.withLock { $0.state.circuit(of: origin, now: clock.now()) }
    }

    /// The numbers of loads in flight and waiting.
    var statistics: Swifty.AdmissionStatistics {
        var statistics = guarded.withLock { $0.state.statistics(now: clock.now()) }
        statistics.inFlight += uncounted.load(ordering: .relaxed)
        return statistics
    }
}

extension AdmissionQueue {
    private func admitImmediately(_ arrival: AdmissionState.Arrival) throws(SwiftyError) -> Admission? {
        let (admission, circuits) = try guarded.withLock { guarded throws(SwiftyError) in
            defer { isOpen.store(guarded.state.isIdle, ordering: .releasing) }
            let admission = try guarded.state.admitImmediately(arrival, now: clock.now())
            return (admission, guarded.state.changedCircuits.removeAllIfAny())
        }
        for origin in circuits { onCircuitChange(self, origin) }
        return admission
    }

    private func wait(
        _ arrival: AdmissionState.Arrival,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> Admission {
        var registration: LoadCancellation.Registration?
        let result = await withCheckedContinuation { continuation in
            let number = change { guarded, now in
                let number = guarded.state.enqueue(arrival, now: now)
                guarded.continuations[number] = continuation
                return number
            }
            registration = cancellation.onCancel { [self] code in cancel(number, code) }
        }
        cancellation.remove(registration)
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

    /// Applies an event, sets the timer, and resumes the loads whose wait has ended.
    private func change<Value>(_ event: (inout Guarded, Duration) -> Value) -> Value {
        let (value, endings, circuits, oldTimer) = guarded.withLock { guarded in
            let value = event(&guarded, clock.now())
            let endings = guarded.takeEndings()
            let circuits = guarded.state.changedCircuits.removeAllIfAny()
            let oldTimer = setTimer(&guarded)
            isOpen.store(guarded.state.isIdle, ordering: .releasing)
            return (value, endings, circuits, oldTimer)
        }
        oldTimer?.cancel()
        for ending in endings { ending.continuation.resume(returning: ending.result) }
        for origin in circuits { onCircuitChange(self, origin) }
        return value
    }

    /// Starts a timer unless one is running that fires early enough. A timer that fires too early is set again then.
    ///
    /// - Returns: The replaced timer, which the caller cancels outside the lock.
    private func setTimer(_ guarded: inout Guarded) -> LoadClock.Timer? {
        guard let time = guarded.state.nextDeadline() else { return nil }
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
        SwiftyError(code, stage: .queue, reason: code.cancellationReason)
    }
}

extension [String] {
    /// Removes and returns all elements.
    fileprivate mutating func removeAllIfAny() -> [String] {
        if isEmpty { return [] }
        defer { removeAll() }
        return self
    }
}
