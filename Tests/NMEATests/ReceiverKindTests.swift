// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Fast and slow receivers, and receivers with few sentences.
@Suite(.timeLimit(.generous)) struct ReceiverKindTests {
    private func clock(_ milliseconds: Int) -> String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let seconds = milliseconds / 1000
        return padded(seconds / 3600 % 24, 2) + padded(seconds / 60 % 60, 2)
            + padded(seconds % 60, 2) + "." + padded(milliseconds % 1000, 3)
    }

    @Test(arguments: [1, 2, 4, 5, 8, 10, 20, 25])
    func `at any rate every epoch is reported once, with its last sentence`(rate: Int) {
        var bench = Bench()
        for epoch in 0..<60 {
            let cycle = Cycle(clock(36_000_000 + epoch * 1000 / rate))
            bench.send(cycle.rmc(), cycle.gga(), cycle.gsa())
        }
        bench.finish()
        #expect(bench.fixes.count == 60)
        #expect(Set(bench.fixes.map(\.time)).count == 60)
        #expect(bench.fixes.allSatisfy { $0.mode == .threeD })
        let lastSentences = Array(stride(from: 9, through: 180, by: 3))
        #expect(Array(bench.moments.dropFirst(2)) == lastSentences)
    }

    @Test func `with ten fixes a second, a sentence sent once a second belongs to the right fix`() {
        var bench = Bench()
        for epoch in 0..<60 {
            let cycle = Cycle(clock(36_000_000 + epoch * 100))
            bench.send(cycle.gga())
            if epoch % 10 == 0 { bench.send(cycle.rmc(), cycle.vtg()) }
        }
        bench.finish()
        #expect(bench.fixes.count == 60)
        // The fix at the second whole second is reported before its other sentences are expected.
        let late = bench.fixes.enumerated().filter { $0.offset >= 20 }
        #expect(late.allSatisfy { ($0.element.speed != nil) == ($0.offset % 10 == 0) })
        // Each of the last ten fixes is reported with its last sentence.
        #expect(Array(bench.moments.suffix(10)) == Array(63...72))
    }

    @Test func `a receiver that sends only RMC has a fix for each`() {
        var bench = Bench()
        for cycle in Cycle.run(6) { bench.send(cycle.rmc()) }
        #expect(bench.moments == [2, 3, 3, 4, 5, 6])
    }

    @Test func `a receiver that sends only GGA has fixes without a date`() {
        var bench = Bench()
        for cycle in Cycle.run(6) { bench.send(cycle.gga()) }
        bench.finish()
        #expect(bench.fixes.count == 6)
        #expect(
            bench.fixes.allSatisfy { $0.time == nil && $0.timeOfDay != nil && $0.mode == .threeD })
    }

    @Test func `a receiver that sends only GLL has positions`() {
        var bench = Bench()
        for cycle in Cycle.run(6) { bench.send(cycle.gll()) }
        bench.finish()
        #expect(bench.fixes.count == 6)
        #expect(bench.fixes.allSatisfy { $0.mode == .twoD })
    }

    @Test func `the end of the cycle is learned again after the sentences change`() {
        var bench = Bench()
        let cycles = Cycle.run(12)
        for cycle in cycles[..<4] { bench.send(cycle.rmc(), cycle.gga(), cycle.gsa()) }
        for cycle in cycles[4..<8] { bench.send(cycle.gga(), cycle.gsa(), cycle.rmc()) }
        for cycle in cycles[8...] { bench.send(cycle.rmc(), cycle.gga()) }
        bench.finish()
        #expect(bench.fixes.count == 12)
        #expect(bench.fixes.map(\.time?.time.second) == (20..<32).map { $0 })
        // The last fix of each kind was reported with its last sentence.
        #expect(bench.moments[3] == 12)
        #expect(bench.moments[7] == 24)
        #expect(bench.moments[11] == 32)
    }

    @Test func `copies that another device sends are ignored while the receiver has a fix`() {
        let place = "4812.49,N,01622.4,E"
        func rmc(_ second: Int) -> String {
            line("IIRMC,1015\(second),A,\(place),9.9,89.0,210326,0.0,E")
        }
        func copies(_ second: Int) -> String {
            line("IIGGA,1015\(second),\(place),1,8,1,171,M,0,M,,")
                + line("IIGLL,\(place),1215\(second).020,A") + rmc(second)
        }
        var bench = Bench()
        for (second, cycle) in zip(20..., Cycle.run(8)) {
            bench.send(cycle.gga(), copies(second - 1), cycle.gsa(), cycle.rmc(), copies(second))
        }
        // In the first cycle, it is not known that the receiver sends RMC.
        let fixes = bench.fixes.filter { ($0.time?.time.second ?? 0) > 20 }
        #expect(fixes.compactMap { $0.time?.time.second } == Array(21...27))
        #expect(fixes.allSatisfy { $0.coordinate?.latitude == 48 + 12.5 / 60 })
        #expect(fixes.allSatisfy { $0.ellipsoidalAltitude == 171.4 + 43.1 && $0.course == 90 })
        // Without the receiver, or without its fix, they are used.
        for second in 28..<58 { bench.send(rmc(second)) }
        bench.finish()
        #expect(bench.fixes.last?.course == 89)
        #expect(decode(Cycle("101520.00").gga(quality: 0) + rmc(21)).fixes.last?.course == 89)
    }

    @Test func `a sentence of another device adds what the receiver does not send`() {
        var bench = Bench()
        for (second, cycle) in zip(20..., Cycle.run(6)) {
            let copy = line("IIRMC,1015\(second),A,4812.49,N,01622.4,E,9.9,89.0,210326,,,A")
            bench.send(cycle.gga(), copy, cycle.gsa())
        }
        bench.finish()
        #expect(bench.fixes.count == 6)
        #expect(bench.fixes.allSatisfy { $0.coordinate?.latitude == 48 + 12.5 / 60 })
        #expect(bench.fixes.allSatisfy { $0.time != nil && $0.course == 89 })
    }

    @Test func `positions of another device from before the receiver's are ignored`() {
        var bench = Bench()
        for epoch in 0..<40 {
            bench.send(Cycle("1015\(20 + epoch / 10).\(epoch % 10)0").rmc())
            guard epoch % 10 == 9 else { continue }
            bench.send(line("IIGGA,1015\(20 + epoch / 10),4812.49,N,01622.4,E,1,8,1,171,M,0,M,,"))
        }
        bench.finish()
        #expect(bench.fixes.count == 40)
        #expect(bench.fixes.allSatisfy { $0.coordinate?.latitude == 48 + 12.5 / 60 })
    }

    @Test(arguments: [false, true])
    func `positions of another device without a time are used after the receiver has stopped`(
        isVoid: Bool
    ) {
        let other = line("IIGLL,4812.49,N,01622.4,E,,A") + line("IIHDM,85.0,M")
        let last = isVoid ? line("GPRMC,101525.00,V,,,,,,,210326,,,N") : ""
        let own = Cycle.run(5).map { $0.rmc() }.joined() + last
        let fixes = decode(own + String(repeating: other, count: 60)).fixes
        // The receiver counts as silent after twenty of them.
        #expect(fixes.count { $0.timeOfDay == nil && $0.coordinate != nil } >= 35)
    }

    @Test func `400 midnights at 10 Hz are 400 days`() throws {
        var assembler = FixAssembler()
        let contributor = Address("GPXYZ")
        var day = try #require(CalendarDate(year: 2027, month: 12, day: 1))
        var instants: [Int64] = []
        for _ in 0..<400 {
            for tenth in -20..<20 {
                let date = tenth < 0 ? day : day.adding(days: 1)
                let milliseconds = tenth < 0 ? 86_400_000 + tenth * 100 : tenth * 100
                let time = TimeOfDay(
                    hour: milliseconds / 3_600_000, minute: milliseconds / 60_000 % 60,
                    second: milliseconds / 1000 % 60, nanosecond: milliseconds % 1000 * 1_000_000)
                assembler.receive(from: contributor, timing: .opens(time)) { epoch in
                    epoch.fill(\.coordinate, Coordinate(latitude: 48, longitude: 16))
                    epoch.reportFix()
                    // The date is sent only once per second, and not in the first second of the day.
                    if tenth % 10 == 0, tenth != 0 { epoch.fill(date: date, isTrusted: true) }
                }
                while let fix = assembler.next() {
                    instants.append(try #require(fix.time).unixNanoseconds)
                }
            }
            day = day.adding(days: 1)
        }
        assembler.silence()
        while let fix = assembler.next() { instants.append(fix.time?.unixNanoseconds ?? 0) }
        #expect(instants.count == 400 * 40)
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
    }
}
