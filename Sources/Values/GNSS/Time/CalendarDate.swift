// SPDX-License-Identifier: MIT

/// A day of the Gregorian calendar, in UTC.
public struct CalendarDate: Hashable, Sendable {
    // The date takes only four bytes, because every fix contains one.
    @usableFromInline let storedYear: UInt16
    @usableFromInline let storedMonth: UInt8
    @usableFromInline let storedDay: UInt8

    /// The year, 1 to 9999.
    @inlinable public var year: Int { Int(storedYear) }

    /// The month, 1 to 12.
    @inlinable public var month: Int { Int(storedMonth) }

    /// The day, 1 to 31.
    @inlinable public var day: Int { Int(storedDay) }

    /// Creates a date. Returns `nil` if the day does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        storedYear = UInt16(year)
        storedMonth = UInt8(month)
        storedDay = UInt8(day)
    }

    /// Creates the date `days` days after 1 January 1970. Returns `nil` outside the years 1 to
    /// 9999.
    public init?(daysSince1970 days: Int) {
        guard -719_162...2_932_896 ~= days else { return nil }
        // Years are counted from 1 March here, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        storedMonth = UInt8(month)
        storedDay = UInt8(dayOfYear - (153 * march + 2) / 5 + 1)
        storedYear = UInt16(yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
    }

    /// 1 January 1970.
    package static let unixEpoch = CalendarDate(storedYear: 1970, storedMonth: 1, storedDay: 1)

    private init(storedYear: UInt16, storedMonth: UInt8, storedDay: UInt8) {
        self.storedYear = storedYear
        self.storedMonth = storedMonth
        self.storedDay = storedDay
    }

    /// The number of days since 1 January 1970.
    public var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the date `days` days later, or earlier if `days` is negative. Returns the same date
    /// if the result is outside the years 1 to 9999.
    public func adding(days: Int) -> CalendarDate {
        guard days != 0 else { return self }
        let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
        return overflow ? self : CalendarDate(daysSince1970: sum) ?? self
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
