// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

/// The attempts of one load: outcome in, wait before the next attempt out.
final class RetryPlan {
    enum Outcome {
        case responded(ResponseHead)
        case failed(SwiftyError)
    }

    let policy: RetryPolicy
    /// The number of attempts that count.
    private(set) var attempts = 1
    /// The wait before the attempt.
    var delay = Duration.zero
    /// Whether the server has refused the connection of an attempt (421, RFC 9110 §15.5.20).
    private(set) var requiresNewConnection = false
    private var reachability = ReachabilityWait()

    /// Makes the plan of a load that has made its first attempt.
    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// Counts another attempt.
    ///
    /// - Parameter delay: The wait before it.
    func beginAttempt(after delay: Duration) {
        if !reachability.takeUncounted() { attempts += 1 }
        self.delay = delay
    }

    /// The wait before another attempt that does not count, because no server was reached; `nil` if the outcome is
    /// another one, or the time for it has passed.
    ///
    /// - Parameter now: The time on the clock of the load.
    func reachabilityDelay(after outcome: Outcome, now: Duration, fraction: Double) -> Duration? {
        guard let limit = policy.connectionWait else { return nil }
        return reachability.delay(after: outcome.error, now: now, limit: limit) {
            policy.backoff.delay(beforeRetry: $0, fraction: fraction)
        }
    }

    /// Whether the outcome is delivered without asking for a retry: its status is accepted, and not one of the
    /// policy's.
    ///
    /// The statuses of the policy are retried even if they are accepted. Acceptance decides how the last response is
    /// delivered; the policy decides which responses are worth another attempt.
    func isFinal(_ outcome: Outcome, _ accepted: RequestDraft.AcceptedStatuses) -> Bool {
        guard let status = outcome.statusCode else { return false }
        return accepted.contains(status) && !policy.statuses.contains(status)
    }

    /// Decides by the policy and the replay rule.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the last attempt, which is not final.
    ///   - request: The request that was sent.
    ///   - now: The date for a `Retry-After` with a date.
    ///   - fraction: A random number, 0..<1.
    /// - Returns: The wait before the next attempt; `nil` if the outcome is delivered.
    func nextDelay(
        after outcome: Outcome,
        of request: NetworkRequest,
        now: Date,
        fraction: Double
    ) -> Duration? {
        guard attempts < policy.maximumAttempts, policy.methods?.contains(request.method) ?? true else { return nil }
        switch outcome {
        case .responded(let head):
            guard policy.statuses.contains(head.statusCode) else { return nil }
            return nextDelay(after: head, of: request, retryAfter: head.retryAfter(now: now), fraction: fraction)
        case .failed(let error):
            let isListed = policy.errorCodes?.contains(error.code)
            guard isListed ?? (policy.retriesTransferFailures && error.isTransientFailure),
                Self.mayRepeat(request, after: error.sent)
            else { return nil }
            return backoff(fraction)
        }
    }

    private func nextDelay(
        after head: ResponseHead,
        of request: NetworkRequest,
        retryAfter: Duration?,
        fraction: Double
    ) -> Duration? {
        if head.statusCode == 421 {
            if requiresNewConnection { return nil }
            requiresNewConnection = true
            return .zero
        }
        guard Self.mayRepeat(request, afterStatus: head.statusCode) else { return nil }
        return max(backoff(fraction), min(retryAfter ?? .zero, policy.maximumRetryAfter))
    }

    private func backoff(_ fraction: Double) -> Duration {
        policy.backoff.delay(beforeRetry: attempts, fraction: fraction)
    }

    /// Statuses with which a server refuses to process a request, so that any method may be repeated.
    private static let unprocessedStatuses: Set<Int> = [408, 421, 425, 429, 503]

    /// Whether a status says that the request was not processed.
    fileprivate static func isRefusal(_ status: Int) -> Bool {
        switch status {
        case 401, 403, 407: true
        default: unprocessedStatuses.contains(status)
        }
    }

    /// The replay rule for errors of the transport.
    static func mayRepeat(_ request: NetworkRequest, after sent: SwiftyError.SentState) -> Bool {
        sent == .notSent || request.isIdempotent
    }

    /// The replay rule for responses.
    static func mayRepeat(_ request: NetworkRequest, afterStatus status: Int) -> Bool {
        unprocessedStatuses.contains(status) || request.isIdempotent
    }
}

extension RetryPlan.Outcome {
    /// The outcome of an attempt; `nil` for a success without a head.
    init?(_ result: Result<NetworkResponse, SwiftyError>) {
        switch result {
        case .success(let response):
            guard let head = response.head else { return nil }
            self = .responded(head)
        case .failure(let error):
            self = .failed(error)
        }
    }

    var head: ResponseHead? {
        if case .responded(let head) = self { head } else { nil }
    }

    var error: SwiftyError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// Whether the request reached the server, as far as that is known.
    var sent: SwiftyError.SentState { error?.sent ?? .responded }

    var statusCode: Int? { head?.statusCode }

    /// The replay rule: whether the request may be sent again.
    func mayRepeat(_ request: NetworkRequest) -> Bool {
        switch self {
        case .responded(let head): RetryPlan.mayRepeat(request, afterStatus: head.statusCode)
        case .failed(let error): RetryPlan.mayRepeat(request, after: error.sent)
        }
    }
}

extension LoadMetrics.Attempt {
    /// Whether the server may have processed the request: it got no response, or one that does not say the opposite.
    var hasTakenEffect: Bool {
        switch sent {
        case .notSent: false
        case .maybeSent: true
        case .responded: errorCode != nil || !(statusCode.map(RetryPlan.isRefusal) ?? false)
        }
    }
}
