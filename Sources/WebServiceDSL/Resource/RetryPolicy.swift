// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// The conditions under which a failed attempt is followed by another, and the wait before it.
///
/// Set it on a `Swifty` for all of its requests, or with `retry(_:)` on one. No policy can widen the replay rule, which
/// says what may be repeated:
///
/// - an attempt that certainly did not reach the server (`notSent`), with any method;
/// - one that may have reached it (`maybeSent`), or whose response was cut off, if the method is idempotent or the
///   request has an `Idempotency-Key`;
/// - one with a response, if the policy names its status or ``decide`` chooses a retry: on the same condition, or with
///   any method if the status says that nothing was done (408, 421, 425, 429, 503).
///
/// A status that the policy names is tried again even if the request accepts it (`validate(status:)`). When no attempt
/// is left, validation judges the last response.
///
/// All retries to a host share a budget, `RetryPolicy.Budget`. The time limit of the whole call covers all attempts and
/// the waits between them; a wait that would exceed it does not begin.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, the first one included.
    public var maximumAttempts: Int
    /// The waits between attempts.
    public var backoff: Backoff
    /// The statuses that are tried again, whether or not the request accepts them.
    public var statuses: Set<Int>
    /// Whether failed transfers are tried again: no connection, a lost connection, a phase that took too long.
    public var retriesTransferFailures: Bool
    /// The methods whose requests are tried again; `nil` for all.
    public var methods: Set<HTTPRequest.Method>?
    /// The codes of failed transfers that are tried again, in place of those that ``retriesTransferFailures`` stands
    /// for; `nil` for those.
    public var errorCodes: Set<SwiftyError.Code>?
    /// The longest wait that a server's `Retry-After` can cause (RFC 9110 §10.2.3).
    public var maximumRetryAfter: Duration
    /// How long a request is tried again while no server can be reached: its name is not found, or no connection can be
    /// made. `nil`, the default, counts such failures like others.
    ///
    /// Until this time has passed since the first such failure, these attempts count neither for ``maximumAttempts``
    /// nor for the budget. The waits between them follow the ``backoff``, and are 100 ms to 5 s. The time limit of the
    /// call still applies.
    public var connectionWait: Duration?
    /// Decides in place of the other properties, within ``maximumAttempts`` and the replay rule.
    ///
    /// `nil` lets them decide. Called after an attempt that failed, or whose response has a status that is in
    /// ``statuses`` or not accepted.
    public var decide: (@Sendable (Context) async -> Decision)?

    /// Makes a policy; by default ``standard``.
    public init(
        maximumAttempts: Int = 3,
        backoff: Backoff = Backoff(),
        statuses: Set<Int> = Self.standardStatuses,
        retriesTransferFailures: Bool = true,
        methods: Set<HTTPRequest.Method>? = nil,
        errorCodes: Set<SwiftyError.Code>? = nil,
        maximumRetryAfter: Duration = .seconds(60),
        connectionWait: Duration? = nil,
        decide: (@Sendable (Context) async -> Decision)? = nil
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.statuses = statuses
        self.retriesTransferFailures = retriesTransferFailures
        self.methods = methods
        self.errorCodes = errorCodes
        self.maximumRetryAfter = maximumRetryAfter
        self.connectionWait = connectionWait
        self.decide = decide
    }

    /// 408, 421, 425, 429, 500, 502, 503, 504. A 421 is tried again once, on a new connection.
    public static let standardStatuses: Set<Int> = ResponseHead.transientStatuses

    /// Up to three attempts, with full jitter.
    public static let standard = RetryPolicy()
    /// One attempt.
    public static let none = RetryPolicy(maximumAttempts: 1)
}

extension RetryPolicy {
    /// The wait between attempts: exponential, with full jitter.
    ///
    /// The wait before retry *n* is a random time between zero and `initial × multiplierⁿ⁻¹`, at most `maximum`.
    /// Randomness over the whole range keeps the clients of a recovering server from returning simultaneously.
    public struct Backoff: Sendable, Hashable {
        /// The upper bound of the wait before the first retry.
        public var initial: Duration
        /// The factor by which the upper bound grows with each retry.
        public var multiplier: Double
        /// The maximum of the upper bound.
        public var maximum: Duration
        /// Whether the wait is random; otherwise it is the upper bound.
        public var hasJitter: Bool

        /// Makes a backoff; by default 200 ms, doubling, at most 20 s, random.
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
        ///   - retry: The number of the retry, 1 for the first.
        ///   - fraction: A random number, 0..<1.
        public func delay(beforeRetry retry: Int, fraction: Double) -> Duration {
            let share = fraction >= 0 ? min(fraction, 1) : 0
            return min(.seconds(hasJitter ? limit(beforeRetry: retry) * share : limit(beforeRetry: retry)), maximum)
        }

        /// The upper bound of the wait before a retry, in seconds.
        ///
        /// - Parameter retry: The number of the retry, 1 for the first.
        package func limit(beforeRetry retry: Int) -> Double {
            // A Double does not overflow: NaN and numbers that are too large become the maximum.
            let ceiling = max(maximum / .seconds(1), 0)
            var limit = max(initial / .seconds(1), 0)
            for _ in 1..<max(2, min(retry, 65)) where retry > 1 && limit < ceiling { limit *= multiplier }
            return limit >= 0 ? min(limit, ceiling) : ceiling
        }
    }
}

extension RetryPolicy {
    /// The facts about an attempt on which ``decide`` bases its decision.
    public struct Context: Sendable {
        /// The last request that was built, after any redirects; `nil` if none was.
        public let request: NetworkRequest?
        /// The head of the response; `nil` if the attempt failed.
        public let head: ResponseHead?
        /// The status code of the response; `nil` if the attempt failed.
        public var statusCode: Int? { head?.statusCode }
        /// The content of the response; `nil` if the attempt failed, if the content is empty, and if the caller reads
        /// it as a stream.
        ///
        /// An API that tells errors in the content of a 200 is asked again by a policy whose ``statuses`` contain 200.
        public let content: Data?
        /// The error of the attempt; `nil` if it got a response.
        public let error: SwiftyError?
        /// The number of attempts so far, 1 or more.
        public let attempts: Int
        /// The decision of the policy's other properties.
        public let proposal: Decision

        /// Makes a context, for tests of policies.
        public init(
            request: NetworkRequest?,
            head: ResponseHead?,
            content: Data? = nil,
            error: SwiftyError?,
            attempts: Int,
            proposal: Decision
        ) {
            self.request = request
            self.head = head
            self.content = content
            self.error = error
            self.attempts = attempts
            self.proposal = proposal
        }
    }
}

extension RetryPolicy {
    /// The step after an attempt.
    public enum Decision: Sendable {
        /// The outcome of the attempt is delivered.
        case stop
        /// Another attempt after a wait; `change` may modify the request for it and the following ones.
        case retry(after: Duration, change: (@Sendable (NetworkResource) -> Void)? = nil)
    }
}
