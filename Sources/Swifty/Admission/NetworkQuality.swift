// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionPolicy {
    /// The quality of the network, as measured from transfers.
    public typealias NetworkQuality = SwiftyTransport.NetworkQuality
}

extension NetworkQuality {
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
    /// Restrictions for each class of network quality.
    ///
    ///     policy.qualityRules = .adaptive
    ///
    /// The overall quality decides, not that of one host. Loads that are held back are sent when the quality improves,
    /// and one at a time while nothing else is in flight, so that they always get their turn and the measurement stays
    /// current.
    public struct QualityRules: Sendable, Hashable {
        /// The restrictions in one class of quality.
        public struct Rule: Sendable, Hashable {
            /// The maximum number of loads in flight; `nil` for no limit.
            public var maximumLoads: Int?
            /// The lowest priority that is not held back.
            public var minimumPriority: NetworkRequest.Priority

            /// Makes a rule; by default, one that restricts nothing.
            public init(maximumLoads: Int? = nil, minimumPriority: NetworkRequest.Priority = .veryLow) {
                self.maximumLoads = maximumLoads
                self.minimumPriority = minimumPriority
            }
        }

        /// The rules of the classes that have one.
        public var rules: [NetworkQuality: Rule]

        /// Makes the restrictions; a class without a rule is not restricted.
        public init(rules: [NetworkQuality: Rule]) {
            self.rules = rules
        }

        /// For apps on mobile networks: 2 loads and none below `normal` on a poor network, 4 and none below `low` on a
        /// fair one, 8 on a good one.
        public static let adaptive = QualityRules(rules: [
            .poor: Rule(maximumLoads: 2, minimumPriority: .normal),
            .fair: Rule(maximumLoads: 4, minimumPriority: .low),
            .good: Rule(maximumLoads: 8),
        ])
    }
}
