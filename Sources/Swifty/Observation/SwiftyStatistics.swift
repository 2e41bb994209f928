// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// What the loads of one `Swifty` have come to, since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Loads that are not over.
        public var inFlight = 0
        /// Loads that were started.
        public var started = 0
        /// Loads that succeeded.
        public var succeeded = 0
        /// Loads that failed, other than by cancellation.
        public var failed = 0
        /// Loads that were cancelled or ended by a shutdown.
        public var cancelled = 0
        /// Hooks that go on although their loads have ended: interceptors, `decide` closures, challenge handlers, readers of content.
        public var hooksLeftBehind = 0
        /// Attempts that were made over the network.
        public var attempts = 0
        /// Attempts beyond the first of their loads.
        public var retries = 0

        /// Makes empty statistics.
        public init() {}
    }
}
