// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// Where a track's segments end, and what a summary counts twice.
@Suite(.timeLimit(.generous)) struct SegmentGapTests {
    /// Returns the fixes of a way to the north, `step` seconds and a tenth of `step` arc-seconds apart.
    private func way(_ count: Int, step: Int64, from start: Int64 = 0) -> [Fix] {
        (0..<count).map { index in
            var fix = Fix()
            let second = start + Int64(index) * step
            fix.time = UTCTime(unixNanoseconds: (1_774_094_400 + second) * 1_000_000_000)
            fix.coordinate = Coordinate(latitude: 48 + Double(second) / 36_000, longitude: 11)
            fix.mode = .twoD
            return fix
        }
    }

    private func summary(_ fixes: [Fix], gap: Double = SegmentGap.usual) -> TrackSummary {
        var summary = TrackSummary(gap: gap)
        for fix in fixes { summary.add(fix) }
        return summary
    }

    @Test func `a track with a fix every ten minutes is one segment with a distance`() {
        let summary = summary(way(20, step: 600))
        // A tenth of an arc-second of latitude is 3.09 m.
        #expect(abs(summary.distance / (19 * 600 * 3.0888) - 1) < 0.01)
        #expect(summary.movingTime == 19 * 600)
        // With --gap, the user decides.
        #expect(self.summary(way(20, step: 600), gap: 61).distance == 0)
    }

    @Test func `a gap in a track of one fix a second is not counted`() {
        let summary = summary(way(60, step: 1) + way(60, step: 1, from: 600))
        #expect(abs(summary.distance / (2 * 59 * 3.0888) - 1) < 0.05)
    }

    @Test func `a gap is more than ten of a sparse track's steps`() {
        var gap = SegmentGap(limit: SegmentGap.usual)
        #expect(
            [90, 120, 900, 901, 90].map { gap.isGap($0) } == [false, false, false, true, false])
        #expect([1, 61, 60, -1].map { gap.isGap($0) } == [false, true, false, true])
    }

    @Test func `three runs of one trip in a file are counted once`() throws {
        let run = way(600, step: 1)
        let (once, thrice) = (summary(run), summary(run + run + run))
        #expect(thrice.movingTime == once.movingTime)
        #expect(abs(thrice.distance - once.distance) < 1)
        #expect(thrice.repeatedCount == 1200)
        #expect(try thrice.movingTime <= #require(thrice.duration))
    }

    @Test func `a run that goes on longer adds its end`() {
        let summary = summary(way(600, step: 1) + way(900, step: 1))
        #expect(abs(summary.movingTime - 898) < 5)
        #expect(summary.repeatedCount == 600)
    }
}

/// The fixes of a simulated receiver on a path, and the length of the path.
struct SimulatedWay {
    static let place = Coordinate(latitude: 48.2, longitude: 16.37)

    let fixes: [Fix]
    /// The length in metres.
    let length: Double

    init(
        _ trajectory: any Trajectory, seconds: Int, rate: Double = 1, seed: UInt64 = 1,
        change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
    ) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.trajectory = trajectory
        configuration.rate = rate
        configuration.seed = seed
        change(&configuration)
        var receiver = SimulatedReceiver(configuration)
        var decoder = NMEADecoder()
        var fixes: [Fix] = []
        var length = 0.0
        for _ in 0..<Int(Double(seconds) * rate) {
            let epoch = receiver.next()
            length += epoch.truth.state.speed / rate
            decoder.push(epoch.bytes.span) { event in
                if case .fix(let fix, _) = event { fixes.append(fix) }
            }
        }
        (self.fixes, self.length) = (fixes, length)
    }

    /// A path to the north at a constant speed.
    init?(
        speed: Double, seconds: Int, rate: Double = 1, seed: UInt64 = 1, rise: Double = 0
    ) {
        let end = Self.place.moved(north: speed * Double(seconds) + 100, east: 0)
        guard
            let line = LineTrack(
                from: Self.place, to: end, speed: speed, altitude: 200, finalAltitude: 200 + rise)
        else { return nil }
        self.init(line, seconds: seconds, rate: rate, seed: seed)
    }

    func summary(_ change: (inout Fix) -> Void = { _ in }) -> TrackSummary {
        var summary = TrackSummary()
        for var fix in fixes {
            change(&fix)
            summary.add(fix)
        }
        return summary
    }
}

extension Fix {
    /// Removes the speed, as in files of positions.
    mutating func removeSpeed() { (speed, course) = (nil, nil) }

    /// Rounds the position to decimals of a minute.
    mutating func round(minuteDecimals: Int) {
        let scale = (0..<minuteDecimals).reduce(60.0) { result, _ in result * 10 }
        coordinate = coordinate.map {
            Coordinate(
                latitude: ($0.latitude * scale).rounded() / scale,
                longitude: ($0.longitude * scale).rounded() / scale)
        }
    }
}
