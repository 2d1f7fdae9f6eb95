// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct TrackThinningTests {
    /// The lengths of all drawn lines, in metres.
    private func lines(_ plot: Plot) -> [Double] {
        let points = plot.track.points
        return zip(points, points.dropFirst()).compactMap { a, b in
            b.beginsSegment ? nil : LocalPlane(at: a.coordinate).point(at: b.coordinate).distance
        }
    }

    @Test func `repeated laps do not take more memory, and no corner is cut`() {
        var plot = Plot()
        for second in 0..<60_000 {
            let angle = Double(second) * 0.0527
            let noise = sin(Double(second) * 12.9898) * 3
            let (latitude, longitude) = Positions.place(
                (100 + noise) * cos(angle), (100 + noise) * sin(angle))
            plot.take(Positions.fix(Double(second), latitude, longitude, speed: 5))
        }
        #expect(plot.track.points.count < TrackThinning.limit)
        #expect(plot.track.points.count > TrackThinning.limit / 8)
        #expect(plot.track.isPartial)
        // The distance of a second, and the noise.
        #expect(lines(plot).allSatisfy { $0 < 14 })
        let texts = Sheet.draw(plot).texts
        #expect(texts.contains { $0.contains("not all of it is drawn") })
    }

    @Test(arguments: [306, 50_000])
    func `a place visited once among many laps is drawn`(_ start: Int) {
        var plot = Plot()
        for second in 0..<60_000 {
            let angle = Double(second) * 0.0527
            let noise = sin(Double(second) * 12.9898) * 3
            // One lap goes straight across.
            let isAcross = start..<start + 40 ~= second
            let radius = isAcross ? Double(second - start - 20) * 5 : 100 + noise
            let (latitude, longitude) = Positions.place(radius * cos(angle), radius * sin(angle))
            plot.take(Positions.fix(Double(second), latitude, longitude, speed: 5))
        }
        let plane = LocalPlane(at: Coordinate(latitude: 48, longitude: 11))
        let inside = plot.track.points.count { plane.point(at: $0.coordinate).distance < 60 }
        #expect(inside >= 20)
        #expect(plot.track.isPartial)
    }

    @Test func `a short trip from a long rest is drawn completely`() {
        var plot = Plot()
        for second in 0..<60_000 {
            let noise = (sin(Double(second) * 12.9898) * 2, sin(Double(second) * 78.233) * 2)
            let way = max(0, 150 - abs(Double(second) - 40_000)) * 20
            let (latitude, longitude) = Positions.place(noise.0 + way, noise.1)
            plot.take(Positions.fix(Double(second), latitude, longitude, speed: 0))
        }
        let farthest = plot.track.points.map(\.coordinate.longitude).max() ?? 0
        #expect(abs(farthest - Positions.place(3000, 0).longitude) < 0.001)
        let away = plot.track.points.count { $0.coordinate.longitude > 11 + 100 / 74_600.0 }
        #expect(away >= 250)
    }

    @Test func `a long drive keeps its shape in few points`() {
        var plot = Plot()
        for second in 0..<40_000 {
            let (latitude, longitude) = Positions.place(
                Double(second) * 10, 5000 * sin(Double(second) / 3000))
            plot.take(Positions.fix(Double(second), latitude, longitude, speed: 10))
        }
        #expect(plot.track.points.count <= TrackThinning.limit)
        #expect(!plot.track.isPartial)
        // 400 km wide: a line has at most a 400th of twice that, and the distance of a second.
        #expect(lines(plot).allSatisfy { $0 < 2100 })
    }

    @Test func `a gap, a lost fix and a step back in time break the line`() {
        var plot = Plot()
        for second in [0, 1, 2, 100, 101, 50, 51.0] {
            plot.take(Positions.fix(second, 48, 11 + second * 1e-4))
        }
        plot.take(Fix())
        plot.take(Positions.fix(52, 48, 11.0052))
        let begins = plot.track.points.map(\.beginsSegment)
        #expect(begins == [true, false, false, true, false, true, false, true])
    }
}
