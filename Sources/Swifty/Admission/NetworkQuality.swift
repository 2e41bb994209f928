// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// How good the network is, as measured from transfers.
    ///
    /// | class | round trip at most | throughput at least |
    /// |---|---|---|
    /// | ``excellent`` | 100 ms | 2 Mbit/s |
    /// | ``good`` | 250 ms | 550 kbit/s |
    /// | ``fair`` | 600 ms | 150 kbit/s |
    /// | ``poor`` | more | less |
    ///
    /// The round trip is the time of a TCP connect, the throughput that of responses of 32 KiB and more; both are weighted
    /// averages in which the latest transfer counts for a fifth. The worse of the two decides. A server that is slow at
    /// producing its response looks like a slow network. What is older than two minutes counts no more.
    ///
    /// Source of the throughput classes: Facebook's network-connection-class.
    public enum NetworkQuality: Int, Sendable, Hashable, CaseIterable {
        /// Nothing was measured lately.
        case unknown
        /// As on 2G.
        case poor
        /// As on a weak 3G.
        case fair
        /// As on 3G and 4G.
        case good
        /// As on Wi-Fi, a good 4G, or a wire.
        case excellent
    }
}

extension AdmissionPolicy.NetworkQuality {
    /// The class of a round-trip time in seconds.
    init(roundTrip: Double) {
        switch roundTrip {
        case ...0.1: self = .excellent
        case ...0.25: self = .good
        case ...0.6: self = .fair
        default: self = .poor
        }
    }

    /// The class of a throughput in bytes per second.
    init(throughput: Double) {
        switch throughput {
        case 250_000...: self = .excellent
        case 68_750...: self = .good
        case 18_750...: self = .fair
        default: self = .poor
        }
    }
}

extension AdmissionPolicy {
    /// What is held back when the network is bad.
    ///
    ///     policy.networkQuality = .adaptive
    ///
    /// The overall quality decides, not that of one host. Loads that are held back are sent when the quality improves, and
    /// one at a time when nothing else is in flight: they are never forgotten, and they keep the measurement alive.
    public struct QualityRules: Sendable, Hashable {
        /// What holds in one class of quality.
        public struct Rule: Sendable, Hashable {
            /// How many loads may be in flight at once overall; `nil` for no limit of its own.
            public var maximumLoads: Int?
            /// What is less urgent than this is held back.
            public var minimumPriority: NetworkRequest.Priority

            /// Makes a rule; without arguments, one that restricts nothing.
            public init(maximumLoads: Int? = nil, minimumPriority: NetworkRequest.Priority = .veryLow) {
                self.maximumLoads = maximumLoads
                self.minimumPriority = minimumPriority
            }
        }

        /// The rules of the classes that have one.
        public var rules: [NetworkQuality: Rule]

        /// Makes a policy of rules; a class without one is not restricted.
        public init(rules: [NetworkQuality: Rule]) {
            self.rules = rules
        }

        /// For apps on mobile networks: 2 loads at once and nothing below `normal` on a poor network, 4 and nothing below
        /// `low` on a fair one, 8 on a good one.
        public static let adaptive = QualityRules(rules: [
            .poor: Rule(maximumLoads: 2, minimumPriority: .normal),
            .fair: Rule(maximumLoads: 4, minimumPriority: .low),
            .good: Rule(maximumLoads: 8),
        ])
    }
}
