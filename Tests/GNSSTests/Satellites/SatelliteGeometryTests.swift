// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct SatelliteGeometryTests {
    private func view(_ directions: [(elevation: Double, azimuth: Double)]) throws -> SatelliteView
    {
        var view = SatelliteView()
        for (index, direction) in directions.enumerated() {
            let id = try #require(SatelliteID(.gps, index + 1))
            view.signals.append(
                SatelliteSignal(
                    id: id, elevation: direction.elevation, azimuth: direction.azimuth))
            view.used.insert(id)
        }
        return view
    }

    // One at the zenith and three on the horizon: the variances are 2/3, 2/3, 4/3 and 1/3.
    @Test func `DOPs of four satellites are those computed by hand`() throws {
        let geometry = try #require(
            SatelliteGeometry(try view([(90, 0), (0, 0), (0, 120), (0, 240)])))
        #expect(abs(geometry.xdop * geometry.xdop - 2.0 / 3) < 1e-12)
        #expect(abs(geometry.ydop * geometry.ydop - 2.0 / 3) < 1e-12)
        #expect(abs(geometry.tdop * geometry.tdop - 1.0 / 3) < 1e-12)
        #expect(abs(geometry.gdop * geometry.gdop - 3) < 1e-12)
    }

    @Test func `satellites towards east and west make the north DOP worse`() throws {
        let geometry = try #require(
            SatelliteGeometry(try view([(80, 0), (10, 80), (10, 100), (10, 260), (10, 280)])))
        #expect(geometry.ydop > 2 * geometry.xdop)
    }

    @Test func `without four directions there are no DOPs`() throws {
        #expect(SatelliteGeometry(SatelliteView()) == nil)
        #expect(SatelliteGeometry(try view([(90, 0), (0, 0), (0, 120)])) == nil)
        // Four in one direction.
        #expect(SatelliteGeometry(try view([(30, 10), (30, 10), (30, 10), (30, 10)])) == nil)
        // Unused ones do not count.
        var seen = try view([(90, 0), (0, 0), (0, 120), (0, 240)])
        seen.used = SatelliteIDSet()
        #expect(SatelliteGeometry(seen) == nil)
    }
}
