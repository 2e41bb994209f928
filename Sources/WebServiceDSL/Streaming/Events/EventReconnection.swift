// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Decides whether an event stream connects again, and when.
///
/// Source: WHATWG HTML §9.2.3.
struct EventReconnection {
    private let policy: EventPolicy
    private let isAllowed: Bool
    /// The number of consecutive connections without an event.
    private(set) var failures = 0
    private var hasReceived = false

    /// - Parameter draft: The request; `nil` if there is no request to repeat.
    init(_ policy: EventPolicy, _ draft: RequestDraft?) {
        self.policy = policy
        isAllowed = draft.map { policy.reconnects ?? $0.isIdempotent } ?? false
    }

    /// Records that this connection has delivered an event.
    mutating func receive() {
        hasReceived = true
    }

    /// The wait before the next connection; `nil` if the end of the last one is the end of the stream.
    ///
    /// - Parameters:
    ///   - error: The error of the last connection; `nil` if its response was complete.
    ///   - time: The time that the server has set; `nil` if it did not.
    ///   - fraction: A random number, 0..<1.
    ///   - now: The date for a `Retry-After` with a date.
    /// - Throws: The error of the last connection, if it is the end of the stream.
    mutating func delay(
        after error: SwiftyError?,
        time: Duration?,
        fraction: Double,
        now: Date
    ) throws(SwiftyError) -> Duration? {
        guard isAllowed, error.map({ $0.isTransient || $0.code == .circuitOpen }) ?? true else {
            if let error { throw error }
            return nil
        }
        failures = hasReceived ? 0 : failures + 1
        hasReceived = false
        if failures >= policy.maximumAttempts { throw error ?? Self.silence(failures) }
        let delay = backoff(time.map { max($0, policy.minimumDelay) } ?? policy.initialDelay, fraction)
        return min(max(delay, error?.retryAfter(now: now) ?? .zero), maximumDelay)
    }

    private var maximumDelay: Duration { max(min(policy.maximumDelay, LoadClock.longest), .zero) }

    /// The reconnection time, and a random part of what it has grown by.
    private func backoff(_ time: Duration, _ fraction: Double) -> Duration {
        let first = max(min(time, maximumDelay), .zero)
        let backoff = RetryPolicy.Backoff(initial: first, multiplier: policy.multiplier, maximum: maximumDelay)
        let growth = max(backoff.limit(beforeRetry: failures) - first / .seconds(1), 0)
        return first + .seconds(growth * fraction)
    }

    private static func silence(_ count: Int) -> SwiftyError {
        SwiftyError(
            .connectionLost,
            stage: .content,
            sent: .responded,
            reason: "the event stream ended \(count) times in sequence without an event"
        )
    }
}

extension RequestDraft {
    /// Whether loading the request twice has the same effect as loading it once.
    var isIdempotent: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: idempotencyKey != nil || headers.idempotencyKey != nil
        }
    }
}
