// SPDX-License-Identifier: MIT
import GPSFormats
import GPSTestTraits
import Testing

/// Declarations of XML that do not fit the encoding.
@Suite(.timeLimit(.generous))
struct XMLEncodingTests {
    // Python's ElementTree writes `utf8`. `iconv` keeps the declaration of UTF-16.
    @Test(arguments: ["utf8", "UTF8", "UTF-8", "UTF-16", "utf-16le"], [1, 7, 1000])
    func `UTF-8 is read although its declaration has another name`(_ name: String, _ piece: Int) {
        for mark in ["", "\u{FEFF}"] {
            let text =
                "\(mark)<?xml version='1.0' encoding='\(name)'?>\n"
                + #"<gpx><wpt lat="48" lon="11"><name>Mü 🛰</name></wpt></gpx>"#
            let reading = Reading(Array(text.utf8), piece: piece, keepsWaypoints: true)
            #expect(reading.error == nil)
            #expect(reading.waypoints.map(\.name) == ["Mü 🛰"])
        }
    }

    @Test func `Latin 1 is read under each of its names`() {
        for name in ["latin1", "Latin-1", "ISO8859-1"] {
            let start =
                #"<?xml version="1.0" encoding="\#(name)"?><gpx>"#
                + #"<wpt lat="48" lon="11"><name>M"#
            let reading = Reading(
                Array(start.utf8) + [0xFC] + Array("</name></wpt></gpx>".utf8),
                keepsWaypoints: true)
            #expect(reading.waypoints.map(\.name) == ["Mü"])
        }
    }

    @Test func `a declaration without an end is an error`() {
        for count in [10, 2000] {
            let reading = Reading("<?xml version=\"1.0\"" + String(repeating: " ", count: count))
            #expect(reading.error != nil)
        }
    }
}
