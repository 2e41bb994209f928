// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

import struct Foundation.Date

/// What one load's attempts have come to, and what follows: event in, decision out.
struct RetryPlan {
    /// How an attempt ended.
    enum Outcome {
        case answered(ResponseHead)
        case failed(SwiftyError)
    }

    /// What follows an attempt.
    enum Step: Equatable {
        /// The outcome is the load's.
        case deliver
        /// Another attempt after a wait; it draws on the host's budget.
        case retry(after: Duration)
        /// Another attempt at once, on a new connection: the server said that this one is the wrong one (421).
        case moveToNewConnection
    }

    let policy: RetryPolicy
    private(set) var attempts = 0
    private(set) var needsNewConnection = false

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    mutating func beginAttempt() {
        attempts += 1
    }

    /// Whether the outcome is the load's without further ado: its status is accepted, and the policy does not name it.
    ///
    /// What the policy names is tried again even if it is accepted. The two say different things: how the last answer is
    /// delivered, and which answers are worth another attempt.
    func isFinal(_ outcome: Outcome, _ accepted: RequestDraft.AcceptedStatuses) -> Bool {
        guard let status = outcome.statusCode else { return false }
        return accepted.contains(status) && !policy.statuses.contains(status)
    }

    /// Decides by the policy's rules and the replay rule.
    ///
    /// - Parameters:
    ///   - outcome: how the last attempt ended; not a final one.
    ///   - request: what was sent.
    ///   - retryAfter: what the server's `Retry-After` asks for.
    ///   - fraction: a random number, 0..<1.
    mutating func next(
        after outcome: Outcome,
        of request: NetworkRequest,
        retryAfter: Duration?,
        fraction: Double
    ) -> Step {
        guard attempts < policy.maximumAttempts else { return .deliver }
        switch outcome {
        case .answered(let head):
            guard policy.statuses.contains(head.statusCode) else { return .deliver }
            return next(afterStatus: head.statusCode, request, retryAfter, fraction)
        case .failed(let error):
            guard policy.retriesTransferFailures, Self.isTransient(error), Self.mayRepeat(request, after: error.sent)
            else { return .deliver }
            return .retry(after: backoff(fraction))
        }
    }

    private mutating func next(
        afterStatus status: Int,
        _ request: NetworkRequest,
        _ retryAfter: Duration?,
        _ fraction: Double
    ) -> Step {
        if status == 421 {
            if needsNewConnection { return .deliver }
            needsNewConnection = true
            return .moveToNewConnection
        }
        guard Self.mayRepeat(request, afterStatus: status) else { return .deliver }
        let wait = Self.hasRetryAfter.contains(status) ? retryAfter : nil
        return .retry(after: max(backoff(fraction), min(wait ?? .zero, policy.maximumRetryAfter)))
    }

    private func backoff(_ fraction: Double) -> Duration {
        policy.backoff.delay(beforeRetry: attempts, fraction: fraction)
    }

    /// Statuses with which a server refuses to process a request at all, so that any method may be repeated.
    private static let saysNothingWasDone: Set<Int> = [408, 421, 425, 429, 503]
    /// Statuses whose `Retry-After` counts (RFC 9110 §10.2.3, RFC 6585 §4).
    private static let hasRetryAfter: Set<Int> = [429, 503]

    /// The replay rule for what failed on the way.
    static func mayRepeat(_ request: NetworkRequest, after sent: SwiftyError.SentState) -> Bool {
        sent == .notSent || request.isIdempotent
    }

    /// The replay rule for what the server answered.
    static func mayRepeat(_ request: NetworkRequest, afterStatus status: Int) -> Bool {
        saysNothingWasDone.contains(status) || request.isIdempotent
    }

    private static func isTransient(_ error: SwiftyError) -> Bool {
        switch error.code {
        case .nameResolutionFailed, .connectionFailed, .connectionLost, .proxyFailed, .tooManyOpenFiles: true
        // The time limit of the whole call ends all attempts; see `Deadline`.
        case .timedOut: error.stage != .queue && error.stage != .constraint
        default: false
        }
    }
}

extension RetryPlan.Outcome {
    /// How an attempt ended; `nil` if it did not get as far as a transport or a head.
    init?(_ result: Result<NetworkResponse, SwiftyError>) {
        switch result {
        case .success(let response):
            guard let head = response.head else { return nil }
            self = .answered(head)
        case .failure(let error):
            self = .failed(error)
        }
    }

    var head: ResponseHead? {
        if case .answered(let head) = self { head } else { nil }
    }

    var error: SwiftyError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// How far the request got.
    var sent: SwiftyError.SentState { error?.sent ?? .responded }

    var statusCode: Int? { head?.statusCode }

    /// How long the server asks to wait.
    var retryAfter: Duration? {
        head?.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: Date()) }
    }

    /// The replay rule.
    func mayRepeat(_ request: NetworkRequest) -> Bool {
        switch self {
        case .answered(let head): RetryPlan.mayRepeat(request, afterStatus: head.statusCode)
        case .failed(let error): RetryPlan.mayRepeat(request, after: error.sent)
        }
    }
}

extension RetryPlan.Step {
    /// The wait before the next attempt; `nil` if there is none.
    var wait: Duration? {
        switch self {
        case .deliver: nil
        case .retry(let wait): wait
        case .moveToNewConnection: .zero
        }
    }
}
