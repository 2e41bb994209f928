// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Reads a date and time with a time zone, such as `2026-01-31T12:00:00.5+01:00` (RFC 3339 §5.6, a profile of ISO
/// 8601). A method that finds no match returns `nil` or `false`.
struct TimestampText {
    private var rest: Substring.UTF8View

    /// The date of the text; `nil` if it is in another form, or has a day that its month does not have.
    static func date(_ text: String) -> Date? {
        var text = TimestampText(rest: text[...].utf8)
        guard let days = text.days(), text.skip("T") || text.skip("t"), let seconds = text.secondsOfDay(),
            let fraction = text.fraction(), let offset = text.offset(), text.rest.isEmpty
        else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + seconds - offset) + fraction)
    }

    /// The days since 1970.
    private mutating func days() -> Int? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day)
        return CalendarDate(daysSince1970: date.daysSince1970) == date ? date.daysSince1970 : nil
    }

    private mutating func secondsOfDay() -> Int? {
        guard let minutes = minutes(), skip(":"), let second = number(digits: 2), second <= 60 else { return nil }
        return minutes * 60 + second
    }

    private mutating func minutes() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60 else {
            return nil
        }
        return hour * 60 + minute
    }

    /// The fraction of a second; 0 without one.
    private mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix { $0.isASCIIDigit }
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : Double("0." + String(Substring(digits)))
    }

    /// The seconds by which the time zone is ahead of UTC.
    private mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let minutes = minutes() else { return nil }
        return isAhead ? minutes * 60 : minutes * -60
    }

    private mutating func number(digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.isDecimal else { return nil }
        rest = rest[text.endIndex...]
        return Int(Substring(text))
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}
