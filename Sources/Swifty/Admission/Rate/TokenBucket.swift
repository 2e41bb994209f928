// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Counts requests against a ``AdmissionPolicy/RateLimit``.
///
/// The bucket is kept as the one moment at which it would be full again, so it needs no timer and loses nothing to
/// rounding: the "generic cell rate algorithm". All moments are durations since the same origin.
struct TokenBucket {
    private let interval: Duration
    private let tolerance: Duration
    /// When the bucket is full again.
    private(set) var fullAt: Duration = .zero

    init(_ limit: AdmissionPolicy.RateLimit) {
        interval = limit.period / limit.requests
        tolerance = interval * (limit.burst - 1)
    }

    /// When the next request may be sent; in the past if it may be sent now.
    var nextAt: Duration { fullAt - tolerance }

    /// Takes a token; there must be one.
    mutating func take(now: Duration) {
        fullAt = max(fullAt, now) + interval
    }
}
