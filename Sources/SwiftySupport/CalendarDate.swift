// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A date of the Gregorian calendar.
///
/// The arithmetic counts years from March on, so that the leap day comes last, in eras of 400 years.
package struct CalendarDate: Sendable, Equatable {
    package let year: Int
    /// The month, 1...12.
    package let month: Int
    package let day: Int

    /// Makes a date from its parts. A day that the month does not have is a day of a later one.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes a date from the number of days after 1970-01-01.
    package init(daysSince1970 days: Int) {
        let (era, dayOfEra) = (days + Self.daysUntil1970).dividedRoundingDown(by: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (dayOfYear * 5 + 2) / 153
        day = dayOfYear - (monthFromMarch * 153 + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The days from 1970-01-01 to the date.
    package var daysSince1970: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedRoundingDown(by: 400)
        let dayOfYear = ((month > 2 ? month - 3 : month + 9) * 153 + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysUntil1970
    }

    /// The seconds from 1970-01-01 to a time of the date, in UTC.
    package func secondsSince1970(hour: Int, minute: Int, second: Int) -> Int {
        ((daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
    }

    private static let daysOfEra = 146_097
    /// The days from 0000-03-01 to 1970-01-01.
    private static let daysUntil1970 = 719_468
}

extension Int {
    func dividedRoundingDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
