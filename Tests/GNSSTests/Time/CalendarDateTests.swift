// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct CalendarDateTests {
    @Test(arguments: [
        (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1),
        (2024, 1, 0), (0, 1, 1), (10_000, 1, 1),
    ])
    func `days that do not exist are rejected`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [(2024, 2, 29), (2000, 2, 29), (1, 1, 1), (9999, 12, 31)])
    func `days that exist are accepted`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) != nil)
    }

    @Test func `days of four centuries have consecutive numbers`() throws {
        var previous = try #require(CalendarDate(year: 1899, month: 12, day: 31))
        for days in previous.daysSince1970 + 1...previous.daysSince1970 + 146_097 {
            let date = try #require(CalendarDate(daysSince1970: days))
            #expect(date.daysSince1970 == days)
            #expect(previous.adding(days: 1) == date)
            previous = date
        }
        #expect(previous == CalendarDate(year: 2299, month: 12, day: 31))
    }

    @Test func `1 January 1970 is day 0, and earlier days are negative`() {
        #expect(CalendarDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
        #expect(CalendarDate(year: 1969, month: 12, day: 31)?.daysSince1970 == -1)
        #expect(CalendarDate(year: 2026, month: 3, day: 21)?.daysSince1970 == 20_533)
    }

    @Test func `the calendar ends with the year 9999`() throws {
        let last = try #require(CalendarDate(year: 9999, month: 12, day: 31))
        #expect(last.adding(days: 1) == last)
        #expect(CalendarDate(daysSince1970: last.daysSince1970 + 1) == nil)
    }
}
