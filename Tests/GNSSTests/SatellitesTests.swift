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
