// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The state of admission for one origin: event in, decision out.
struct HostState {
    /// The time at which the next load may be sent.
    enum Hold: Equatable {
        /// Now.
        case free
        /// When a load in flight has ended.
        case untilRelease
        /// At the given time.
        case until(Duration)
        /// Not at all; the load must fail.
        case refused
    }

    var waiting = WaitingLoads()
    /// The number of more urgent loads of other hosts that were sent since one of this host was.
    var passedOver = 0
    /// The deadline at which the host is examined again.
    var deadline: Duration?
    private(set) var inFlight = 0
    /// The number of loads that were counted; it wraps around.
    private var count: UInt32 = 0
    private(set) var breaker: CircuitBreakerState?
    private var bucket: TokenBucket?
    private var learned: LearnedRateLimit?
    private var backoff = HostBackoff()

    init(_ policy: AdmissionPolicy) {
        bucket = policy.rateLimit.map(TokenBucket.init)
        breaker = policy.circuitBreaker.map(CircuitBreakerState.init)
    }

    /// Decides whether a load may be sent now, and otherwise when.
    func hold(_ policy: AdmissionPolicy, now: Duration) -> Hold {
        if breaker?.refuses(now: now) == true { return .refused }
        let heldUntil = heldUntil(now: now)
        if heldUntil > now { return .until(heldUntil) }
        return inFlight < limit(policy, now) ? .free : .untilRelease
    }

    /// The time until which nothing may be sent; in the past if a load may be sent now.
    func heldUntil(now: Duration) -> Duration {
        max(bucket?.nextAt ?? .zero, max(learned?.heldUntil(now: now) ?? .zero, backoff.until))
    }

    /// Counts a load that is sent.
    ///
    /// - Returns: The generation of the circuit breaker, and the number of loads so far.
    mutating func take(now: Duration) -> (generation: Int32, count: UInt32) {
        inFlight += 1
        count &+= 1
        passedOver = 0
        bucket?.take(now: now)
        learned?.take()
        return (Int32(truncatingIfNeeded: breaker?.take(now: now) ?? 0), count)
    }

    /// Counts the end of a counted load.
    mutating func release() {
        inFlight -= 1
    }

    /// Learns from the outcome of a load, counted or not.
    mutating func learn(_ feedback: AdmissionFeedback, admission: Admission, policy: AdmissionPolicy, now: Duration) {
        if admission.number != 0 { breaker?.record(feedback.verdict, generation: Int(admission.generation), now: now) }
        if feedback.isSuccess, admission.number != 0 { backoff.succeed(sentAt: admission.time) }
        if let report = feedback.rateLimit { learn(report, admission, longestHold: policy.longestHold, now: now) }
        if let pause = feedback.pause { backoff.hold(for: pause, now: now) }
    }

    private mutating func learn(
        _ report: ReportedRateLimit,
        _ admission: Admission,
        longestHold: Duration,
        now: Duration
    ) {
        let isCounted = admission.number != 0
        // Those that were sent later are not in the report, whether or not they have ended.
        let later = isCounted ? Int(count &- admission.count) : 0
        var next = LearnedRateLimit(report, unreported: max(inFlight, later), now: now, longestHold: longestHold)
        next.count = count
        // The server may have seen a request that was in flight at the last report before the one of that report. What
        // was not counted was sent before anything was learned.
        let isLater = isCounted && learned.map { Int32(bitPattern: admission.count &- $0.count) > 0 } ?? true
        learned = isLater ? next : learned?.lowered(to: next, now: now) ?? next
    }

    /// Whether a new state would decide the same.
    func isForgettable(_ policy: AdmissionPolicy, now: Duration) -> Bool {
        let isIdle = inFlight == 0 && waiting.isEmpty && (bucket?.fullAt ?? .zero) <= now
        guard isIdle, backoff.isForgettable(now: now, after: policy.longestHold) else { return false }
        guard learned?.isForgettable(now: now, after: policy.longestHold) ?? true else { return false }
        return breaker?.isForgettable(now: now) ?? true
    }

    private func limit(_ policy: AdmissionPolicy, _ now: Duration) -> Int {
        if backoff.isSerial || learned?.isProbing(now: now) == true { return 1 }
        return policy.maximumLoadsPerHost.map { max($0, 1) } ?? .max
    }
}

/// The pause that an origin has asked for, and the careful restart after it.
struct HostBackoff {
    private(set) var until: Duration = .zero
    /// Whether loads go one at a time, until one succeeds.
    private(set) var isSerial = false

    /// Begins or extends the pause.
    mutating func hold(for pause: Duration, now: Duration) {
        until = max(until, now + pause)
        isSerial = true
    }

    /// Ends the careful restart after a success. A load that was sent before the end of the pause does not count.
    mutating func succeed(sentAt: Duration) {
        if sentAt >= until { isSerial = false }
    }

    /// Whether the pause no longer decides anything; the careful restart ends by itself after a quiet time.
    func isForgettable(now: Duration, after quiet: Duration) -> Bool {
        now >= until && (!isSerial || now >= until + quiet)
    }
}
