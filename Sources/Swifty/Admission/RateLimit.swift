// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// So many requests in so much time, with a burst: the measure of a token bucket.
    public struct RateLimit: Sendable, Hashable {
        /// How many requests may be sent in the period, at least 1.
        public let requests: Int
        /// The period, between 1 ms and a day.
        public let period: Duration
        /// How many may be sent at once after a quiet time, at least 1.
        public let burst: Int

        /// Makes a rate limit. Values out of range are moved into it.
        ///
        /// - Parameters:
        ///   - requests: How many requests may be sent in the period.
        ///   - period: The period.
        ///   - burst: How many may be sent at once after a quiet time; as many as in a period if `nil`.
        public init(requests: Int, per period: Duration, burst: Int? = nil) {
            self.requests = min(max(requests, 1), 1_000_000)
            self.period = min(max(period, .milliseconds(1)), .seconds(86_400))
            self.burst = min(max(burst ?? requests, 1), 1_000_000)
        }
    }
}

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
