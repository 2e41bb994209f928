// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Date

extension HTTPFields {
    /// The date in a field such as `Date`, `Last-Modified` or `Expires` (RFC 9110 §5.6.7), in any of its three forms.
    ///
    ///     let changed = response.head?.headers.date(.lastModified)
    ///
    /// - Returns: The date; `nil` without the field, or if its value is no date.
    public func date(_ name: HTTPField.Name) -> Date? {
        self[name].flatMap { HTTPDate.secondsSince1970($0[...]) }.map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Sets a date, to the second, in place of any field of that name.
    public mutating func setDate(_ date: Date, for name: HTTPField.Name) {
        self[name] = date.httpText
    }
}

extension Date {
    /// The date as HTTP writes it, to the second: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// It has four digits for the year: an earlier date is written as the first second of the year 1000, a later one as
    /// the last second of 9999, and one that is not a number as that of 1970.
    package var httpText: String {
        let seconds = timeIntervalSince1970.rounded(.down)
        if seconds.isNaN { return HTTPDate.text(secondsSince1970: 0) }
        return HTTPDate.text(secondsSince1970: Int(min(max(seconds, -30_610_224_000), 253_402_300_799)))
    }
}
