// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SkyChartTests {
    @Test func `a sky cell has the mean C/N0 of its direction`() throws {
        var cells = SkyCells()
        cells.add(40, elevation: 85, azimuth: 10)
        cells.add(50, elevation: 83, azimuth: 80)
        cells.add(30, elevation: 0, azimuth: -1)
        cells.add(20, elevation: 5, azimuth: 719.5)
        cells.add(99, elevation: -1, azimuth: 0)
        cells.add(.nan, elevation: 10, azimuth: 0)
        let heard = cells.received
        try #require(heard.count == 2)
        #expect(heard[0].cn0 == 45 && heard[0].elevations == 80...90)
        #expect(heard[0].azimuths == 0...90)
        #expect(heard[1].cn0 == 25 && heard[1].elevations == 0...10)
        #expect(heard[1].azimuths.upperBound == 360)
    }

    @Test func `a satellite's path has a point per degree, and where the satellite was used`() {
        var path = SkyPath()
        for step in 0..<1000 {
            path.add(elevation: 10 + Double(step) * 0.06, azimuth: 100, isUsed: step >= 500)
        }
        #expect(55...65 ~= path.points.count)
        let first = path.points.first { $0.isUsed }
        #expect(first.map { abs($0.elevation - 40) < 0.1 } == true)
        #expect(path.points.count { $0.beginsSegment } == 1)
    }

    @Test func `no line is drawn from where a satellite sets to where it rises`() {
        var path = SkyPath()
        path.add(elevation: 2, azimuth: 90, isUsed: true)
        path.add(elevation: 1, azimuth: 200, isUsed: true)
        #expect(path.points.map(\.beginsSegment) == [true, true])
    }

    @Test func `repeated days do not take more memory, and the last day stays smooth`() {
        var path = SkyPath()
        for step in 0..<100_000 {
            // Up over the south and down again in steps of half a degree, repeatedly.
            let angle = Double(step % 360) / 2
            path.add(
                elevation: min(angle, 180 - angle) * 0.8, azimuth: 90 + angle, isUsed: true)
        }
        #expect(path.points.count < SkyPath.limit)
        #expect(path.points.count > SkyPath.limit / 3)
        let longest = zip(path.points, path.points.dropFirst()).compactMap { a, b in
            b.beginsSegment ? nil : abs(a.azimuth - b.azimuth)
        }.max()
        #expect((longest ?? 99) < 10)
    }
}

/// Fixes for tests.
enum Positions {
    /// A fix a number of seconds after noon.
    static func fix(
        _ seconds: Double, _ latitude: Double, _ longitude: Double, speed: Double? = nil,
        altitude: Double? = nil, isDated: Bool = true
    ) -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        fix.speed = speed
        fix.altitude = altitude
        let noon: Int64 = 1_774_094_400_000_000_000
        let time = UTCTime(unixNanoseconds: noon + Int64(seconds * 1e9))
        fix.time = isDated ? time : nil
        fix.timeOfDay = time?.time
        return fix
    }

    /// The approximate place at an offset in metres to the east and north of 48° N 11° E.
    static func place(_ east: Double, _ north: Double) -> (latitude: Double, longitude: Double) {
        (48 + north / 111_200, 11 + east / 74_600)
    }
}

extension Plot {
    /// Adds a fix without satellites.
    mutating func take(_ fix: Fix) {
        didReceive(fix: fix, satellites: SatelliteView())
    }

    /// Adds a number of epochs of a simulated receiver, always the same ones.
    mutating func watch(
        _ epochs: Int, _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
    ) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox9
        configuration.seed = 7
        change(&configuration)
        var receiver = SimulatedReceiver(configuration, startingAt: 1_774_270_800)
        var decoder = NMEADecoder()
        for _ in 0..<epochs {
            let epoch = receiver.next()
            decoder.push(epoch.bytes.span, to: &self)
        }
        decoder.finish(to: &self)
    }
}

extension Drawing {
    /// All texts of the drawing.
    var texts: [String] {
        shapes.compactMap { shape in
            switch shape {
            case .text(let text, _, _), .label(let text, _, _, _): text
            default: nil
            }
        }
    }
}

@Suite(.timeLimit(.generous))
struct TicksTests {
    private let second: Int64 = 1_000_000_000

    @Test func `ticks are round numbers within the axis`() {
        #expect(AxisTicks(157.2, 180.3, about: 5).values == [160, 165, 170, 175, 180])
        #expect(
            AxisTicks(-0.6, 0.6, about: 6).values.map { ($0 * 10).rounded() } == [
                -6, -4, -2, 0, 2, 4, 6,
            ])
        let ticks = AxisTicks(0, 1, about: 5)
        #expect(ticks.values.map(ticks.text) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"])
    }

    @Test(arguments: [(0.0, 0.0), (1, 0), (.nan, 1), (-.infinity, .infinity), (1e300, 1e301)])
    func `impossible axes have finitely many ticks`(_ low: Double, _ high: Double) {
        #expect(AxisTicks(low, high, about: 5).values.count <= 100)
    }

    @Test func `times are UTC, with a date at midnight`() {
        // 2026-03-21 22:00 to 2026-03-22 02:00
        let start: Int64 = 1_774_130_400
        let ticks = TimeTicks(.date, start * second, (start + 14_400) * second, atMost: 5)
        #expect(ticks.ticks.map(\.text) == ["22:00", "23:00", "2026-03-22", "01:00", "02:00"])
    }

    @Test func `tenths of seconds have decimals, long times have days`() {
        let ticks = TimeTicks(.timeOfDay, 0, second, atMost: 3)
        #expect(ticks.ticks.map(\.text) == ["00:00:00.000", "00:00:00.500", "00:00:01.000"])
        let days = TimeTicks(.date, 0, 86_400 * 10 * second, atMost: 4)
        #expect(days.ticks.map(\.text) == ["1970-01-01", "1970-01-06", "1970-01-11"])
    }

    @Test(arguments: [(Int64.min, Int64.max), (.min, .min), (.max, .max), (-5, 5), (5, -5)])
    func `any two times have finitely many ticks`(_ first: Int64, _ last: Int64) {
        #expect(TimeTicks(.date, first, last, atMost: 10).ticks.count <= 100)
    }
}
