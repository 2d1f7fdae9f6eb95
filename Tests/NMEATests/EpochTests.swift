// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The boundaries between epochs.
@Suite(.timeLimit(.generous)) struct EpochBoundaryTests {
    @Test func `the GGA of all constellations counts, not that of GPS beside it`() {
        let gps = line("GPGGA,120000,4812.000,N,01622.000,E,1,05,2.0,500.0,M,45.0,M,,")
        let all = line("GNGGA,120000,4812.001,N,01622.001,E,1,11,1.0,520.0,M,45.0,M,,")
        let rmc = line("GNRMC,120000,A,4812.001,N,01622.001,E,5.0,90.0,281126,,,A")
        for text in [gps + all + rmc, all + gps + rmc, rmc + all + gps] {
            let fix = decode(text).fixes.last
            #expect(fix?.altitude == 520 && fix?.dilution.hdop == 1 && fix?.satellitesUsed == 11)
        }
    }

    @Test func `a different time begins an epoch, forward or backward`() {
        let decoded = decode(
            Cycle("101520.00").rmc() + Cycle("101521.00").rmc() + Cycle("101510.00").rmc())
        #expect(decoded.fixes.compactMap(\.time?.time.second) == [20, 21, 10])
    }

    @Test func `times within ten milliseconds are one epoch with the last time`() {
        let decoded = decode(Cycle("101519.995").rmc() + Cycle("101520.00").gga())
        #expect(decoded.fix.time?.time.second == 20)
        #expect(decoded.fix.altitude == 171.4)
        #expect(decode(Cycle("101519.98").rmc() + Cycle("101520.00").gga()).fixes.count == 2)
    }

    @Test func `more than 100 fixes a second are one epoch each, from the third on`() {
        let cycles = (0..<40).map { Cycle("101520.\(String(1000 + 5 * $0).dropFirst())") }
        let kinds: [(Cycle) -> String] = [{ $0.gga() }, { $0.rmc() + $0.gga() + $0.gsa() }]
        for sentences in kinds {
            let decoded = decode(cycles.map(sentences).joined())
            let steps = decoded.fixes.compactMap { $0.timeOfDay.map { $0.nanosecond / 5_000_000 } }
            #expect(steps == [0] + (2..<40))
        }
    }

    @Test func `two receivers on one line with times a few milliseconds apart are one epoch`() {
        let text = Cycle.run(6).map { $0.gga() + Cycle("\($0.clock.dropLast(2))004").gga() }
        #expect(decode(text.joined()).fixes.count == 6)
    }

    @Test func `ten milliseconds are counted around midnight`() {
        #expect(decode(Cycle("235959.995").rmc() + Cycle("000000.00").gga()).fixes.count == 1)
    }

    @Test func `GST and GRS join the epoch of their time and never begin one`() {
        let gst = line("GPGST,101521.00,,,,,3.0,4.0,6.0")
        let decoded = decode(Cycle("101520.00").rmc() + gst + Cycle("101520.00").gga())
        #expect(decoded.fix.standardDeviation.latitude == nil)
        #expect(decoded.fix.altitude == 171.4)
        #expect(decode(gst).fixes.isEmpty)
    }

    @Test func `a GST before the other sentences of its epoch belongs to it`() {
        func gst(_ second: Int) -> String {
            line("GPGST,1015\(second).00,,,,,\(second).0,4.0,6.0")
        }
        let cycles = Cycle.run(3)
        let text = zip(20..., cycles).map { gst($0) + $1.gga() + $1.rmc() }.joined()
        #expect(decode(text).fixes.map(\.standardDeviation.latitude) == [20, 21, 22])
        // The next epoch has another time.
        let later = decode(cycles[0].gga() + gst(21) + cycles[2].gga() + cycles[1].gga())
        #expect(later.fixes.allSatisfy { $0.standardDeviation.latitude == nil })
    }

    @Test func `a ZDA that is a second ahead of its cycle is not an epoch`() {
        let cycles = Cycle.run(5)
        let text = zip(cycles, cycles.dropFirst()).map { $1.zda() + $0.gga() + $0.rmc() }
        let fixes = decode(text.joined()).fixes
        #expect(fixes.map { $0.time?.time.second } == [20, 21, 22, 23])
        #expect(fixes.allSatisfy { $0.mode == .threeD })
    }

    @Test func `sentences without time before the first timed one belong to its epoch`() {
        let cycle = Cycle("101520.00")
        let decoded = decode(cycle.gsa() + cycle.gsv() + cycle.rmc())
        #expect(decoded.fix.dilution.pdop == 1.9)
        #expect(decoded.fix.mode == .threeD)
    }

    @Test func `after a lost sentence, GSA and VTG do not belong to the epoch before`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(5).enumerated() {
            bench.send(
                index == 2 ? "" : cycle.gga(),
                line("GPGSA,A,3,05,07,13,14,,,,,,,,,\(index).9,1.0,1.6"),
                line("GPVTG,90.0,T,,M,\(index).0,N,,K,A"), cycle.gll())
        }
        bench.finish()
        #expect(bench.fixes.map(\.dilution.pdop) == [0.9, 1.9, nil, 3.9, 4.9])
        let knots = bench.fixes.map { $0.speed.map { ($0 * 3600 / 1852).rounded() } }
        #expect(knots == [0, 1, nil, 3, 4])
    }

    @Test func `values without a time between two silences do not belong to the next fix`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(6).enumerated() {
            let vtg = line("GPVTG,90.0,T,,M,\(index).0,N,,K,A")
            bench.send(index == 4 ? "" : cycle.gga(), vtg, line("HEHDT,\(index)1.0,T"))
            bench.silence()
        }
        let knots = bench.fixes.map { $0.speed.map { ($0 * 3600 / 1852).rounded() } }
        #expect(knots == [0, 1, 2, 3, 5])
        #expect(bench.fixes.last?.attitude.heading == 41)
    }

    @Test func `a fix whose position was lost on the line is not a lost fix`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(12).enumerated() {
            let hasFix = index < 6
            let gsa = hasFix ? cycle.gsa() : cycle.gsa(1, ",,,,,,,,,,,")
            bench.send(cycle.zda(), index == 3 || !hasFix ? "" : cycle.gga(), gsa)
        }
        bench.finish()
        let fixes = bench.fixes.filter { $0.mode > .noFix }
        #expect(fixes.map { $0.time?.time.second } == [20, 21, 22, 24, 25])
        // After three seconds without a position, the fix is lost.
        let lost = bench.fixes.filter { $0.mode == .noFix }
        #expect(lost.map { $0.time?.time.second } == [29, 30, 31])
    }

    @Test func `without times an epoch ends when its first sentence is repeated`() {
        let empty = [
            line("GPRMC,,V,,,,,,,,,,N"), line("GPGGA,,,,,,0,,,,,,,,"), line("GPGSA,A,1,,,,"),
        ]
        let decoded = decode((empty + empty + empty).joined())
        #expect(decoded.fixes.count == 3)
        #expect(decoded.fixes.allSatisfy { $0.mode == .noFix && $0.timeOfDay == nil })
    }

    @Test func `a sentence of another device without a time does not end an epoch of the receiver`()
    {
        let cycle = Cycle("101520.00")
        let void = line("AIRMC,,V,,,,,,,,,,N")
        let decoded = decode(cycle.rmc() + void + void + cycle.gga())
        #expect(decoded.fix.altitude == 171.4)
        // It does if that device is the only receiver.
        #expect(decode(void + void).fixes.count == 2)
    }

    @Test func `a sentence without a time after a silence does not end a fix that was reported`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(8).enumerated() {
            bench.send(cycle.rmc(), cycle.gga())
            bench.silence()
            // A second receiver on the line has no time yet.
            if index >= 4 { bench.send(line("GPGLL,,,,,,V,N")) }
        }
        bench.finish()
        #expect(bench.fixes.map(\.mode) == Array(repeating: .threeD, count: 8))
    }

    @Test func `a stopped clock is a lost fix, reported once`() {
        let cycle = Cycle("101520.00")
        let whole = cycle.rmc() + cycle.gga()
        let decoded = decode(whole + whole + whole + whole + Cycle("101525.00").rmc())
        #expect(decoded.fixes.map(\.mode) == [.threeD, .noFix, .twoD])
        #expect(decoded.fixes.first?.coordinate != nil)
    }

    @Test func `sentences that are sent twice give the same fixes as those sent once`() {
        let lines = Cycle.run(6).flatMap { [$0.rmc(), $0.gga(), $0.gsa(), $0.gll(), $0.zda()] }
        let once = decode(lines.joined()).fixes
        #expect(once.count == 6)
        #expect(decode(lines.flatMap { [$0, $0] }.joined()).fixes == once)
    }

    @Test func `at 5 Hz with whole seconds the fix is not lost, after the first second`() {
        let text = Cycle.run(6).flatMap { Array(repeating: $0.rmc() + $0.gga(), count: 5) }.joined()
        let fixes = decode(text).fixes
        #expect(fixes.count == 7)
        #expect(fixes.dropFirst(2).allSatisfy { $0.mode == .threeD })
    }

    @Test func `one GGA per constellation is not a repetition`() {
        let cycle = Cycle("101520.00")
        let decoded = decode(cycle.gga("GP") + cycle.gga("GL") + cycle.gga("GA") + cycle.rmc())
        #expect(decoded.fixes.count == 1)
        #expect(decoded.fix.mode == .threeD)
    }

    @Test func `more talkers than can be stored do not split an epoch`() {
        let strangers = (0..<30).map { index in
            let first = UInt8(ascii: "A") + UInt8(index % 15)
            let second = UInt8(ascii: "X") + UInt8(index / 15)
            return line(String(decoding: [first, second], as: UTF8.self) + "VTG,,T,,M,,N,,K")
        }
        let cycles = Cycle.run(8).enumerated().map { index, cycle in
            cycle.rmc() + cycle.gga() + (index == 3 ? strangers.prefix(15).joined() : "")
                + (index == 4 ? strangers.dropFirst(15).joined() : "")
        }
        let fixes = decode(cycles.joined()).fixes
        #expect(fixes.count == 8)
        #expect(fixes.allSatisfy { $0.altitude != nil })
    }
}
