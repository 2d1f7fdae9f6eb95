// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct SatelliteIDSetTests {
    private var all: [SatelliteID] {
        Constellation.allCases.flatMap { constellation in
            (0...200).compactMap { SatelliteID(constellation, $0) }
        }
    }

    @Test func `system IDs count from 1 and give the constellation`() {
        let ids = Constellation.bySystemID.map(\.systemID)
        #expect(ids == (1...UInt8(ids.count)).map { $0 })
        #expect(
            Constellation.bySystemID.map { Constellation(systemID: $0.systemID ?? 0) }
                == Constellation.bySystemID)
        #expect(Constellation(systemID: 0) == nil)
        #expect(Constellation(systemID: UInt8(ids.count) + 1) == nil)
    }

    @Test func `tables by constellation have an entry for each`() {
        let table = Constellation.Table<Bool>(repeating: false)
        #expect(table.count == Constellation.allCases.count)
        #expect(Constellation.allCases.map(\.rawValue).elementsEqual(0..<UInt8(table.count)))
    }

    @Test func `a set holds every possible satellite once`() {
        var set = SatelliteIDSet()
        #expect(set.isEmpty)
        for (index, id) in all.enumerated() {
            #expect(!set.contains(id))
            set.insert(id)
            set.insert(id)
            #expect(set.contains(id))
            #expect(set.count == index + 1)
        }
        #expect(all.count == 6 * 64 + 39)
    }

    @Test func `the description of a satellite is its RINEX name`() {
        #expect(SatelliteID(.gps, 5)?.description == "G05")
        #expect(SatelliteID(.sbas, 123)?.description == "S123")
        #expect(SatelliteID(.navIC, 14)?.description == "I14")
    }

    @Test func `a constellation has no satellite 0, and SBAS none below 120`() {
        #expect(SatelliteID(.gps, 0) == nil)
        #expect(SatelliteID(.gps, 65) == nil)
        #expect(SatelliteID(.sbas, 119) == nil)
        #expect(SatelliteID(.sbas, 159) == nil)
    }
}

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

    private func geometry(_ view: SatelliteView) -> SatelliteGeometry? {
        var sky = SkyGeometry()
        sky.update(view)
        return sky.geometry
    }

    // One at the zenith and three on the horizon: the variances are 2/3, 2/3, 4/3 and 1/3.
    @Test func `DOPs of four satellites are those computed by hand`() throws {
        let geometry = try #require(
            self.geometry(try view([(90, 0), (0, 0), (0, 120), (0, 240)])))
        #expect(abs(geometry.xdop * geometry.xdop - 2.0 / 3) < 1e-12)
        #expect(abs(geometry.ydop * geometry.ydop - 2.0 / 3) < 1e-12)
        #expect(abs(geometry.tdop * geometry.tdop - 1.0 / 3) < 1e-12)
        #expect(abs(geometry.gdop * geometry.gdop - 3) < 1e-12)
    }

    @Test func `satellites towards east and west make the north DOP worse`() throws {
        let geometry = try #require(
            self.geometry(try view([(80, 0), (10, 80), (10, 100), (10, 260), (10, 280)])))
        #expect(geometry.ydop > 2 * geometry.xdop)
    }

    @Test func `without four directions there are no DOPs`() throws {
        #expect(geometry(SatelliteView()) == nil)
        #expect(geometry(try view([(90, 0), (0, 0), (0, 120)])) == nil)
        // Four in one direction.
        #expect(geometry(try view([(30, 10), (30, 10), (30, 10), (30, 10)])) == nil)
        // Unused ones do not count.
        var seen = try view([(90, 0), (0, 0), (0, 120), (0, 240)])
        seen.used = SatelliteIDSet()
        #expect(geometry(seen) == nil)
    }

    @Test func `the DOPs and the numbers are those of the last of several views`() throws {
        let first = try view([(90, 0), (0, 0), (0, 120), (0, 240)])
        let moved = try view([(90, 0), (0, 0), (0, 121), (0, 240)])
        let fewer = try view([(90, 0), (0, 0), (0, 120)])
        var unused = first
        unused.used = SatelliteIDSet()
        var sky = SkyGeometry()
        for view in [first, first, moved, fewer, first, unused, first] {
            sky.update(view)
            #expect(sky.geometry == geometry(view))
            #expect((sky.inView, sky.used) == view.counts)
        }
        #expect(geometry(first) != geometry(moved))
    }
}
