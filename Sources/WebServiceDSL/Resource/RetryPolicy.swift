// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Whether a failed attempt is followed by another, and when.
///
/// Set it on a `Swifty` for all of its requests, or with `retry(_:)` on one. What may be repeated is not a matter of taste but of
/// the replay rule, which no policy can widen:
///
/// - an attempt that certainly did not reach the server (`notSent`) may be repeated with any method;
/// - one that may have (`maybeSent`), or whose answer was cut off, only if the method is idempotent or the request has an
///   `Idempotency-Key`;
/// - one that the server answered, only if the policy names the status, and by the same rule as above unless the status
///   says that nothing was done (408, 421, 425, 429, 503).
///
/// A status that the policy names is tried again even if the request accepts it (`validate(status:)`). When no attempt is left,
/// the last response is delivered as validation says.
///
/// All retries to one host share a budget: see ``RetryPolicy/Budget``. The time limit of the whole call covers all
/// attempts and the waits between them; a wait that would exceed it is not begun.
public struct RetryPolicy: Sendable {
    /// How many attempts are made at most, the first one included.
    public var maximumAttempts: Int
    /// How long to wait between attempts.
    public var backoff: Backoff
    /// The statuses that are tried again, whether or not the request accepts them.
    public var statuses: Set<Int>
    /// Whether failed transfers are tried again: no connection, a lost one, a phase that took too long.
    public var retriesTransferFailures: Bool
    /// The longest wait that a server's `Retry-After` can cause (RFC 9110 §10.2.3).
    public var maximumRetryAfter: Duration
    /// Decides in place of the rules above, but not of the replay rule; `nil` unless you need it.
    ///
    /// Asked after each attempt that failed or that was answered with a status which is not accepted or is in ``statuses``.
    public var decide: (@Sendable (Context) async -> Decision)?

    /// Makes a policy; what is not given is as in ``standard``.
    public init(
        maximumAttempts: Int = 3,
        backoff: Backoff = Backoff(),
        statuses: Set<Int> = Self.standardStatuses,
        retriesTransferFailures: Bool = true,
        maximumRetryAfter: Duration = .seconds(60),
        decide: (@Sendable (Context) async -> Decision)? = nil
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.statuses = statuses
        self.retriesTransferFailures = retriesTransferFailures
        self.maximumRetryAfter = maximumRetryAfter
        self.decide = decide
    }

    /// 408, 421, 425, 429, 500, 502, 503, 504. A 421 is tried again once, on a new connection.
    public static let standardStatuses: Set<Int> = [408, 421, 425, 429, 500, 502, 503, 504]

    /// Up to three attempts, with full jitter.
    public static let standard = RetryPolicy()
    /// One attempt.
    public static let none = RetryPolicy(maximumAttempts: 1)
}

extension RetryPolicy {
    /// The wait between attempts: exponential, with full jitter.
    ///
    /// The wait before retry *n* is a random time between zero and `initial × multiplierⁿ⁻¹`, at most `maximum`. Randomness over the
    /// whole range is what keeps the clients of a recovering server from coming back all at once.
    public struct Backoff: Sendable, Hashable {
        /// The upper end of the wait before the first retry.
        public var initial: Duration
        /// By how much the upper end grows with each retry.
        public var multiplier: Double
        /// The longest upper end.
        public var maximum: Duration
        /// Whether the wait is random; otherwise it is the upper end.
        public var hasJitter: Bool

        /// Makes a backoff: 200 ms, doubling, at most 20 s, random.
        public init(
            initial: Duration = .milliseconds(200),
            multiplier: Double = 2,
            maximum: Duration = .seconds(20),
            hasJitter: Bool = true
        ) {
            self.initial = initial
            self.multiplier = multiplier
            self.maximum = maximum
            self.hasJitter = hasJitter
        }

        /// No wait.
        public static let none = Backoff(initial: .zero, maximum: .zero)

        /// The wait before a retry.
        ///
        /// - Parameters:
        ///   - retry: 1 for the first.
        ///   - fraction: a random number, 0..<1.
        public func delay(beforeRetry retry: Int, fraction: Double) -> Duration {
            // In seconds as Double, where nothing overflows: what is no number, or too large, ends at the maximum.
            let ceiling = max(maximum / .seconds(1), 0)
            var limit = max(initial / .seconds(1), 0)
            for _ in 1..<max(2, min(retry, 65)) where retry > 1 && limit < ceiling { limit *= multiplier }
            limit = limit >= 0 ? min(limit, ceiling) : ceiling
            let share = fraction >= 0 ? min(fraction, 1) : 0
            return min(.seconds(hasJitter ? limit * share : limit), maximum)
        }
    }
}

extension RetryPolicy {
    /// What a policy's own `decide` knows of an attempt that may be tried again.
    public struct Context: Sendable {
        /// The request that was sent; `nil` if it was not built.
        public let request: NetworkRequest?
        /// The head of a response whose status is not accepted, or is named by the policy; `nil` if none arrived.
        public let head: ResponseHead?
        /// The status code of that response.
        public var statusCode: Int? { head?.statusCode }
        /// Why the attempt failed; `nil` if a response arrived.
        public let error: SwiftyError?
        /// How many attempts were made, 1 or more.
        public let attempts: Int
        /// What the policy's rules would do.
        public let proposal: Decision

        /// Makes a context; for tests of policies.
        public init(
            request: NetworkRequest?,
            head: ResponseHead?,
            error: SwiftyError?,
            attempts: Int,
            proposal: Decision
        ) {
            self.request = request
            self.head = head
            self.error = error
            self.attempts = attempts
            self.proposal = proposal
        }
    }
}

extension RetryPolicy {
    /// What follows an attempt.
    public enum Decision: Sendable {
        /// Nothing: its outcome is delivered.
        case stop
        /// Another attempt after a wait; `change` may modify the request for it and those after it.
        case retry(after: Duration, change: (@Sendable (NetworkResource) -> Void)? = nil)
    }
}
