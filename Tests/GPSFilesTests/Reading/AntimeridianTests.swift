// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// GeoJSON's lines across ±180°.
@Suite(.timeLimit(.generous))
struct AntimeridianTests {
    /// A line as `geojson-lines`, and what is read from it.
    private func written(_ positions: [(Double, Double)]) -> (text: String, read: Reading) {
        var format = GeoJSONLineFormat()
        format.begin(OutputSource(name: "a.nmea", origin: .replay))
        for (longitude, latitude) in positions {
            var fix = Fix()
            fix.mode = .threeD
            fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
            format.write(fix)
        }
        var bytes: [UInt8] = []
        format.drain { bytes += Array($0) }
        bytes += format.closing
        return (String(decoding: bytes, as: UTF8.self), Reading(bytes))
    }

    @Test func `a track is cut at the antimeridian, and its parts are one segment when read`() {
        let (text, read) = written([(170, 40), (179, 10), (-178, 13), (-170, 50)])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(7).joined() == """
                {"type":"Feature","properties":{"origin":"replay","segment":0,"source":"a.nmea"},\
                "geometry":{"type":"LineString","coordinates":[[170.000000000,40.000000000],\
                [179.000000000,10.000000000],[180.000000000,11.000000000]]}}\
                ,{"type":"Feature","properties":{"origin":"replay","segment":0,"source":"a.nmea"},\
                "geometry":{"type":"LineString","coordinates":[[-180.000000000,11.000000000],\
                [-178.000000000,13.000000000],[-170.000000000,50.000000000]]}}]}
                """, "\(text)")
        #expect(read.error == nil)
        #expect(read.fixes.compactMap(\.coordinate?.longitude) == [170, 179, 180, -178, -170])
        #expect(read.entries.map(\.segment) == [1, 1, 1, 1, 1])
    }

    @Test(arguments: [180, -180] as [Double])
    func `a position on the antimeridian is read once`(_ edge: Double) {
        let (text, read) = written([(-179, 1), (edge, 2), (edge, 3), (179, 4)])
        #expect(text.split(separator: "LineString").count == 3, "\(text)")
        #expect(read.fixes.compactMap(\.coordinate?.latitude) == [1, 2, 3, 4])
        #expect(Set(read.entries.map(\.segment)) == [1])
        // A line that only begins or ends there is not cut: a line has at least two positions.
        for line in [[(edge, 1), (-179, 2)], [(179, 1), (edge, 2)]] as [[(Double, Double)]] {
            let (text, read) = written(line)
            #expect(text.split(separator: "LineString").count == 2, "\(text)")
            #expect(read.fixes.compactMap(\.coordinate?.latitude) == [1, 2])
        }
    }

    @Test func `a route is cut into a MultiLineString, and read with its points only`() {
        var route = Route()
        let positions: [(Double, Double)] = [(170, 45), (-170, 45), (-160, 40)]
        route.points = positions.map { longitude, latitude in
            Waypoint(Coordinate(latitude: latitude, longitude: longitude))
        }
        route.points[1].name = "B"
        var format = GeoJSONFormat()
        format.begin(OutputSource(name: "a.gpx", origin: .replay))
        let isWritten = format.write(route)
        #expect(isWritten)
        var bytes: [UInt8] = []
        format.drain { bytes += Array($0) }
        bytes += format.closing
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text.contains(
                """
                "points":["",null,null,"B",""]},"geometry":{"type":"MultiLineString","coordinates":\
                [[[170.000000000,45.000000000],[180.000000000,45.000000000]],\
                [[-180.000000000,45.000000000],[-170.000000000,45.000000000],\
                [-160.000000000,40.000000000]]]}}
                """), "\(text)")
        let read = Reading(bytes, keepsWaypoints: true)
        #expect(read.error == nil)
        #expect(read.routes.map(\.points) == [route.points])
    }

    @Test func `lines that do not meet at the antimeridian stay two segments`() {
        let read = Reading(
            """
            {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":
            [[[179,1],[180,1]],[[-180,2],[-179,2]]]}}
            """)
        #expect(read.entries.map(\.segment) == [1, 1, 2, 2])
    }
}
