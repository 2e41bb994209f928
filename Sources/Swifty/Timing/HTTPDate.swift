// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Parses the dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` and the two older forms (RFC 9110 §5.6.7).
enum HTTPDate {
    /// The date in seconds since 1970; `nil` if the text is in none of the three forms.
    static func secondsSince1970(_ text: Substring) -> Int? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT" || words[5] == "UTC":
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int? {
        guard let day = number(day, in: 1...31), let month = months.firstIndex(of: month),
            let shortYear = number(year, in: 0...9999)
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], in: 0...23), let minute = number(clock[1], in: 0...59),
            let second = number(clock[2], in: 0...60)
        else { return nil }
        // The RFC 850 form has two digits; 70 and above are years of the 20th century.
        let year = year.utf8.count == 2 ? shortYear + (shortYear < 70 ? 2000 : 1900) : shortYear
        return days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
