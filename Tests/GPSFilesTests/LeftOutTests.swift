// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats
import GNSS
import GPSTestTraits
import Testing

/// One odd value does not cost the rest of a file.
@Suite(.timeLimit(.generous))
struct LeftOutTests {
    private static func gpx(_ points: String...) -> String {
        "<gpx><trk><trkseg>\n\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
    }

    private static func point(_ latitude: String, _ longitude: String, _ content: String = "")
        -> String
    {
        #"<trkpt lat="\#(latitude)" lon="\#(longitude)">\#(content)</trkpt>"#
    }

    private static func geoJSON(_ positions: String) -> String {
        #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":"#
            + "[\(positions)]}}"
    }

    private static func tcx(_ latitude: String, _ altitude: String) -> String {
        "<Trackpoint><Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
            + "<LongitudeDegrees>16</LongitudeDegrees></Position>"
            + "<AltitudeMeters>\(altitude)</AltitudeMeters></Trackpoint>"
    }

    /// A text, the latitudes that are read from it, the number of positions that are left out, and a
    /// part of the warning.
    @Test(arguments: [
        (
            gpx(
                point("48", "16", "<time>20220327T133245Z</time>"),
                point("49", "16", "<time>2022-03-27T15:32:37+02:00[Europe/Brussels]</time>")),
            [48, 49], 0, #"2 times in an unknown form (the first in line 2: "20220327T133245Z")"#
        ),
        (
            gpx(point("48", "16", "<ele>411,2</ele>"), point("49", "16")), [48, 49], 0,
            #"1 elevation in an unknown form (line 2: "411,2")"#
        ),
        (
            gpx(point("48", "16"), point("49", "-180.096"), point("50", "16")), [48, 50], 1,
            #"1 point with an impossible position (line 3: "-180.096")"#
        ),
        (
            gpx(point("48", "16"), point("undefined", "undefined"), point("50", "16")), [48, 50],
            1, #"(line 3: "undefined")"#
        ),
        (
            "<kml><LineString><coordinates>16,48 16,x 16,49\n16,95 16,50</coordinates>"
                + "</LineString></kml>", [48, 49, 50], 2, #"(the first in line 1: "16,x")"#
        ),
        (
            "<kml xmlns:gx=\"a\"><gx:Track><when>noon</when><when>2026-03-21T12:00:00Z</when>"
                + "<gx:coord>16 x</gx:coord><gx:coord>16 49</gx:coord></gx:Track></kml>", [49], 1,
            #"1 time in an unknown form (line 1: "noon")"#
        ),
        (
            "<TrainingCenterDatabase><Activity><Lap><Track>\(tcx("48", "1,5"))\(tcx("95", "1"))"
                + "\(tcx("49,5", "1"))\(tcx("50", "1"))</Track></Lap></Activity>"
                + "</TrainingCenterDatabase>", [48, 50], 2, "1 altitude in an unknown form"
        ),
        (
            geoJSON(#"[16,48],[180.1,48.5],["16","49"],[16,50]"#), [48, 50], 2,
            #"2 points with an impossible position (the first in position 2: "180.1, 48.5")"#
        ),
        (
            "AXXX000\nHFDTE210326\nI023639LAD4038LOD\nB1200004800000N01600000EA0000000171\n",
            [48], 0, #"1 list of extensions in an unknown form (line 3: "I023639LAD4038LOD")"#
        ),
    ])
    func `the rest is read`(
        _ text: String, _ latitudes: [Double], _ count: Int, _ warning: String
    ) {
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate?.latitude) == latitudes)
        #expect(Set(reading.entries.map(\.segment)) == [1])
        #expect(reading.leftOut.positions == count)
        #expect(reading.leftOut.warning?.contains(warning) == true, "\(reading.leftOut)")
        for piece in [1, 7] { #expect(Reading(Array(text.utf8), piece: piece) == reading) }
    }

    @Test func `a point at latitude 100 or 200 is a pause`() {
        let reading = Reading(
            Self.gpx(
                Self.point("48", "16"), Self.point("100", "16"), Self.point("200", "16"),
                Self.point("49", "16")))
        #expect(reading.entries.map(\.segment) == [1, 2])
        #expect(reading.leftOut.positions == 2)
    }

    @Test func `the name of a point that is left out is not that of its route`() {
        let text =
            #"<gpx><rte><rtept lat="95" lon="16"><name>A</name></rtept>"#
            + #"<rtept lat="48" lon="16"><name>B</name></rtept></rte></gpx>"#
        let reading = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(reading.routes.map(\.name) == [nil])
        #expect(reading.routes.map { $0.points.map(\.name) } == [["B"]])
    }

    @Test func `a position that is left out has no name in a route of GeoJSON`() {
        let text =
            #"{"type":"Feature","properties":{"kind":"route","points":["A","B","C"]},"#
            + #""geometry":{"type":"LineString","coordinates":[[16,48],[16,95],[16,49]]}}"#
        let reading = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(reading.routes.map { $0.points.map(\.name) } == [["A", "C"]])
    }

    @Test(arguments: [
        "I 02 3638FXA 3940SIU", "I00", "I", "I013638FXA", "I13638FXA",
        "L" + String(repeating: "X", count: 5000),
    ])
    func `the columns 1 to 35 of a B record need no I record`(_ line: String) {
        let record = "B1200004800000N01600000EA0000000171"
        let reading = Reading("AXXX000\nHFDTE210326\n\(line)\n\(record)\n\(record)00312\n")
        #expect(reading.error == nil && reading.leftOut.warning == nil)
        #expect(reading.fixes.map(\.coordinate?.latitude) == [48, 48])
    }

    @Test(arguments: [("4859999", 48.9999833), ("4860000", 49), ("4860001", nil)])
    func `the minute 60 in IGC is the next degree, and more is an error`(
        _ latitude: String, _ degrees: Double?
    ) {
        let reading = Reading("AXXX000\nHFDTE210326\nB120000\(latitude)N01660000EA0000000171\n")
        let read = reading.fixes.first?.coordinate
        #expect(
            (read?.latitude).map { ($0 * 1e7).rounded() } == degrees.map { ($0 * 1e7).rounded() })
        #expect(read?.longitude == (degrees == nil ? nil : 17))
        #expect(reading.leftOut.positions == (degrees == nil ? 1 : 0))
    }

    @Test func `values of sports are named in one message`() throws {
        let text =
            #"<TrainingCenterDatabase><Activity Sport="Biking"><Lap><Calories>312</Calories>"#
            + "<Track><Trackpoint><Position><LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>16"
            + "</LongitudeDegrees></Position><HeartRateBpm><Value>130</Value></HeartRateBpm>"
            + "<Cadence>80</Cadence><Extensions><TPX><Watts>210</Watts></TPX></Extensions>"
            + "</Trackpoint></Track></Lap></Activity></TrainingCenterDatabase>"
        let gpx = Self.gpx(
            Self.point(
                "48", "16", "<extensions><hr>130</hr><atemp>20</atemp><cad>80</cad></extensions>"))
        for (text, names) in [
            (text, "sport, calories, heart rate, cadence, power"),
            (gpx, "heart rate, temperature, cadence"),
        ] {
            var detector = InputDetector(file: "file")
            guard case .reader(var reader) = detector.push(Array(text.utf8)[...], isLast: true)
            else {
                Issue.record("the format is known")
                continue
            }
            try reader.push(Array(text.utf8)[...]) { _ in }
            #expect(reader.warning == "has values that are not read: \(names)")
        }
    }
}
