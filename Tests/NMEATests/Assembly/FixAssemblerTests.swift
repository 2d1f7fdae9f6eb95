// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The assembler by itself, without sentences: anything may contribute.
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

    @Test func `a fix comes out when its epoch ends, and once`() {
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

    @Test func `times of day may go on for centuries`() {
        var assembler = FixAssembler()
        for count in 0..<125_000 {
            let time = TimeOfDay(hour: count * 23 % 24, minute: 0, second: 0)
            assembler.receive(from: radio, timing: .opens(time)) { $0.reportFix() }
            _ = assembler.next()
        }
        assembler.silence()
        #expect(assembler.next()?.timeOfDay?.hour == 124_999 * 23 % 24)
    }

    @Test func `without evidence a position is no fix`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .opens(time(1))) { epoch in
            epoch.fill(\.coordinate, Coordinate(latitude: 1, longitude: 2))
        }
        assembler.silence()
        let fix = assembler.next()
        #expect(fix?.mode == .noFix)
        #expect(fix?.coordinate == nil)
    }

    @Test func `evidence without a position is no fix either`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .opens(time(1))) { $0.reportFix(.threeD) }
        assembler.silence()
        #expect(assembler.next()?.mode == .noFix)
    }

    @Test func `an untimed contribution alone is no epoch`() {
        var assembler = FixAssembler()
        assembler.receive(from: radio, timing: .untimed) { $0.reportFix(.threeD) }
        assembler.silence()
        #expect(assembler.next() == nil)
    }

    @Test func `restarting drops the epoch under way`() {
        var assembler = FixAssembler()
        receive(1, by: &assembler)
        assembler.restart()
        assembler.silence()
        #expect(assembler.next() == nil)
    }

    @Test func `time that jumps back is published, and no fix is published twice`() {
        var assembler = FixAssembler()
        for second in [20, 21, 22, 23, 10, 22, 11, 30] { receive(second, by: &assembler) }
        assembler.silence()
        var told: [TimeOfDay?] = []
        while let fix = assembler.next() { told.append(fix.timeOfDay) }
        #expect(told == [20, 21, 22, 23, 10, 11, 30].map(time))
    }

    @Test func `fixes that have not been asked for keep their order`() {
        var assembler = FixAssembler()
        for second in 1...5 { receive(second, by: &assembler) }
        assembler.silence()
        var told: [TimeOfDay?] = []
        assembler.takeFixes { fix, _ in told.append(fix.timeOfDay) }
        #expect(told == (1...5).map(time))
        #expect(!assembler.hasNext)
    }

    @Test func `where no fix is ready none is handed over`() {
        var assembler = FixAssembler()
        var count = 0
        assembler.takeFixes { _, _ in count += 1 }
        receive(1, by: &assembler)
        receive(2, by: &assembler)
        assembler.takeFixes { _, _ in count += 1 }
        assembler.takeFixes { _, _ in count += 1 }
        #expect(count == 1)
    }

    @Test func `what is no number, and no place on Earth, is not known`() {
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
