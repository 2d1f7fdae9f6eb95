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

@Suite(.timeLimit(.generous))
struct ScatterTests {
    @Test func `50 and 95 % of the positions are within the radii`() {
        let places = (1...100).map { radius in
            LocalPlane.Point(
                east: Double(radius) * cos(Double(radius)),
                north: Double(radius) * sin(Double(radius)))
        }
        let scatter = Scatter(places.reversed())
        #expect(abs(scatter.cep50 - 50) < 1e-9)
        #expect(abs(scatter.cep95 - 95) < 1e-9)
    }

    @Test func `a normal distribution has the theoretical radii`() {
        var sample = Sample<LocalPlane.Point>(limit: 32_768)
        var state: UInt64 = 1
        func uniform() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Double(state >> 11) + 1) / 9_007_199_254_740_994
        }
        for _ in 0..<200_000 {
            let (radius, angle) = ((-2 * log(uniform())).squareRoot(), 2 * .pi * uniform())
            sample.add(.init(east: radius * cos(angle), north: radius * sin(angle)))
        }
        #expect(sample.values.count == 32_768 && sample.count > 32_768)
        // Sigma 1: the roots of 2 ln 2 and of 2 ln 20.
        let scatter = Scatter(sample.values)
        #expect(abs(scatter.cep50 - 1.1774) < 0.015)
        #expect(abs(scatter.cep95 - 2.4477) < 0.03)
    }

    @Test func `with few positions, the radius of 50 % includes at least half of them`() {
        let scatter = Scatter([1, 2, 3].map { .init(east: $0, north: 0) })
        #expect(scatter.cep50 == 2)
        #expect(scatter.cep95 == 3)
    }

    @Test func `one position or none has no radius`() {
        #expect(Scatter([]).cep95 == 0)
        #expect(Scatter([.init(east: 0, north: 0)]).cep50 == 0)
    }

    @Test func `a sample has all values up to its limit, and later values have the same chance`() {
        var sample = Sample<Int>(limit: 1000)
        for value in 0..<1000 { sample.add(value) }
        #expect(sample.values == Array(0..<1000) && sample.count == 1000)
        for value in 1000..<100_000 { sample.add(value) }
        #expect(sample.values.count == 1000)
        let late = sample.values.count { $0 >= 50_000 }
        #expect(430...570 ~= late)
    }

    @Test func `positions that cannot be reached are ignored`() throws {
        var plot = Plot()
        for second in 0..<1000 {
            let (latitude, longitude) = Positions.place(Double(second % 3), Double(second % 2))
            let isStray = second == 500 || second == 501
            plot.take(
                isStray
                    ? Positions.fix(Double(second), 0, 0)
                    : Positions.fix(Double(second), latitude, longitude))
        }
        let main = try #require(plot.regions.main)
        #expect(plot.regions.all[main].count == 998)
        #expect(plot.regions.all[main].mean.distance < 2)
        let strays = try #require(plot.regions.strays)
        #expect(strays.count == 2)
        #expect(abs(strays.distance - 5_420_000) < 100_000)
        #expect(Sheet.draw(plot).texts.contains { $0.hasPrefix("2 fixes are left out") })
    }

    @Test func `a track that begins with an outlier has a start and an end on the map`() {
        var plot = Plot()
        plot.take(Positions.fix(0, 0, 0))
        for second in 1..<200 {
            let (latitude, longitude) = Positions.place(Double(second), 0)
            plot.take(Positions.fix(Double(second), latitude, longitude))
        }
        let texts = Sheet.draw(plot).texts
        #expect(texts.contains("start") && texts.contains("end"))
        #expect(texts.contains { $0.hasPrefix("1 fix is left out") })
    }

    @Test func `a moving receiver has no scatter plot, but a note on how to get one`() {
        var plot = Plot()
        for second in 0..<100 {
            let (latitude, longitude) = Positions.place(Double(second) * 10, 0)
            plot.take(Positions.fix(Double(second), latitude, longitude, speed: 10))
        }
        let texts = Sheet.draw(plot).texts
        #expect(texts.contains("Trip"))
        #expect(texts.contains { $0.contains("--after") })
        #expect(!texts.contains { $0.hasPrefix("CEP") })
    }

    @Test func `the scatter plot is centred on the true position if known, otherwise on the mean`()
    {
        func texts(_ truth: Coordinate?) -> [String] {
            var settings = PlotSettings()
            settings.truth = truth
            var plot = Plot(settings)
            for second in 0..<4 {
                let (latitude, longitude) = Positions.place(
                    second % 2 == 0 ? 10 : -10, second / 2 == 0 ? 0 : 0.001)
                plot.take(Positions.fix(Double(second), latitude, longitude, speed: 0))
            }
            return Sheet.draw(plot).texts
        }
        let about = texts(nil)
        #expect(about.contains("about the mean"))
        #expect(about.contains("CEP50 10.0 m"))
        #expect(about.contains { $0.contains("the true position is unknown") })
        let (latitude, longitude) = Positions.place(0, 100)
        let truth = texts(Coordinate(latitude: latitude, longitude: longitude))
        #expect(truth.contains("about the true place"))
        #expect(truth.contains("CEP95 100.5 m"))
        #expect(truth.contains { $0.contains("the mean, 100.0 m off") })
    }
}
