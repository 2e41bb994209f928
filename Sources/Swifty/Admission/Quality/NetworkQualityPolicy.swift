// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
