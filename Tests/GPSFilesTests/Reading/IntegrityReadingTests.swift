// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The integrity of fixes in JSON, CSV and GeoJSON.
@Suite(.timeLimit(.generous))
struct IntegrityReadingTests {
    private func fix() throws -> Fix {
        let day = try #require(CalendarDate(year: 2026, month: 3, day: 23))
        let time = try #require(TimeOfDay(hour: 12, minute: 35, second: 19))
        var fix = Fix()
        fix.set(time: UTCTime(date: day, time: time))
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        let reason = Integrity.Reason(
            test: .positionStep, value: 412, threshold: 20, unit: "m", since: fix.time,
            text: #"moved 412 m in 1 s at a "reported" 3 m/s"#)
        fix.integrity = Integrity(state: .alarm, since: fix.time, reasons: [reason])
        return fix
    }

    private func text(_ fix: Fix, hasOwnMembers: Bool = true) -> String {
        var reports = GPSDReports(device: "gps", hasOwnMembers: hasOwnMembers)
        reports.report(fix)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test(arguments: [true, false])
    func `a TPV has the state, since when, and the reasons`(_ hasOwnMembers: Bool) throws {
        let line = text(try fix(), hasOwnMembers: hasOwnMembers)
        #expect(
            line.contains(
                #""integrity":"alarm","integritySince":"2026-03-23T12:35:19.000Z","#
                    + #""integrityReasons":"positionStep: moved 412 m in 1 s at a \"reported\" 3 m/s""#
            ), "\(line)")
    }

    @Test func `integrity is read back from JSON, with the tests and the texts of its reasons`()
        throws
    {
        var fix = try fix()
        var integrity = Integrity(state: .alarm, since: fix.time)
        for (test, text) in [
            (Integrity.Test.positionStep, "moved 412 m; at \"3 m/s\""), (.signalSpread, "1 dB"),
        ] {
            integrity.reasons.append(
                Integrity.Reason(test: test, value: 0, threshold: 0, unit: "", text: text))
        }
        fix.integrity = integrity
        #expect(Reading(text(fix)).fixes.first?.integrity == integrity)
    }

    // Written by version 0.1.0.
    @Test func `objects of earlier versions are read`() throws {
        let line = #"""
            {"class":"TPV","device":"gps","mode":3,"time":"2026-03-23T12:35:19.000Z","lat":48.2,"lon":16.36,\#
            "integrity":{"state":"alarm","since":"2026-03-23T12:35:19.000Z","reasons":[{"test":"positionStep",\#
            "text":"moved 412 m in 1 s at a \"reported\" 3 m/s","value":412.000,"threshold":20.000,"unit":"m",\#
            "since":"2026-03-23T12:35:19.000Z"}]},"vote":{"state":"agreed","winner":"/dev/ttyUSB0",\#
            "witnesses":["a","b"],"disagreeing":["c"],"radius":2.500}}

            """#
        let fix = try #require(Reading(line).fixes.first)
        #expect(fix.integrity == (try self.fix()).integrity)
        #expect(
            fix.vote
                == Vote(
                    state: .agreed, winner: "/dev/ttyUSB0", witnesses: ["a", "b"],
                    disagreeing: ["c"], radius: 2.5))
    }

    @Test func `the vote of several receivers is written and read back`() throws {
        var fix = try fix()
        fix.vote = Vote(
            state: .agreed, winner: "/dev/ttyUSB0", witnesses: ["a", "b"], disagreeing: ["c"],
            radius: 2.5)
        let line = text(fix)
        #expect(
            line.contains(
                #""vote":"agreed","voteWinner":"/dev/ttyUSB0","voteWitnesses":"a, b","#
                    + #""voteDisagreeing":"c","voteRadius":2.500"#), "\(line)")
        #expect(Reading(line).fixes.first?.vote == fix.vote)
        fix.vote = Vote(state: .noPosition)
        #expect(Reading(text(fix)).fixes.first?.vote == fix.vote)
        fix.vote = nil
        #expect(!text(fix).contains("vote"))
    }

    @Test func `a fix that was not examined has no integrity`() throws {
        var fix = try fix()
        fix.integrity = nil
        #expect(!text(fix).contains("integrity"))
    }

    @Test func `CSV and GeoJSON have the state, which is read back`() throws {
        let fix = try fix()
        var csv = CSVFormat()
        csv.begin(OutputSource())
        csv.write(fix)
        let table = Self.text(&csv)
        #expect(table.contains(",integrity,") && table.contains(",alarm,"), "\(table)")
        #expect(Reading(table).fixes.first?.integrity?.state == .alarm)
        var json = GeoJSONFormat()
        json.begin(OutputSource())
        json.write(fix)
        #expect(Self.text(&json).contains(#""integrity":"alarm""#))
    }

    private static func text(_ format: inout some OutputFormat) -> String {
        var text = ""
        format.drain { span in
            text += String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
        return text
    }
}
