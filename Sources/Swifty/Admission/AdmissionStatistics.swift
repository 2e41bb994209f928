// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// How many loads are in flight and how many wait, at one moment.
    public struct AdmissionStatistics: Sendable, Hashable {
        /// What is known of one origin.
        public struct Host: Sendable, Hashable {
            /// Loads in flight.
            public internal(set) var inFlight = 0
            /// Loads that wait for a place.
            public internal(set) var waiting = 0
            /// How long nothing will be sent, because the server or a rate limit says so; zero if something may be.
            public internal(set) var heldFor: Duration = .zero
            /// Whether the circuit breaker lets nothing through.
            public internal(set) var isCircuitOpen = false
        }

        /// Loads in flight, overall.
        public internal(set) var inFlight = 0
        /// Loads that wait for a place, overall.
        public internal(set) var waiting = 0
        /// Whether nothing is admitted for now.
        public internal(set) var isPaused = false
        /// By origin (`https://example.com`), those for which loads have to be counted; the others are only in the sums.
        public internal(set) var hosts: [String: Host] = [:]
    }
}

extension AdmissionState {
    /// What can be told of this moment.
    func statistics(now: Duration) -> Swifty.AdmissionStatistics {
        var statistics = Swifty.AdmissionStatistics()
        statistics.inFlight = running.count
        statistics.waiting = waiters.count
        statistics.isPaused = isPaused
        statistics.hosts = hosts.mapValues { host in
            var entry = Swifty.AdmissionStatistics.Host()
            entry.inFlight = host.inFlight
            entry.waiting = host.waiting.count
            entry.heldFor = max(host.heldUntil(now: now) - now, .zero)
            if case .open(let end) = host.breaker?.position { entry.isCircuitOpen = end > now }
            return entry
        }
        return statistics
    }
}
