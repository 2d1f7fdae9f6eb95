// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

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
