// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkRequest {
    /// How urgent a request is among those that wait to be sent.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// May wait for everything else: prefetching, telemetry.
        case veryLow
        /// Below the usual.
        case low
        /// The default.
        case normal
        /// Somebody waits for it.
        case high
        /// Goes before everything else.
        case veryHigh

        /// Orders by urgency: `.low < .high`.
        public static func < (lhs: Priority, rhs: Priority) -> Bool {
            lhs.rawValue < rhs.rawValue
        }
    }
}
