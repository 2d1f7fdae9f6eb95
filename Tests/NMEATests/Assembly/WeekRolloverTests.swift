// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

/// Receivers that report a date 1024 weeks too early.
@Suite(.timeLimit(.generous)) struct WeekRolloverTests {
    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDate {
        try #require(CalendarDate(year: year, month: month, day: day))
    }

    private func decoder(built: CalendarDate, today: CalendarDate) -> NMEADecoder {
        var decoder = NMEADecoder()
        decoder.rollover = WeekRollover(built: built, today: today)
        return decoder
    }

    @Test func `an implausible date is corrected, marked and kept as received`() throws {
        let decoder = decoder(built: try day(2019, 1, 1), today: try day(2019, 4, 7))
        let fix = decode(Cycle("000231.42", date: "220899").rmc(), decoder).fix
        #expect(fix.time?.description == "2019-04-07T00:02:31.420Z")
        #expect(fix.receivedDate == CalendarDate(year: 1999, month: 8, day: 22))
        #expect(!fix.isDateSuspect)
    }

    @Test func `epochs without a date are corrected by the same number of days`() throws {
        let decoder = decoder(built: try day(2019, 1, 1), today: try day(2019, 4, 7))
        let text = Cycle("235959.00", date: "220899").rmc() + Cycle("000000.00").gga()
        let fix = try #require(decode(text, decoder).fixes.last)
        #expect(fix.time?.date == CalendarDate(year: 2019, month: 4, day: 8))
        #expect(fix.receivedDate == CalendarDate(year: 1999, month: 8, day: 23))
    }

    @Test func `the leap seconds of a corrected GPS week are those of the corrected date`() throws {
        var solution = NavSOL()
        // Saturday, 5 August 2006: the leap seconds were 14 instead of 18.
        (solution.timeOfWeekMilliseconds, solution.week) = (UBXStream.noon, 2410 - 1024)
        (solution.fixType, solution.flags) = (.threeD, NavSOL.Flags(rawValue: 0b1101))
        (solution.x, solution.y, solution.z) = (4_085_896, 1_200_385, 4_732_884)
        let decoder = decoder(built: try day(2026, 3, 1), today: try day(2026, 3, 21))
        let fix = try #require(Transcript([ArraySlice(solution.frame)], decoder).fixes.first)
        #expect(fix.time?.description == "2026-03-21T12:00:00.000Z")
        #expect(fix.receivedDate == CalendarDate(year: 2006, month: 8, day: 5))
        let recorded = try #require(UBXStream.decode(solution.frame).fixes.first)
        #expect(recorded.time?.description == "2006-08-05T12:00:04.000Z")
    }

    @Test func `two week rollovers are corrected`() throws {
        let rollover = WeekRollover(built: try day(2040, 1, 1), today: try day(2040, 1, 1))
        #expect(rollover.missingDays(of: try day(2000, 10, 1)) == 2 * 7168)
    }

    @Test func `a plausible date is not changed`() throws {
        let decoder = decoder(built: try day(2026, 3, 22), today: try day(2026, 4, 1))
        for date in ["210326", "220326", "010140"] {
            let fix = decode(Cycle("101520.00", date: date).rmc(), decoder).fix
            #expect(fix.receivedDate == nil)
        }
        // A date more than a day before the build is impossible, but not because of a rollover.
        #expect(decode(Cycle("101520.00", date: "010126").rmc(), decoder).fix.receivedDate == nil)
    }

    @Test func `an old recording played into a tty keeps its date`() throws {
        // 1024 weeks later it would be 2034.
        let decoder = decoder(built: try day(2026, 3, 1), today: try day(2026, 11, 20))
        let fix = decode(Cycle("101520.00", date: "180315").rmc(), decoder).fix
        #expect(fix.time?.date == CalendarDate(year: 2015, month: 3, day: 18))
        #expect(fix.receivedDate == nil)
    }

    @Test func `a system clock in the past corrects no date`() throws {
        let rollover = WeekRollover(built: try day(2026, 3, 1), today: try day(1970, 1, 1))
        #expect(rollover.missingDays(of: try day(2006, 8, 1)) == 0)
    }

    @Test func `a recording's date is unchanged and marked as suspect`() {
        let fix = decode(Cycle("000231.42", date: "220899").rmc()).fix
        #expect(fix.time?.description == "1999-08-22T00:02:31.420Z")
        #expect(fix.receivedDate == nil)
        #expect(fix.isDateSuspect)
        #expect(!decode(Cycle("101520.00").rmc()).fix.isDateSuspect)
    }
}
