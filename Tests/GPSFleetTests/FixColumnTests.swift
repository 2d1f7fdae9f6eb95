// SPDX-License-Identifier: MIT
import GPSFleet
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct FixColumnTests {
    @Test func `a column keeps its place, in which spools of earlier versions have it`() {
        let names = [
            "mode", "quality", "lat", "lon", "alt", "geoid", "speed", "course", "climb", "heading",
            "hacc", "vacc", "hdop", "vdop", "pdop", "used", "inView", "correctionAge", "station",
            "timeOfDay", "odometer",
        ]
        #expect(FixColumn.all.map(\.name) == names)
        #expect(names.count == FixColumn.Table<Int>.count)
        #expect(FixColumn.all[FixColumn.latitude].name == "lat")
        #expect(FixColumn.all[FixColumn.longitude].name == "lon")
        #expect(FixColumn.all[FixColumn.odometer].name == "odometer")
    }
}
