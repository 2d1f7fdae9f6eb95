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

    // Python writes `NaN`, and C `nan` or `-inf`.
    @Test(arguments: ["NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf"])
    func `NaN and infinity are unknown numbers`(_ number: String) {
        let reading = Reading(
            #"{"type":"Feature","properties":{"speed":\#(number),"hdop":1.5},"#
                + #""geometry":{"type":"Point","coordinates":[16,48,\#(number)]}}"#)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.latitude) == [48])
        #expect(reading.fixes.map(\.dilution.hdop) == [1.5])
        #expect(reading.fixes.allSatisfy { $0.speed == nil && $0.ellipsoidalAltitude == nil })
        let gpsd = Reading(#"{"class":"TPV","mode":2,"lat":48,"lon":16,"speed":\#(number)}"#)
        #expect(gpsd.error == nil && gpsd.fixes.map(\.speed) == [nil])
        for word in ["NaN0", "Null", "-"] {
            #expect(Reading(#"{"type":"Point","coordinates":[16,\#(word)]}"#).error != nil)
        }
    }

    @Test(arguments: ["ele", "elevation", "alt", "altitude"])
    func `an elevation that another program repeats as third coordinate gives no geoid separation`(
        _ name: String
    ) throws {
        func read(_ properties: String) throws -> Fix {
            let reading = Reading(
                #"{"type":"Feature","properties":{\#(properties)},"#
                    + #""geometry":{"type":"Point","coordinates":[16,48,171.5]}}"#)
            return try #require(reading.fixes.first)
        }
        let repeated = try read(#""\#(name)":171.5"#)
        #expect(repeated.altitude == 171.5 && repeated.mode == .threeD)
        #expect(repeated.ellipsoidalAltitude == nil && repeated.geoidSeparation == nil)
        let different = try read(#""\#(name)":128"#)
        #expect(different.altitude == 128 && different.geoidSeparation == 43.5)
        // GDAL rounds the coordinate, and others write 0 for an unknown altitude.
        for altitude in [171.5004567, 171.46, 500] {
            let rounded = try read(#""\#(name)":\#(altitude)"#)
            #expect(rounded.altitude == altitude && rounded.mode == .threeD)
            #expect(rounded.ellipsoidalAltitude == nil && rounded.geoidSeparation == nil)
        }
        // gpsbridge writes both, and the separation may be 0.
        let own = try read(#""origin":"replay","\#(name)":171.5"#)
        #expect(own.ellipsoidalAltitude == 171.5 && own.geoidSeparation == 0)
        #expect(try read("").ellipsoidalAltitude == 171.5)
    }

    @Test func `a point whose mode is no fix ends the segment`() {
        let features = [(3, 16), (1, 0), (2, 17)].map {
            #"{"type":"Feature","properties":{"mode":\#($0)},"#
                + #""geometry":{"type":"Point","coordinates":[\#($1),48]}}"#
        }
        let list = features.joined(separator: ",")
        let reading = Reading(#"{"type":"FeatureCollection","features":[\#(list)]}"#)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.longitude) == [16, 17])
        #expect(reading.entries.map(\.segment) == [1, 2])
    }

    @Test(arguments: [
        #"{"type":"FeatureCollection","features":[]}"#, #"{"features":[]}"#,
        #"{"type":"Feature","geometry":null,"properties":null}"#, #"{"geometries":[]}"#,
    ])
    func `GeoJSON without a position is not an error of its format`(_ text: String) {
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.isEmpty)
    }

    @Test func `an instrument's value that is too large to be written is absent`() throws {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.instruments[.tripLog] = 1e9
        fix.instruments[.depth] = 7.9
        var format = GeoJSONSeqFormat()
        format.begin(OutputSource(name: "a", origin: .replay))
        format.write(fix)
        var bytes: [UInt8] = []
        format.drain { bytes += Array($0) }
        let reading = Reading(bytes + format.closing)
        #expect(reading.error == nil)
        let read = try #require(reading.fixes.first)
        #expect(read.instruments[.depth] == 7.9 && read.instruments[.tripLog] == nil)
    }

    /// Returns the times that are read from a text, and the warning about the others.
    private func times(_ text: String) throws -> (times: [String?], warning: String?) {
        var reader = JSONInput(file: "file")
        var times: [String?] = []
        try reader.push(Array(text.utf8)[...]) { event in
            if case .fix(let fix, _) = event { times.append(fix.time?.description) }
        }
        return (times, reader.warning ?? reader.leftOut.warning)
    }

    @Test func `times of other forms are counted, and another property may have the time`() throws {
        func points(_ properties: [String]) -> String {
            let features = properties.map {
                #"{"type":"Feature","properties":{\#($0)},"#
                    + #""geometry":{"type":"Point","coordinates":[16,48]}}"#
            }
            return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        }
        let time = #""timestamp":"2026-03-21T12:00:00Z""#
        let known = try times(
            points([time, #""time":1774094400,\#(time)"#, "", #""time":null"#, #""time":"""#]))
        let noon = "2026-03-21T12:00:00.000Z"
        #expect(known.times == [noon, noon, nil, nil, nil])
        #expect(known.warning == nil)
        let unknown = try times(points([time, #""time":12"#, #""time":"noon""#]))
        #expect(unknown.times == [noon, nil, nil])
        let warning = try #require(unknown.warning)
        #expect(warning.hasPrefix("has 2 times in an unknown form (the first in position 2"))
    }

    private static let line =
        #""geometry":{"type":"LineString","coordinates":[[16,48],[17,48]]}"#

    @Test(arguments: [
        #""coordTimes":[@,@]"#, #""coordTimes":[[@],[@]]"#, #""times":[@,@]"#, #""time":[@,@]"#,
        #""coordinateProperties":{"times":[@,@]}"#, #""linestringTimestamps":[@,@]"#,
    ])
    func `a list of times of a line is read, and other numbers are counted`(_ list: String) throws {
        for (time, isRead) in [
            (#""2026-03-21T12:00:00Z""#, true), ("1774094400000", true), ("12", false),
        ] {
            let properties = #""properties":{\#(list.replacing("@", with: time))}"#
            for members in [properties + "," + Self.line, Self.line + "," + properties] {
                let read = try times(#"{"type":"Feature",\#(members)}"#)
                let time = isRead ? "2026-03-21T12:00:00.000Z" : nil
                #expect(read.times == [time, time])
                #expect(read.warning?.hasPrefix("has 2 times in an") == (isRead ? nil : true))
            }
        }
    }

    @Test(arguments: ["", "[16,95],"])
    func `a list of times has an element for each position, also for one that is left out`(
        _ odd: String
    ) throws {
        let list = #"["2026-03-21T12:00:00Z",null,"2026-03-21T12:00:02Z"]"#
        let read = try times(
            #"{"type":"Feature","properties":{"coordTimes":\#(list)},"geometry":"#
                + #"{"type":"LineString","coordinates":[[16,48],\#(odd)[16,49]]}}"#)
        let (first, last) = ("2026-03-21T12:00:00.000Z", "2026-03-21T12:00:02.000Z")
        #expect(read.times == (odd.isEmpty ? [nil, nil] : [first, last]))
        let warning = odd.isEmpty ? "has features with lists" : "has 1 point with an impossible"
        #expect(read.warning?.hasPrefix(warning) == true)
    }

    @Test func `a line without times is not reported, nor are lists of other values`() throws {
        for properties in [
            "", #""coordTimes":[null,null]"#, #""coordinateProperties":{"heart":[80,81]}"#,
            #""time":"2026-03-21T12:00:00Z""#, #""photos":[{"time":1774094400000}]"#,
        ] {
            let text = #"{"type":"Feature","properties":{\#(properties)},\#(Self.line)}"#
            #expect(try times(text).warning == nil, "\(properties)")
        }
    }

    @Test func `a list of times of a point is reported`() throws {
        let read = try times(
            #"{"type":"Feature","properties":{"times":["2026-03-21T12:00:00Z"]},"#
                + #""geometry":{"type":"Point","coordinates":[16,48]}}"#)
        #expect(read.times == [nil])
        #expect(read.warning?.hasPrefix("has features with lists of times") == true)
    }
}

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

@Suite(.timeLimit(.generous)) struct ZeroPositionsTests {
    /// Passes positions at these latitudes on the prime meridian; returns those that remain.
    private func pass(_ latitudes: [Double]) -> (latitudes: [Double], warning: String?) {
        var (zero, kept) = (ZeroPositions(), [Double]())
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event, let coordinate = fix.coordinate {
                kept.append(coordinate.latitude)
            }
        }
        for latitude in latitudes {
            zero.pass(.fix(Fix.at(latitude, 0)), receive)
        }
        zero.finish(receive)
        return (kept, zero.warning)
    }

    @Test(arguments: [[48, 0, 0, 48], [0, 0, 48, 48], [48, 48, 0, 0]])
    func `positions at 0° N 0° E far from the others are left out and counted`(
        _ latitudes: [Double]
    ) {
        let (kept, warning) = pass(latitudes)
        #expect(kept == [48, 48])
        #expect(warning == "has 2 positions at 0° N 0° E, far from the others, left out")
    }

    @Test(arguments: [[0, 0, 0], [0, 0.001, 0], [-0.001, 0, 0.001]])
    func `a receiver may have been there`(_ latitudes: [Double]) {
        let (kept, warning) = pass(latitudes)
        #expect(kept == latitudes)
        #expect(warning == nil)
    }
}

/// The values of other programs' points, and the reference systems of their coordinates.
@Suite(.timeLimit(.generous)) struct GeoJSONMembersTests {
    private func point(_ properties: String, crs: String = "") -> Reading {
        Reading(
            #"{"type":"FeatureCollection",\#(crs)"features":[{"type":"Feature","properties":{"#
                + #"\#(properties)},"geometry":{"type":"Point","coordinates":[16,48]}}]}"#)
    }

    @Test func `a number in a text is read, also with a unit`() throws {
        let reading = point(
            #""speed":"36 km/h","satellites":"9","altitude":"500 m","hdop":" 1.5E0 ","course":"NaN","#
                + #""vdop":"","horizontal_accuracy":null,"mode":"3","accuracy":"5 m","track":"Walk""#
        )
        let fix = try #require(reading.fixes.first)
        #expect((fix.speed, fix.satellitesUsed, fix.altitude) == (10, 9, 500))
        #expect((fix.dilution.hdop, fix.dilution.vdop, fix.course) == (1.5, nil, nil))
        #expect(fix.accuracy.horizontal == 5 && fix.mode == .threeD)
        #expect(reading.leftOut == LeftOut())
    }

    @Test func `a known property that is not a number is counted`() {
        let reading = point(#""speed":"fast","hdop":true,"altitude":"5 km/h","bearing":"NE""#)
        #expect(reading.fixes.map(\.speed) == [nil])
        #expect(
            reading.leftOut.descriptions == [
                #"1 value of the altitude in an unknown form (position 1: "5 km/h")"#,
                #"1 value of the speed in an unknown form (position 1: "fast")"#,
                #"1 value of the course in an unknown form (position 1: "NE")"#,
                #"1 value of the hdop in an unknown form (position 1: "true")"#,
            ])
        #expect(point(#""speed":"fast","velocity":3"#).leftOut == LeftOut())
    }

    @Test(arguments: [
        #""name":"urn:ogc:def:crs:OGC:1.3:CRS84""#, #""name":"urn:ogc:def:crs:OGC::CRS84h""#,
        #""name":"EPSG:4326""#, #""name":"urn:ogc:def:crs:EPSG::4326""#, #""code":4326"#,
        #""name":"OGC:CRS84""#, #""href":"http://www.opengis.net/def/crs/EPSG/0/4326""#,
        #""name":"WGS 84""#, #""name":null"#,
    ])
    func `a reference system that is WGS 84 may be declared`(_ name: String) {
        let reading = point("", crs: #""crs":{"type":"name","properties":{\#(name)}},"#)
        #expect(reading.error == nil && reading.fixes.count == 1)
        #expect(point(#""crs":{"properties":{"name":"EPSG:3857"}}"#).fixes.count == 1)
        #expect(point("", crs: #""crs":null,"#).fixes.count == 1)
    }

    @Test(arguments: [
        (#""name":"urn:ogc:def:crs:EPSG::3857""#, "urn:ogc:def:crs:EPSG::3857"),
        (#""name":"EPSG:25832""#, "EPSG:25832"), (#""code":25832"#, "EPSG:25832"),
        (#""href":"http://example.com/14326.wkt""#, "http://example.com/14326.wkt"),
    ])
    func `another reference system is an error that names it, not positions in degrees`(
        _ name: String, _ text: String
    ) {
        let crs = #""crs":{"type":"name","properties":{\#(name)}},"#
        let feature =
            #"{"type":"Feature",\#(crs)"geometry":{"type":"Point","coordinates":[16,48]}}"#
        for reading in [
            point("", crs: crs), Reading(feature),
            Reading(#"{"type":"FeatureCollection","features":[\#(feature)]}"#),
            Reading(
                #"{"type":"Feature","geometry":{"type":"Point",\#(crs)"coordinates":[16,48]}}"#),
        ] {
            #expect(reading.fixes.isEmpty)
            #expect(
                reading.error?.reason.hasPrefix("the coordinates are in \"\(text)\", not in WGS 84")
                    == true)
        }
    }

    @Test func `another reference system after the coordinates is an error of the whole file`() {
        let crs = #""crs":{"type":"name","properties":{"name":"EPSG:25832"}}"#
        let line = #""geometry":{"type":"LineString","coordinates":[[16,48],[16,49]]}"#
        let after = Reading(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},\#(line)}],"#
                + "\(crs)}")
        #expect(after.error?.isOfWholeFile == true)
        #expect(after.error == point("", crs: crs + ",").error)
        // The positions of a feature wait for its end.
        let within = Reading(#"{"type":"Feature",\#(line),\#(crs)}"#)
        #expect(within.fixes.isEmpty && within.error == after.error)
    }
}
