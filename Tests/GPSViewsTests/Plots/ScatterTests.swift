// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Glibc
import Testing

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
