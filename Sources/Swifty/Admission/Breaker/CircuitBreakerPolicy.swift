// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// When an origin that keeps failing is left alone for a while, so that callers learn at once and it can recover.
    ///
    /// A failure is an error of the connection, a timeout, or a response with a status of 500 or above. The breaker opens when
    /// there were enough failures within the window and they are at least the given share of all outcomes. While it is open,
    /// loads fail with ``SwiftyError/Code/circuitOpen`` and nothing is sent. After that time it is half open: a few loads are
    /// let through as probes. When all of them succeed it closes; when one fails it opens again.
    public struct CircuitBreaker: Sendable, Hashable {
        /// How many failures open the breaker, at least 1.
        public var failures: Int
        /// The time within which they count.
        public var window: Duration
        /// The share of all outcomes within the window that must have failed too, 0...1.
        public var failureRate: Double
        /// How long nothing is sent.
        public var openDuration: Duration
        /// How many loads are let through afterwards, to see whether the origin has recovered; at least 1.
        public var probes: Int

        /// Makes a policy.
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
