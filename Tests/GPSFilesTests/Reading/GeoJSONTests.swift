// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// GeoJSON of other programs, with missing coordinates and times of other forms.
@Suite(.timeLimit(.generous))
struct GeoJSONTests {
    @Test func `null is an unknown altitude or a missing position, and never shifts the others`() {
        let reading = Reading(
            """
            {"type":"LineString","coordinates":[[16,48,null],[17,48,171],[null,null],[18,48,172]]}
            """)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.longitude) == [16, 17, 18])
        #expect(reading.fixes.map(\.ellipsoidalAltitude) == [nil, 171, 172])
        #expect(reading.entries.map(\.segment) == [1, 1, 2])
    }
}
