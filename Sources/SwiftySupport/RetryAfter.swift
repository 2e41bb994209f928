// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Date

/// The field `Retry-After` (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The wait that a server asks for.
    ///
    /// - Parameters:
    ///   - value: The field's value: seconds, or a date in one of the three formats of RFC 9110 §5.6.7.
    ///   - now: The current date, from which the wait until a date is computed.
    /// - Returns: Zero for a date in the past, and at most ten years; `nil` if the value is neither a number nor a
    ///   date.
    package static func delay(_ value: String, now: Date) -> Duration? {
        let value = value.trimmingSpacesAndTabs()
        guard !value.isEmpty, value.utf8.count <= 64 else { return nil }
        if value.utf8.isDecimal {
            return min(.seconds(Int64(value) ?? .max / 4), longest)
        }
        guard let seconds = HTTPDate.secondsSince1970(value) else { return nil }
        let distance = Double(seconds) - now.timeIntervalSince1970
        return distance > 0 ? min(.seconds(min(distance, 1e9)), longest) : .zero
    }

    private static let longest = Duration.seconds(315_360_000)
}
