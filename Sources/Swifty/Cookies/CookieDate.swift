// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

/// Parses the dates of `Expires`, in any order and form that servers write (RFC 6265bis §5.1.1).
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// The date that a string names; `nil` if a part is missing, or there is no such date.
    static func parse(_ text: String) -> Date? {
        var date = CookieDate()
        for token in text.utf8.split(whereSeparator: isDelimiter) { date.add(token) }
        return date.date
    }

    /// Takes a token as the first missing part that it can be.
    private mutating func add(_ token: Substring.UTF8View) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, digits: 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil, let year = Self.number(token, digits: 2...4) {
            self.year = Self.fullYear(year)
        }
    }

    private var date: Date? {
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601,
            time.hour <= 23, time.minute <= 59, time.second <= 59
        else { return nil }
        let date = CalendarDate(year: year, month: month + 1, day: day)
        // The days of February 30 are those of a date in March.
        guard CalendarDate(daysSince1970: date.daysSince1970) == date else { return nil }
        let seconds = date.secondsSince1970(hour: time.hour, minute: time.minute, second: time.second)
        return Date(timeIntervalSince1970: Double(seconds))
    }
}

extension CookieDate {
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, isShortNumber(parts[0]), isShortNumber(parts[1]),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func isShortNumber(_ bytes: Substring.UTF8View) -> Bool {
        bytes.count <= 2 && bytes.allSatisfy(\.isASCIIDigit)
    }

    /// The number at the start of a token, with this many digits and no further one.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let prefix = token.prefix(while: \.isASCIIDigit)
        return digits.contains(prefix.count) ? Int(Substring(prefix)) : nil
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = Substring(token.prefix(3)).lowercased()
        return ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].firstIndex(of: name)
    }

    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 70...99: year + 1900
        case 0...69: year + 2000
        default: year
        }
    }
}
