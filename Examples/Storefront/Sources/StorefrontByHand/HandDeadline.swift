// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The time at which the caller's patience ends, which `grpc-timeout` says.
enum HandDeadline {
    @TaskLocal static var current: ContinuousClock.Instant?

    static let longest = Duration.seconds(10)

    /// At most eight digits and a unit.
    static func time(_ field: String) -> Duration? {
        guard let unit = field.last, let number = Int64(field.dropLast()), (0...99_999_999).contains(number) else {
            return nil
        }
        return switch unit {
        case "H": .seconds(number * 3_600)
        case "M": .seconds(number * 60)
        case "S": .seconds(number)
        case "m": .milliseconds(number)
        case "u": .microseconds(number)
        case "n": .nanoseconds(number)
        default: nil
        }
    }
}
