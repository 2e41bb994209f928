// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// A circuit breaker: leaves a failing origin alone for a while, so that callers fail immediately and it can
    /// recover.
    ///
    /// A failure is an error of the connection, a timeout, a malformed response, or a response with a status of 500 or
    /// above. The breaker opens when the window has enough failures and they are at least the given share of all
    /// outcomes. While it is open, loads fail with ``SwiftyError/Code/circuitOpen`` and nothing is sent. After
    /// ``openDuration`` it is half open: a few loads are sent as probes. When all of them succeed, it closes; when one
    /// fails, it opens again.
    public struct CircuitBreaker: Sendable, Hashable {
        /// The state of the breaker of one origin.
        public enum State: String, Sendable, Hashable, CaseIterable {
            /// Loads are sent.
            case closed
            /// Loads fail, and nothing is sent.
            case open
            /// A few loads are sent as probes; the others fail.
            case halfOpen
        }

        /// The number of failures that opens the breaker, at least 1.
        public var failures: Int
        /// The time for which failures count.
        public var window: Duration
        /// The share of outcomes in the window, 0...1, that must also have failed.
        public var failureRate: Double
        /// The time for which nothing is sent.
        public var openDuration: Duration
        /// The number of loads, at least 1, that must then succeed before the breaker closes.
        public var probes: Int

        /// Makes a circuit breaker: by default, 5 failures within 10 s open it for 30 s if at least half of all failed.
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

/// The state of the circuit breaker of one origin: outcome in, decision out.
struct CircuitBreakerState {
    /// The judgement of an outcome.
    enum Verdict {
        case success
        case failure
        /// No evidence about the origin, such as a cancellation.
        case neutral
    }

    /// The state of the breaker: loads pass, fail, or pass as probes.
    enum Position: Equatable {
        case closed
        case open(until: Duration)
        case halfOpen(probing: Int, succeeded: Int)
    }

    private(set) var position = Position.closed

    /// The state at a time: after its time, an open breaker lets probes pass, whether or not one has come.
    func state(now: Duration) -> AdmissionPolicy.CircuitBreaker.State {
        switch position {
        case .closed: .closed
        case .open(let end): now < end ? .open : .halfOpen
        case .halfOpen: .halfOpen
        }
    }
    /// Increases with each change of the position. Outcomes of loads that were sent before the change do not count.
    private(set) var generation = 0
    private var window: OutcomeWindow
    private let policy: AdmissionPolicy.CircuitBreaker

    init(_ policy: AdmissionPolicy.CircuitBreaker) {
        self.policy = policy
        window = OutcomeWindow(length: policy.window)
    }

    /// Whether loads must fail now.
    func refuses(now: Duration) -> Bool {
        switch position {
        case .closed: false
        case .open(let end): now < end
        case .halfOpen(let probing, let succeeded): probing + succeeded >= max(policy.probes, 1)
        }
    }

    /// Counts a load that is sent; the breaker must not refuse it.
    ///
    /// - Returns: The generation, to be reported with the outcome.
    mutating func take(now: Duration) -> Int {
        if case .open(let end) = position, now >= end { move(to: .halfOpen(probing: 0, succeeded: 0)) }
        if case .halfOpen(let probing, let succeeded) = position {
            position = .halfOpen(probing: probing + 1, succeeded: succeeded)
        }
        return generation
    }

    mutating func record(_ verdict: Verdict, generation: Int, now: Duration) {
        guard generation == self.generation else { return }
        switch position {
        case .closed: recordClosed(verdict, now)
        case .open: break
        case .halfOpen(let probing, let succeeded):
            recordProbe(verdict, probing: probing - 1, succeeded: succeeded, now: now)
        }
    }

    /// Whether a new breaker would decide the same.
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

    private mutating func recordProbe(_ verdict: Verdict, probing: Int, succeeded: Int, now: Duration) {
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
        generation += 1
        window = OutcomeWindow(length: policy.window)
    }
}

/// Counts outcomes in a sliding window of ten steps, in constant space.
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

    /// The counts within the window that ends now.
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
