// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
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
