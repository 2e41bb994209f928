// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension LoadMetrics {
    /// How long one constraint held a load.
    public struct ConstraintWait: Sendable, Hashable {
        /// The constraint's name.
        public let name: String
        /// From the moment when the load came to the constraint until it was let through, or its wait ended otherwise.
        public let duration: Duration

        /// Records a wait.
        package init(name: String, duration: Duration) {
            self.name = name
            self.duration = duration
        }
    }
}
