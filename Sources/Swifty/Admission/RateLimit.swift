// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// A rate limit: `requests` per `period`, with a burst, counted by a token bucket.
    public struct RateLimit: Sendable, Hashable {
        /// The number of requests in a period, at least 1.
        public let requests: Int
        /// The period, between 1 ms and a day.
        public let period: Duration
        /// The number of requests that may be sent together after a quiet time, at least 1.
        public let burst: Int

        /// Makes a rate limit. Values out of range are clamped.
        ///
        /// - Parameters:
        ///   - requests: The number of requests in a period, 1...1,000,000.
        ///   - period: The period, 1 ms to a day.
        ///   - burst: The number of requests that may be sent together after a quiet time; `requests` if `nil`.
        public init(requests: Int, per period: Duration, burst: Int? = nil) {
            self.requests = min(max(requests, 1), 1_000_000)
            self.period = min(max(period, .milliseconds(1)), .seconds(86_400))
            self.burst = min(max(burst ?? requests, 1), 1_000_000)
        }
    }
}

/// Counts requests against a ``AdmissionPolicy/RateLimit``.
///
/// The bucket is stored as the time at which it will be full again, so it needs no timer and loses nothing to rounding:
/// the "generic cell rate algorithm". All times are durations since the same moment.
struct TokenBucket {
    private let interval: Duration
    private let tolerance: Duration
    /// The time at which the bucket is full again.
    private(set) var fullAt: Duration = .zero

    init(_ limit: AdmissionPolicy.RateLimit) {
        interval = limit.period / limit.requests
        tolerance = interval * (limit.burst - 1)
    }

    /// The time at which the next request may be sent; in the past if it may be sent now.
    var nextAt: Duration { fullAt - tolerance }

    /// Takes a token; only when ``nextAt`` has come.
    mutating func take(now: Duration) {
        fullAt = max(fullAt, now) + interval
    }
}
