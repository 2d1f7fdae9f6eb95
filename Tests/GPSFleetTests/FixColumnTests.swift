// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct FixColumnTests {
    @Test func `columns keep the positions that spools of earlier versions use`() {
        let names = [
            "mode", "quality", "lat", "lon", "alt", "geoid", "speed", "course", "climb", "heading",
            "hacc", "vacc", "hdop", "vdop", "pdop", "used", "inView", "correctionAge", "station",
            "timeOfDay", "odometer", "integrity",
        ]
        #expect(FixColumn.all.map(\.name) == names)
        #expect(names.count == FixColumn.Table<Int>.count)
        #expect(FixColumn.all[FixColumn.latitude].name == "lat")
        #expect(FixColumn.all[FixColumn.longitude].name == "lon")
        #expect(FixColumn.all[FixColumn.odometer].name == "odometer")
    }
}
