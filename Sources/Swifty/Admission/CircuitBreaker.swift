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

extension AdmissionPolicy {
    /// When an origin that keeps failing is left alone for a while, so that callers learn at once and it can recover.
    ///
    /// A failure is an error of the connection, a timeout, or a response with a status of 500 or above. The breaker opens when
    /// there were enough failures within the window and they are at least the given share of all outcomes. While it is open,
    /// loads fail with ``SwiftyError/Code/circuitOpen`` and nothing is sent. After that time it is half open: a few loads are
    /// let through as probes. When all of them succeed it closes; when one fails it opens again.
    public struct CircuitBreaker: Sendable, Hashable {
        /// How many failures open the breaker, at least 1.
        public var failures: Int
        /// The time within which they count.
        public var window: Duration
        /// The share of all outcomes within the window that must have failed too, 0...1.
        public var failureRate: Double
        /// How long nothing is sent.
        public var openDuration: Duration
        /// How many loads are let through afterwards, to see whether the origin has recovered; at least 1.
        public var probes: Int

        /// Makes a policy.
        public init(
            failures: Int = 5,
            within window: Duration = .seconds(10),
            failureRate: Double = 0.5,
            openDuration: Duration = .seconds(30),
            probes: Int = 1
        ) {
            self.failures = failures
            self.window = window
            self.failureRate = failureRate
            self.openDuration = openDuration
            self.probes = probes
        }
    }
}

/// Counts outcomes within a sliding time, in ten steps: however many there are, it takes the same space.
struct OutcomeWindow {
    private struct Step {
        var index: Int64 = -1
        var failures = 0
        var total = 0
    }

    private static let stepCount = 10
    private let stepLength: Duration
    private var steps: [Step] = []

    init(length: Duration) {
        stepLength = max(length / Self.stepCount, .milliseconds(1))
    }

    mutating func add(isFailure: Bool, now: Duration) {
        if steps.isEmpty { steps = Array(repeating: Step(), count: Self.stepCount) }
        let index = step(at: now)
        let slot = Int(index % Int64(Self.stepCount))
        if steps[slot].index != index { steps[slot] = Step(index: index) }
        steps[slot].total += 1
        if isFailure { steps[slot].failures += 1 }
    }

    /// What was counted within the window that ends now.
    func counts(now: Duration) -> (failures: Int, total: Int) {
        let oldest = step(at: now) - Int64(Self.stepCount)
        return steps.reduce(into: (0, 0)) { sum, step in
            if step.index > oldest { sum = (sum.0 + step.failures, sum.1 + step.total) }
        }
    }

    private func step(at now: Duration) -> Int64 {
        max(0, Int64(now / stepLength))
    }
}
