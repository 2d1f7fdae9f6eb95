// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

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
        let marked = fixes.indices.filter { fixes[$0].followsRepeatedTimes }
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
        #expect(decode(text.joined()).fixes.allSatisfy { !$0.followsRepeatedTimes })
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
