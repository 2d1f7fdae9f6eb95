// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The members of a report that the receiver doesn't send.
@Suite(.timeLimit(.generous)) struct DerivedValuesTests {
    private func fix(at seconds: Int = 0, year: Int = 2026) throws -> Fix {
        var fix = Fix()
        fix.time = UTCTime(
            date: try #require(CalendarDate(year: year, month: 7, day: 1)),
            time: TimeOfDay(secondsOfDay: 43_200 + seconds))
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48 + 0.001 * Double(seconds), longitude: 11.5)
        fix.altitude = 545.4
        fix.accuracy = Accuracy(horizontal: 5.35, vertical: 10, source: .dilution)
        return fix
    }

    private func members(_ name: String, _ reports: GPSDReports) -> [String?] {
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        return text.split(separator: "\n").map { line in
            let parts = line.split(separator: "\"\(name)\":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            // A string ends at its quotation mark, a number at the next member.
            if parts[1].first == "\"" { return String(parts[1].dropFirst().prefix { $0 != "\"" }) }
            return String(parts[1].prefix { $0 != "," && $0 != "}" })
        }
    }

    private func member(_ name: String, of fix: Fix) -> String? {
        var reports = GPSDReports(device: "x")
        reports.report(fix)
        return members(name, reports).first ?? nil
    }

    @Test func `variation and magnetic course are modelled and marked`() throws {
        var fix = try fix()
        fix.geoidSeparation = 47
        fix.course = 2
        #expect(member("magvar", of: fix) == "4.3")
        #expect(member("magtrack", of: fix)?.hasPrefix("357.6") == true)
        #expect(member("modelled", of: fix) == "magtrack magvar")
        fix.magneticVariation = 3
        #expect(member("magvar", of: fix) == "3.0")
        #expect(member("magtrack", of: fix) == "359.0000")
        #expect(member("modelled", of: fix) == nil)
    }

    @Test func `a list that does not fit into the buffer leaves the line before it intact`() throws
    {
        let fix = try fix()
        let id = try #require(SatelliteID(.gps, 7))
        let view = SatelliteView(signals: [SatelliteSignal(id: id, signal: 1, cn0: 42)])
        // The name's length moves the start of each line past every size of the buffer.
        for length in 0..<700 {
            var reports = GPSDReports(device: String(repeating: "x", count: length))
            reports.report(fix)
            reports.report(fix)
            reports.report(view)
            reports.report(view)
            let bytes = reports.bytes
            let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            #expect(text.split(separator: "\n").count == 4, "a name of \(length) characters")
        }
    }

    @Test func `outside the model's years there is no variation`() throws {
        for year in [2024, 2030] {
            let fix = try fix(year: year)
            #expect(member("magvar", of: fix) == nil)
        }
    }

    @Test func `a compass without variation gets a modelled magnetic heading`() throws {
        var fix = try fix()
        fix.attitude.heading = 100
        var reports = GPSDReports(device: "x")
        reports.report(fix)
        #expect(members("mheading", reports).last??.hasPrefix("95.6") == true)
        #expect(members("modelled", reports).last == "mheading")
    }

    @Test func `the receiver's variation gives a magnetic heading that is not modelled`() throws {
        var fix = try fix()
        fix.attitude.heading = 2
        fix.magneticVariation = 5
        var reports = GPSDReports(device: "x")
        reports.report(fix)
        #expect(members("mheading", reports).last == "357.000")
        #expect(members("modelled", reports).last == .some(nil))
    }

    @Test func `a missing separation gives the other altitude, marked`() throws {
        var fix = try fix()
        #expect(member("geoidSep", of: fix)?.hasPrefix("4") == true)
        #expect(member("altHAE", of: fix)?.hasPrefix("59") == true)
        #expect(member("modelled", of: fix) == "altHAE geoidSep magvar")
        fix.ellipsoidalAltitude = 592.4
        #expect(member("geoidSep", of: fix) == "47.000")
        #expect(member("modelled", of: fix) == "magvar")
        fix.altitude = nil
        #expect(member("altMSL", of: fix)?.hasPrefix("54") == true)
        #expect(member("modelled", of: fix) == "altMSL geoidSep magvar")
    }

    @Test func `errors of speed, course and climb follow from two fixes, and are marked`() throws {
        var reports = GPSDReports(device: "x")
        var view = SatelliteView()
        for (number, azimuth) in [(1, 0.0), (2, 120), (3, 240), (4, 0)] {
            let id = try #require(SatelliteID(.gps, number))
            view.signals.append(
                SatelliteSignal(id: id, elevation: number == 4 ? 90 : 0, azimuth: azimuth))
            view.used.insert(id)
        }
        reports.report(view)
        reports.report(try fix())
        reports.report(try fix(at: 1))
        // 5.35 m with 68 %: 1.96 x 5 m, divided equally.
        #expect(members("xdop", reports).first == "0.82")
        #expect(members("gdop", reports).first == "1.73")
        #expect(members("epx", reports).last == "6.930")
        #expect(members("epy", reports).last == "6.930")
        #expect(members("eps", reports) == [nil, nil, "13.859"])
        // 111.2 m north.
        #expect(members("epd", reports).last??.hasPrefix("7.13") == true)
        #expect(members("epc", reports) == [nil, nil, "39.200"])
        #expect(
            members("modelled", reports).last == "altHAE geoidSep magvar eps epd epc")
        // The same epoch again, as clients with timing receive it.
        reports.removeAll()
        reports.report(try fix(at: 1))
        #expect(members("eps", reports) == ["13.859"])
    }

    @Test func `no error of the climb follows from a fix without a date and one with a date`()
        throws
    {
        var reports = GPSDReports(device: "x")
        for seconds in 0..<4 {
            var fix = try fix(at: seconds)
            if seconds < 2 {
                fix.timeOfDay = TimeOfDay(secondsOfDay: 43_200 + seconds)
                fix.time = nil
            }
            reports.report(fix)
        }
        #expect(members("epc", reports) == [nil, "39.200", nil, "39.200"])
    }

    @Test func `the velocity's components follow from speed and course`() throws {
        var fix = try fix()
        fix.speed = 2
        fix.course = 90
        #expect(member("velE", of: fix) == "2.000")
        #expect(member("velN", of: fix) == "0.000")
        // Of a single altitude no climb is known.
        #expect(member("velD", of: fix) == nil)
        fix.climb = 1.5
        #expect(member("velD", of: fix) == "-1.500")
    }

    @Test func `gpsd's JSON has no waypoints, so it is not read in advance for them`() throws {
        for (text, mayHavePlaces) in [
            (#"{"class":"TPV","mode":1}"#, false), (#"{"type":"FeatureCollection"}"#, true),
        ] {
            var reader = JSONInput(file: "x", keepsWaypoints: true)
            #expect(reader.mayHavePlaces)
            try reader.push(Array(text.utf8)[...]) { _ in }
            #expect(reader.mayHavePlaces == mayHavePlaces)
        }
    }

    @Test func `modelled values are not read back as the receiver's`() throws {
        var original = try fix()
        original.course = 90
        original.speed = 1
        let read = try writtenAndRead(original)
        #expect(read.magneticVariation == nil)
        #expect(read.magneticCourse == nil)
        #expect(read.geoidSeparation == nil)
        #expect(read.ellipsoidalAltitude == nil)
        #expect(read.altitude == original.altitude)
    }

    /// Writes a fix as JSON, and reads it back.
    private func writtenAndRead(_ original: Fix) throws -> Fix {
        var format = GPSDFormat()
        format.begin(OutputSource(name: "x"))
        format.write(original)
        var bytes: [UInt8] = []
        format.drain { span in bytes += span.indices.map { span[$0] } }
        var reader = JSONInput(file: "x")
        var fixes: [Fix] = []
        try reader.push(bytes[...]) { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
        try reader.finish { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
        return try #require(fixes.first)
    }

    @Test func `standard deviations of 0 are kept, but are not estimated errors`() throws {
        var fix = try fix()
        fix.standardDeviation = StandardDeviation(latitude: 0, longitude: 0, altitude: 0)
        #expect(member("epx", of: fix) == nil && member("epy", of: fix) == nil)
        let read = try writtenAndRead(fix)
        #expect(read.standardDeviation == fix.standardDeviation)
        #expect(read.accuracy.horizontal == 5.35 && read.accuracy.vertical == 10)
        fix.standardDeviation.latitude = 0.1
        #expect(member("epx", of: fix) == "0.000" && member("epy", of: fix) == "0.196")
    }
}
