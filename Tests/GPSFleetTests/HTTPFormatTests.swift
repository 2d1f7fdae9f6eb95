// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Testing

/// Messages for HTTP servers.
@Suite(.timeLimit(.generous))
struct HTTPFormatTests {
    private func batch(
        _ origin: DataOrigin = .live, _ change: (inout Fix) -> Void = { _ in }
    ) throws -> FixBatch {
        try .sample(origin) {
            $0.coordinate?.longitude = -16.373_843
            $0.dilution.hdop = 0.9
            change(&$0)
        }
    }

    /// A fix with a time and a position only.
    private func sparse() throws -> FixBatch {
        try batch {
            let (time, coordinate) = ($0.time, $0.coordinate)
            $0 = Fix()
            ($0.time, $0.coordinate) = (time, coordinate)
        }
    }

    private func text(_ message: EngineMessage?) -> String? {
        message.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `OsmAnd parameters have milliseconds, metres and knots`() throws {
        let message = try #require(OsmAndFormat().message(try batch()))
        #expect(message.id == "buses/b-7/roof/4f1c/7-7/1")
        #expect(
            text(message) == """
                id=buses.b-7.roof&lat=48.2081732&lon=-16.3738430&timestamp=1795000000400&altitude=171.4\
                &speed=19.63&bearing=84.2&accuracy=1.2&hdop=0.90&sat=11
                """)
    }

    @Test func `an unknown value is omitted from the OsmAnd parameters`() throws {
        #expect(
            text(OsmAndFormat().message(try sparse())) == """
                id=buses.b-7.roof&lat=48.2081732&lon=-16.3738430&timestamp=1795000000400
                """)
    }

    @Test func `JSON for Traccar has all coordinates, and those that are unknown marked`() throws {
        #expect(
            text(OsmAndJSONFormat().message(try batch())) == """
                {"device_id":"buses.b-7.roof","location":{"timestamp":"2026-11-18T11:06:40.400Z","coords":{\
                "latitude":48.2081732,"longitude":-16.3738430,"accuracy":1.2,"speed":10.10,"heading":84.2,\
                "altitude":171.4},"extras":{"hdop":0.90,"satellites":11}}}
                """)
        #expect(
            text(OsmAndJSONFormat().message(try sparse())) == """
                {"device_id":"buses.b-7.roof","location":{"timestamp":"2026-11-18T11:06:40.400Z","coords":{\
                "latitude":48.2081732,"longitude":-16.3738430,"accuracy":-1.0,"speed":-1.00,"heading":-1.0,\
                "altitude":0.0,"altitude_accuracy":-1.0},"extras":{}}}
                """)
    }

    @Test func `a fix without a date or a position is not sent to a tracker`() throws {
        for format in [OsmAndFormat(), OsmAndJSONFormat()] as [any HTTPFormat] {
            #expect(format.message(try batch { $0.time = nil }) == nil)
            #expect(format.message(try batch { $0.coordinate = nil }) == nil)
            #expect(!format.hasHeartbeat)
        }
    }

    @Test func `simulated and replayed positions are marked`() throws {
        let query = try #require(text(OsmAndFormat().message(try batch(.simulated))))
        #expect(query.hasSuffix("&origin=simulated"))
        let json = try #require(text(OsmAndJSONFormat().message(try batch(.replay))))
        #expect(json.contains(#""mock":true"#) && json.contains(#""origin":"replay""#))
    }

    @Test func `a position during an alarm is not valid for Traccar`() throws {
        let alarm = try batch { $0.integrity = Integrity(state: .alarm) }
        let query = try #require(text(OsmAndFormat().message(alarm)))
        #expect(query.hasSuffix("&valid=false&integrity=alarm"))
        let ok = try #require(
            text(OsmAndFormat().message(try batch { $0.integrity = Integrity(state: .ok) })))
        #expect(ok.hasSuffix("&integrity=ok") && !ok.contains("valid="))
        let json = try #require(text(OsmAndJSONFormat().message(alarm)))
        #expect(json.contains(#""integrity":"alarm""#))
    }

    @Test func `an identifier is escaped`() throws {
        let query = try #require(text(OsmAndFormat(id: "a&b=c d/\u{E9}").message(try batch())))
        #expect(query.hasPrefix("id=a%26b%3Dc%20d%2F%C3%A9&lat="))
        let json = try #require(text(OsmAndJSONFormat(id: #"a"b"#).message(try batch())))
        #expect(json.hasPrefix(#"{"device_id":"a\"b","#))
    }

    @Test func `gpsbridge's own messages are JSON that is not compressed`() throws {
        var batch = try batch()
        batch.rows = Array(repeating: batch.rows[0], count: 50)
        let message = try #require(BatchFormat(for: .http).message(batch))
        #expect(text(message)?.hasPrefix(#"{"gpsbridge":1,"#) == true)
        #expect(try FixBatch(decoding: message.bytes).rows.count == 50)
    }
}
