// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Swifty {
    /// The numbers of loads in flight and waiting, at one moment.
    public struct AdmissionStatistics: Sendable, Hashable {
        /// The state of one origin.
        public struct Host: Sendable, Hashable {
            /// Loads in flight.
            public internal(set) var inFlight = 0
            /// Loads waiting for admission.
            public internal(set) var waiting = 0
            /// The time for which the server or a rate limit holds all loads back; zero if it holds none.
            public internal(set) var heldFor: Duration = .zero
            /// The state of the circuit breaker; ``AdmissionPolicy/CircuitBreaker/State/closed`` without one.
            public internal(set) var circuit = AdmissionPolicy.CircuitBreaker.State.closed
            /// Whether the circuit breaker is open: loads fail, and nothing is sent.
            public internal(set) var isCircuitOpen = false
        }

        /// Loads in flight, overall.
        public internal(set) var inFlight = 0
        /// Loads waiting for admission, overall.
        public internal(set) var waiting = 0
        /// Whether admission is paused.
        public internal(set) var isPaused = false
        /// The origins whose loads are counted, by name (`https://example.com`). Uncounted loads are only in the sums.
        public internal(set) var hosts: [String: Host] = [:]
    }
}

extension AdmissionState {
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
            entry.circuit = host.breaker?.state(now: now) ?? .closed
            if case .open(let end) = host.breaker?.position { entry.isCircuitOpen = end > now }
            return entry
        }
        return statistics
    }
}
