// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension QueryEncoding {
    /// The text of a scalar; `nil` for null.
    ///
    /// - Throws: ``QueryEncodingError`` for an array, an object, and a date that the style cannot express.
    func text(of value: QueryValue) throws(QueryEncodingError) -> String? {
        switch value {
        case .text(let text): return text
        case .bool(let flag): return bools == .literal ? (flag ? "true" : "false") : (flag ? "1" : "0")
        case .date(let date): return try write(date)
        case .null: return nil
        case .array, .object: throw QueryEncodingError("a value with several elements is not one text")
        }
    }

    /// The text of a value of any type, as one parameter has it; `nil` for `nil`.
    func text(ofAny value: Any) throws(QueryEncodingError) -> String? {
        try text(of: QueryValue(any: value))
    }

    private func write(_ date: Date) throws(QueryEncodingError) -> String {
        switch dates {
        case .iso8601:
            guard Self.calendarDates.contains(date) else {
                throw QueryEncodingError("the year of a Date does not have four digits, as ISO 8601 demands")
            }
            return date.formatted(.iso8601)
        case .secondsSince1970: return QueryValue.text(of: date.timeIntervalSince1970)
        case .millisecondsSince1970:
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            guard milliseconds.isFinite else { throw QueryEncodingError("a Date is too far away for milliseconds") }
            return QueryValue.text(of: milliseconds)
        case .custom(let format): return format(date)
        }
    }

    /// The dates with a year of four digits: from the year 1 to the end of the year 9999.
    private static let calendarDates = Date.distantPast..<Date(timeIntervalSince1970: 253_402_300_800)
}
