// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

/// The date of an epoch.
@Suite(.timeLimit(.generous)) struct DateTests {
    private func days(_ text: String) -> [String] {
        decode(text).fixes.map { $0.time.map { String($0.description.prefix(10)) } ?? "none" }
    }

    @Test func `before a date is received an epoch has only a time of day`() {
        #expect(
            days(Cycle("101520.00").gga() + Cycle("101521.00").rmc()) == ["none", "2026-03-21"])
    }

    @Test func `a GGA after midnight has the next date before an RMC`() {
        let text = Cycle("235959.00").rmc() + Cycle("000000.00").gga() + Cycle("000001.00").gga()
        #expect(days(text) == ["2026-03-21", "2026-03-22", "2026-03-22"])
    }

    @Test func `a GGA from before midnight has the previous date`() {
        let text = Cycle("000000.00", date: "010126").rmc() + Cycle("235959.00").gga()
        #expect(days(text) == ["2026-01-01", "2025-12-31"])
    }

    @Test func `the year changes without an RMC`() {
        let text = Cycle("235959.50", date: "311227").rmc() + Cycle("000000.00").gga()
        #expect(days(text) == ["2027-12-31", "2028-01-01"])
    }

    @Test func `a date that changes an epoch after midnight belongs to the next day`() {
        let late = ["235959.00", "000000.00", "000001.00"].map { Cycle($0, date: "281126").rmc() }
        let text = late.joined() + Cycle("000002.00", date: "291126").rmc()
        #expect(days(text) == ["2026-11-28", "2026-11-29", "2026-11-29", "2026-11-29"])
        let zda =
            Cycle("235959.00", date: "281126").rmc() + line("GPZDA,235959.00,28,11,2026,,")
            + Cycle("000000.00", date: "291126").rmc() + line("GPZDA,000000.00,28,11,2026,,")
            + Cycle("000001.00", date: "291126").rmc() + line("GPZDA,000001.00,29,11,2026,,")
        #expect(days(zda) == ["2026-11-28", "2026-11-29", "2026-11-29"])
    }

    @Test func `a recording that begins a day earlier is not moved`() {
        let text =
            Cycle("000500.00", date: "291126").rmc() + Cycle("000505.00", date: "281126").rmc()
        #expect(days(text) == ["2026-11-29", "2026-11-28"])
    }

    @Test func `a leap second is a separate epoch`() {
        let text =
            Cycle("235959.00", date: "311216").rmc() + Cycle("235960.00", date: "311216").rmc()
            + Cycle("000000.00", date: "010117").rmc() + Cycle("000001.00").gga()
        let decoded = decode(text)
        #expect(
            decoded.fixes.map { $0.time?.description } == [
                "2016-12-31T23:59:59.000Z", "2016-12-31T23:59:60.000Z",
                "2017-01-01T00:00:00.000Z", "2017-01-01T00:00:01.000Z",
            ])
        #expect(decoded.fixes.allSatisfy { $0.mode > .noFix })
    }

    @Test func `6 January 1980 is an unknown date`() {
        #expect(days(Cycle("000012.00", date: "060180").rmc()) == ["none"])
        #expect(days(Cycle("000012.00", date: "060190").rmc()) == ["1990-01-06"])
    }

    @Test func `the date of a void RMC applies only to its own epoch`() {
        let garbage = Cycle("101520.00", date: "010107")
        #expect(days(garbage.rmc("V") + Cycle("101521.00").gga()) == ["2007-01-01", "none"])
        let text = Cycle("101519.00").rmc() + garbage.rmc("V") + Cycle("101521.00").gga()
        #expect(days(text) == ["2026-03-21", "2007-01-01", "2026-03-21"])
    }

    @Test func `the date of an RMC without a valid position applies only to its own epoch`() {
        // A gateway sends this until it has data, also between the sentences of a receiver.
        let placeholder = line("GPRMC,000000.00,A,0.000,N,0.000,E,0.0,0.0,010107,0.0,E")
        let cycles = Cycle.run(2)
        let text =
            cycles[0].gga() + cycles[0].rmc() + placeholder + cycles[1].gga() + placeholder
            + cycles[1].rmc()
        #expect(days(text) == ["2026-03-21", "2026-03-21"])
    }

    @Test func `the date of a ZDA in a void epoch applies only to its own epoch`() {
        let void = Cycle("101520.00", date: "280606")
        let zda = line("GPZDA,\(void.clock),28,06,2006,00,00")
        let (fixed, last) = (Cycle("101521.00"), Cycle("101522.00"))
        for text in [zda + void.rmc("V"), void.gga(quality: 0) + zda] {
            #expect(days(text + fixed.gga()) == ["2006-06-28", "none"])
            for dated in [fixed.zda() + fixed.gga(), fixed.gga() + fixed.zda()] {
                let all = days(text + dated + last.gga())
                #expect(all == ["2006-06-28", "2026-03-21", "2026-03-21"])
            }
        }
    }

    @Test func `a void ZDA does not change a date that is known`() {
        let zda = line("GPZDA,101521.00,28,06,2006,00,00")
        let text =
            Cycle("101520.00").rmc() + Cycle("101521.00").gga(quality: 0) + zda
            + Cycle("101522.00").gga()
        #expect(days(text) == ["2026-03-21", "2006-06-28", "2026-03-21"])
    }

    @Test func `the date of a ZDA whose epoch reports nothing else is used for later epochs`() {
        let cycles = Cycle.run(3)
        let text = cycles[0].zda() + cycles[1].gga() + cycles[2].gga()
        #expect(days(text) == ["2026-03-21", "2026-03-21", "2026-03-21"])
    }

    @Test func `each ZDA of a time server, which sends nothing else, is an epoch without a fix`() {
        let fixes = decode(Cycle.run(5).map { $0.zda() }.joined()).fixes
        #expect(fixes.map { $0.time?.time.second } == [20, 21, 22, 23, 24])
        #expect(fixes.allSatisfy { $0.mode == .noFix })
    }

    @Test func `a ZDA between fixes that are ten seconds apart is not an epoch`() {
        let zdas = Cycle.run(9, from: 21).map { $0.zda() }.joined()
        let fixes = decode(Cycle("101520.00").rmc() + zdas + Cycle("101530.00").rmc()).fixes
        #expect(fixes.map { $0.time?.time.second } == [20, 30])
    }

    @Test(arguments: 1...5)
    func `fixes at the same times of each day are all reported`(timesPerDay: Int) {
        let cycles = (0..<20).map { index in
            let hour = 10 + index % timesPerDay
            return Cycle("\(hour)0000.00", date: "\(10 + index / timesPerDay)0326")
        }
        let orders: [[(Cycle) -> String]] = [
            [{ $0.rmc() }], [{ $0.rmc() }, { $0.gga() }], [{ $0.gga() }, { $0.rmc() }],
            [{ $0.rmc() }, { $0.rmc() }],
        ]
        let expected = cycles.map { cycle in
            "2026-03-\(cycle.date.prefix(2))T\(cycle.clock.prefix(2)):00:00.000Z"
        }
        for order in orders {
            let fixes = decode(cycles.map { cycle in order.map { $0(cycle) }.joined() }.joined())
                .fixes
            #expect(fixes.compactMap { $0.time?.description } == expected)
            #expect(fixes.allSatisfy { $0.mode > .noFix })
        }
    }

    @Test func `on a live line, a fix a day is reported`() {
        var bench = Bench()
        for day in 10..<15 {
            bench.send(Cycle("120000.00", date: "\(day)0326").rmc())
            bench.silence()
        }
        #expect(bench.fixes.map { $0.time?.date.day } == [10, 11, 12, 13, 14])
    }
}

/// Times of day get their date from received dates only.
@Suite(.timeLimit(.generous)) struct TimeGoesOnTests {
    @Test func `after a long gap the time of day is the next one, not the last`() throws {
        // 13 hours after 10:30; on the previous day it would be 11 hours before.
        let text = Cycle("103000.00").rmc() + Cycle("233000.00").gga()
        let fix = try #require(decode(text).fixes.last)
        #expect(fix.time?.description == "2026-03-21T23:30:00.000Z")
    }

    @Test func `a sentence of the previous day may arrive after midnight`() throws {
        let text =
            Cycle("000001.00", date: "220326").rmc() + Cycle("235959.00").gga()
            + Cycle("000002.00").gga()
        let times = decode(text).fixes.map { $0.time?.description }
        #expect(times.contains("2026-03-21T23:59:59.000Z"))
        #expect(times.last == "2026-03-22T00:00:02.000Z")
    }

    @Test func `a date belongs to the time of its sentence`() throws {
        // The same epoch by the tolerance, but on two days.
        let text = Cycle("000000.00", date: "220326").rmc() + Cycle("235959.995").gga()
        let fix = try #require(decode(text).fixes.last)
        #expect(fix.time?.description == "2026-03-21T23:59:59.995Z")
    }

    @Test func `after an outage a receiver has no date until it sends one`() throws {
        var bench = Bench()
        bench.send(Cycle("101520.00").rmc(), Cycle("101521.00").rmc())
        bench.restart()
        bench.send(Cycle("230000.00").gga(), Cycle("230001.00").gga())
        bench.send(Cycle("230002.00", date: "240326").rmc())
        bench.finish()
        let fixes = bench.fixes.suffix(3)
        #expect(fixes.map { $0.time?.date.day } == [nil, nil, 24])
    }

    @Test func `a repeated cycle is reported once, and the fix is not lost`() {
        let cycles = Cycle.run(4)
        let text = [0, 1, 1, 2, 3].map { cycles[$0].rmc() + cycles[$0].gga() }.joined()
        let fixes = decode(text).fixes
        #expect(fixes.count == 4)
        #expect(fixes.allSatisfy { $0.mode > .noFix })
    }

    @Test(arguments: [2, 3, 4])
    func `the fix after times that were repeated is marked, because the time has gone back`(
        count: Int
    ) throws {
        let cycles = Cycle.run(8).map { $0.rmc() + $0.gga() }
        let text = (cycles[..<6] + cycles[(6 - count)...]).joined()
        let fixes = decode(text).fixes
        let marked = fixes.indices.filter { fixes[$0].followsRepeatedTimes == true }
        #expect(fixes.count == 8 && marked == [6])
    }

    @Test(arguments: [
        "0000011111222223333", "0112233445566", "0102132435465", "0123445671", "012345566",
    ])
    func `times that are sent again in each cycle, or once, do not mean that the time went back`(
        order: String
    ) {
        let cycles = Cycle.run(8)
        let text = order.compactMap(\.wholeNumberValue).map { cycles[$0].rmc() + cycles[$0].gga() }
        #expect(decode(text.joined()).fixes.allSatisfy { $0.followsRepeatedTimes == nil })
    }

    @Test func `at 100 Hz each epoch is separate`() {
        let text = (0..<40).map { Cycle("101520.\($0 < 10 ? "0" : "")\($0)").rmc() }.joined()
        let fixes = decode(text).fixes
        #expect(fixes.count == 40)
        #expect(fixes.allSatisfy { $0.mode > .noFix })
    }

    @Test func `on a live line sentences after a silence belong to the next epoch`() throws {
        var bench = Bench()
        for (index, cycle) in Cycle.run(6).enumerated() {
            bench.send(line("GPGSA,A,3,05,07,13,14,,,,,,,,,1.9,1.\(index),1.6"))
            bench.send(cycle.rmc(), cycle.gga())
            bench.silence()
        }
        #expect(bench.fixes.map(\.dilution.hdop) == [1.0, 1.1, 1.2, 1.3, 1.4, 1.5])
        // Learned after two cycles: then each fix is reported with the last of its three sentences.
        #expect(bench.moments.suffix(3) == [12, 15, 18])
    }
}

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
