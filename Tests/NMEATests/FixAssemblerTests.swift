// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The assembler without sentences, with direct contributions.
@Suite(.timeLimit(.generous)) struct FixAssemblerTests {
    private let radio = Address("GPXYZ")

    private func time(_ second: Int) -> TimeOfDay? {
        TimeOfDay(hour: 10, minute: 0, second: second)
    }

    private func receive(_ second: Int, by assembler: inout FixAssembler) {
        assembler.receive(from: radio, timing: .opens(time(second))) { epoch in
            epoch.fill(\.coordinate, Coordinate(latitude: 1, longitude: 2))
            epoch.reportFix()
        }
    }

    @Test func `a fix is reported once, when its epoch ends`() {
        var assembler = FixAssembler()
        receive(1, by: &assembler)
        #expect(assembler.next() == nil)
        #expect(assembler.isWaiting)
        receive(2, by: &assembler)
        #expect(assembler.next()?.timeOfDay == time(1))
        #expect(assembler.next() == nil)
        assembler.silence()
        #expect(assembler.next()?.timeOfDay == time(2))
        #expect(assembler.next() == nil)
        #expect(!assembler.isWaiting)
    }

    @Test func `times without dates may continue for centuries`() {
        var assembler = FixAssembler()
        for count in 0..<125_000 {
            let time = TimeOfDay(hour: count * 23 % 24, minute: 0, second: 0)
            assembler.receive(from: radio, timing: .opens(time)) { epoch in
                epoch.fill(\.coordinate, Coordinate(latitude: 1, longitude: 2))
                epoch.reportFix()
            }
            _ = assembler.next()
        }
        assembler.silence()
        #expect(assembler.next()?.timeOfDay?.hour == 124_999 * 23 % 24)
    }

    @Test func `a position without evidence is not a fix`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .opens(time(1))) { epoch in
            epoch.fill(\.coordinate, Coordinate(latitude: 1, longitude: 2))
        }
        assembler.silence()
        let fix = assembler.next()
        #expect(fix?.mode == .noFix)
        #expect(fix?.coordinate == nil)
    }

    @Test func `evidence without a position is not a fix`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .opens(time(1))) { $0.reportFix(.threeD) }
        assembler.silence()
        #expect(assembler.next()?.mode == .noFix)
    }

    @Test func `a contribution without a time does not begin an epoch`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .untimed) { $0.reportFix(.threeD) }
        assembler.silence()
        #expect(assembler.next() == nil)
    }

    @Test func `restarting drops the current epoch`() {
        var assembler = FixAssembler()
        receive(1, by: &assembler)
        assembler.restart()
        assembler.silence()
        #expect(assembler.next() == nil)
    }

    @Test
    func `restarting forgets the times and the dimensions of the previous receiver's fixes`() {
        var bench = Bench()
        let cycle = Cycle("101520.00")
        bench.send(cycle.rmc(), cycle.gga())
        bench.silence()
        bench.restart()
        // Another receiver, with a fix at the same time. Its sentence has no dimensions.
        bench.send(cycle.rmc())
        bench.finish()
        #expect(bench.fixes.map(\.mode) == [.threeD, .twoD])
    }

    @Test func `a fix after a step back in time is reported, and no fix is reported twice`() {
        var assembler = FixAssembler()
        for second in [20, 21, 22, 23, 10, 22, 11, 30] { receive(second, by: &assembler) }
        assembler.silence()
        var delivered: [TimeOfDay?] = []
        while let fix = assembler.next() { delivered.append(fix.timeOfDay) }
        #expect(delivered == [20, 21, 22, 23, 10, 11, 30].map(time))
    }

    @Test func `fixes that have not been requested keep their order`() {
        var assembler = FixAssembler()
        for second in 1...5 { receive(second, by: &assembler) }
        assembler.silence()
        var delivered: [TimeOfDay?] = []
        assembler.takeFixes { fix, _ in delivered.append(fix.timeOfDay) }
        #expect(delivered == (1...5).map(time))
        #expect(!assembler.hasNext)
    }

    @Test func `no fix is returned before one is ready`() {
        var assembler = FixAssembler()
        var count = 0
        assembler.takeFixes { _, _ in count += 1 }
        receive(1, by: &assembler)
        receive(2, by: &assembler)
        assembler.takeFixes { _, _ in count += 1 }
        assembler.takeFixes { _, _ in count += 1 }
        #expect(count == 1)
    }

    @Test func `values that are not finite and impossible positions are unknown`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .opens(time(1))) { epoch in
            epoch.fill(\.coordinate, Coordinate(latitude: 48, longitude: .nan))
            epoch.fill(\.altitude, .nan)
            epoch.replace(\.speed, .infinity)
            epoch.fill(\.expectedError.altitude, .nan)
            epoch.reportFix(satellites: 8)
            #expect(epoch.fix.coordinate == nil)
            #expect(epoch.fix.altitude == nil)
            #expect(epoch.fix.speed == nil)
            #expect(epoch.errors.expectedError == StandardDeviation())
        }
    }
}
