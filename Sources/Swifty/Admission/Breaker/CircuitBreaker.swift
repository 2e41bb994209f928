// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The circuit breaker of one origin: outcome in, decision out.
struct CircuitBreaker {
    /// What an outcome says about the origin.
    enum Verdict {
        case success
        case failure
        /// Nothing: the load was cancelled, or never sent.
        case neutral
    }

    /// What the breaker lets through.
    enum Position: Equatable {
        case closed
        case open(until: Duration)
        case halfOpen(probing: Int, succeeded: Int)
    }

    private(set) var position = Position.closed
    /// Rises whenever the position changes: outcomes of loads that were sent before that do not count.
    private(set) var era = 0
    private var window: OutcomeWindow
    private let policy: AdmissionPolicy.CircuitBreaker

    init(_ policy: AdmissionPolicy.CircuitBreaker) {
        self.policy = policy
        window = OutcomeWindow(length: policy.window)
    }

    /// Whether a load must fail now.
    func refuses(now: Duration) -> Bool {
        switch position {
        case .closed: false
        case .open(let end): now < end
        case .halfOpen(let probing, let succeeded): probing + succeeded >= max(policy.probes, 1)
        }
    }

    /// Counts a load that is sent; the breaker must not refuse it.
    ///
    /// - Returns: the era to report the outcome with.
    mutating func take(now: Duration) -> Int {
        if case .open(let end) = position, now >= end { move(to: .halfOpen(probing: 0, succeeded: 0)) }
        if case .halfOpen(let probing, let succeeded) = position {
            position = .halfOpen(probing: probing + 1, succeeded: succeeded)
        }
        return era
    }

    /// Learns how a load ended.
    mutating func record(_ verdict: Verdict, era: Int, now: Duration) {
        guard era == self.era else { return }
        switch position {
        case .closed: recordClosed(verdict, now)
        case .open: break
        case .halfOpen(let probing, let succeeded): recordProbe(verdict, probing - 1, succeeded, now)
        }
    }

    /// Whether there is nothing to remember.
    func isForgettable(now: Duration) -> Bool {
        position == .closed && window.counts(now: now).failures == 0
    }

    private mutating func recordClosed(_ verdict: Verdict, _ now: Duration) {
        guard verdict != .neutral else { return }
        window.add(isFailure: verdict == .failure, now: now)
        guard verdict == .failure else { return }
        let (failures, total) = window.counts(now: now)
        if failures >= max(policy.failures, 1), Double(failures) >= policy.failureRate * Double(total) { open(now) }
    }

    private mutating func recordProbe(_ verdict: Verdict, _ probing: Int, _ succeeded: Int, _ now: Duration) {
        switch verdict {
        case .failure: open(now)
        case .neutral: position = .halfOpen(probing: probing, succeeded: succeeded)
        case .success where succeeded + 1 >= max(policy.probes, 1): move(to: .closed)
        case .success: position = .halfOpen(probing: probing, succeeded: succeeded + 1)
        }
    }

    private mutating func open(_ now: Duration) {
        move(to: .open(until: now + policy.openDuration))
    }

    private mutating func move(to position: Position) {
        self.position = position
        era += 1
        window = OutcomeWindow(length: policy.window)
    }
}
