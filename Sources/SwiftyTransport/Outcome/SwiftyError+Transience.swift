// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Date

// What is worth another try: one table for the retries of loads, the continuations of downloads and the reconnections
// of event streams.

extension SwiftyError {
    /// Whether another attempt may succeed: the transfer failed for a reason that may pass, or the server says that it
    /// is overloaded or not ready.
    package var isTransient: Bool {
        isTransientFailure || code == .unacceptableStatus && (head?.isTransient ?? false)
    }

    /// Whether the transfer failed for a reason that may pass.
    package var isTransientFailure: Bool {
        switch code {
        case .nameResolutionFailed, .connectionFailed, .connectionLost, .proxyFailed, .tooManyOpenFiles: true
        // The limits of the whole load end all attempts, and a wait has no server that could be asked again.
        case .timedOut: timeLimit != .total && timeLimit != .deadline && stage != .queue && stage != .constraint
        default: false
        }
    }

    /// The wait that the server asks for; `nil` without one.
    package func retryAfter(now: Date) -> Duration? {
        code == .unacceptableStatus ? head?.retryAfter(now: now) : nil
    }
}

extension ResponseHead {
    /// The statuses of a server that is overloaded or not ready, or that has refused the connection (421).
    package static let transientStatuses: Set<Int> = [408, 421, 425, 429, 500, 502, 503, 504]
    /// The statuses whose `Retry-After` counts (RFC 9110 §10.2.3, RFC 6585 §4).
    private static let retryAfterStatuses: Set<Int> = [429, 503]

    /// Whether another attempt may have another status.
    package var isTransient: Bool { Self.transientStatuses.contains(statusCode) }

    /// The wait that `Retry-After` asks for (RFC 9110 §10.2.3), under any status: a number of seconds, or the time
    /// until a date. Zero for a date in the past, and at most ten years; `nil` without a valid value.
    ///
    /// - Parameter date: The date from which the wait is counted; the current one by default.
    public func retryAfter(from date: Date = Date()) -> Duration? {
        headers[.retryAfter].flatMap { RetryAfter.delay($0, now: date) }
    }

    /// The wait that the server asks for; `nil` without one.
    package func retryAfter(now: Date) -> Duration? {
        guard Self.retryAfterStatuses.contains(statusCode), let value = headers[.retryAfter] else { return nil }
        return RetryAfter.delay(value, now: now)
    }
}
