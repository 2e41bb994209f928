// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Testing

@Suite("The dates of HTTP", .timeLimit(.minutes(15)))
struct HTTPDateTests {
    @Test("agree with Foundation on days from 1901 to 2243")
    func calendar() throws {
        for day in stride(from: -25_000, to: 100_000, by: 37) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_661)
            let text = try #require(TimeZone(identifier: "GMT")).text(of: date)
            #expect(HTTPDate.secondsSince1970(text[...]) == day * 86_400 + 3_661)
            #expect(HTTPDate.text(secondsSince1970: day * 86_400 + 3_661) == text)
        }
    }

    @Test(
        "are written in the first form only",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ]
    )
    func text(seconds: Int, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }

    @Test("count the days of any year forward and back")
    func days() {
        for day in stride(from: -1_000_000, to: 4_000_000, by: 97) {
            #expect(CalendarDate(daysSince1970: day).daysSince1970 == day)
        }
        let leapDay = CalendarDate(year: 2100, month: 2, day: 29)
        #expect(CalendarDate(daysSince1970: leapDay.daysSince1970) == CalendarDate(year: 2100, month: 3, day: 1))
    }
}

extension TimeZone {
    fileprivate func text(of date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = self
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let weekday = weekdays[(parts.weekday ?? 1) - 1]
        let day = "\(weekday), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0)"
        return "\(day) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }
}
