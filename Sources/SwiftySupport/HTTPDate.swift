// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`, and the two older forms, which are only read (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// The date as text.
    package static func text(secondsSince1970 seconds: Int) -> String {
        let (days, second) = seconds.dividedRoundingDown(by: 86_400)
        let date = CalendarDate(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[(days + 4).dividedRoundingDown(by: 7).remainder]
        let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(weekday), \(twoDigits(date.day)) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The date in seconds since 1970; `nil` if the text is in none of the three forms.
    package static func secondsSince1970(_ text: Substring) -> Int? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where ["gmt", "utc"].contains(words[5].lowercased()):
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    /// The date of a text that has exactly one of the three forms, apart from its weekday and from case: for dates that
    /// are a promise, such as `Expires`.
    package static func secondsSince1970(exactly text: Substring) -> Int? {
        guard let seconds = secondsSince1970(text) else { return nil }
        let words = self.text(secondsSince1970: seconds).split(separator: " ")
        let (day, month, year, time) = (words[1], words[2], words[3], words[4])
        let paddedDay = day.first == "0" ? " \(day.dropFirst())" : day
        let forms = [
            ", \(day) \(month) \(year) \(time) GMT",
            ", \(day)-\(month)-\(year.suffix(2)) \(time) GMT",
            " \(month) \(paddedDay) \(time) \(year)",
        ]
        let rest = text.drop { $0.isLetter }.lowercased()
        return forms.contains { $0.lowercased() == rest } ? seconds : nil
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int? {
        let name = month.lowercased()
        guard let day = number(day, in: 1...31), let month = months.firstIndex(where: { $0.lowercased() == name }),
            let shortYear = number(year, in: 0...9999)
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], in: 0...23), let minute = number(clock[1], in: 0...59),
            let second = number(clock[2], in: 0...60)
        else { return nil }
        // The RFC 850 form has two digits; 70 and above are years of the 20th century.
        let year = year.utf8.count == 2 ? shortYear + (shortYear < 70 ? 2000 : 1900) : shortYear
        return CalendarDate(year: year, month: month + 1, day: day)
            .secondsSince1970(hour: hour, minute: minute, second: second)
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard text.utf8.count <= 4, text.utf8.isDecimal, let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
