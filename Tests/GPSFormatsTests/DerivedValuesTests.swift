// SPDX-License-Identifier: MIT
import Foundation
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

/// Numbers in JSON, compared with slow and obvious formatting.
@Suite(.timeLimit(.generous)) struct GPSDNumbersTests {
    private let seed = UInt64.random(in: 0 ... .max)

    /// The text of a member of a `SKY` or `TPV` object.
    private func member(_ name: String, of object: String) -> String? {
        guard let start = object.range(of: "\"\(name)\":")?.upperBound else { return nil }
        return String(object[start...].prefix { $0 != "," && $0 != "}" })
    }

    private func text(_ write: (inout GPSDReports) -> Void) -> String {
        var reports = GPSDReports(device: "x")
        write(&reports)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    /// A number with two decimals, such as a DOP.
    private func hundredths(_ value: Double) -> String? {
        var dilution = DilutionOfPrecision()
        dilution.hdop = value
        return member("hdop", of: text { $0.report(SatelliteView(dilution: dilution)) })
    }

    /// A number with nine decimals, such as a latitude.
    private func billionths(_ value: Double) -> String? {
        var fix = Fix()
        fix.mode = .twoD
        fix.coordinate = Coordinate(latitude: value, longitude: 0)
        return member("lat", of: text { $0.report(fix) })
    }

    /// The digits of a number with a decimal point inserted.
    private func spelled(_ count: Int, decimals: Int) -> String {
        var digits = String(count.magnitude)
        while digits.count <= decimals { digits = "0" + digits }
        return (count < 0 ? "-" : "") + digits.dropLast(decimals) + "." + digits.suffix(decimals)
    }

    @Test func `numbers with two decimals are written exactly`() {
        var random = SeededGenerator(seed: seed)
        let edges = [0, 1, 9, 10, 99, 100, 101, 999, 1000, 9999, 10_000, 99_999_999, 100_000_000]
        let counts = (0..<3000).map { _ in
            Int.random(in: -99_999_999_999...99_999_999_999, using: &random)
                >> Int.random(in: 0..<37, using: &random)
        }
        for count in edges + edges.map(-) + counts {
            let written = hundredths(Double(count) / 100)
            #expect(written == spelled(count, decimals: 2), "seed \(seed)")
        }
    }

    @Test func `numbers with nine decimals are written exactly`() {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let count = Int.random(in: -90_000_000_000...90_000_000_000, using: &random)
            #expect(
                billionths(Double(count) / 1e9) == spelled(count, decimals: 9), "seed \(seed)")
        }
    }

    @Test func `any number is rounded to the nearest`() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let value =
                Double.random(in: -1...1, using: &random)
                * pow(10, Double.random(in: -6...8.9, using: &random))
            let written = try #require(hundredths(value))
            let read = try #require(Double(written))
            // Half a hundredth, and the precision of a `Double`.
            #expect(abs(read - value) <= 0.005 + abs(value) * 1e-15, "\(value), seed \(seed)")
            #expect(written.split(separator: ".").last?.count == 2)
            // Except for ties, all rounding modes give the same result.
            let rest = abs(value * 100).truncatingRemainder(dividingBy: 1)
            guard abs(rest - 0.5) > 1e-3 else { continue }
            let usual = String(format: "%.2f", value)
            #expect(written == (usual == "-0.00" ? "0.00" : usual), "\(value), seed \(seed)")
        }
    }

    @Test func `half is rounded away from zero, and zero has no sign`() {
        #expect(hundredths(0.125) == "0.13")
        #expect(hundredths(-0.125) == "-0.13")
        #expect(hundredths(2.375) == "2.38")
        #expect(hundredths(0.995) == "1.00" || hundredths(0.995) == "0.99")
        #expect(hundredths(-0.0) == "0.00")
        #expect(hundredths(-0.001) == "0.00")
        #expect(hundredths(99_999.995_1) == "100000.00")
    }

    @Test(arguments: [1e9, -1e9, 1e300, .infinity, -.infinity, .nan])
    func `numbers out of range are omitted`(value: Double) {
        #expect(hundredths(value) == nil)
    }

    @Test func `the largest number in range is written exactly`() {
        #expect(hundredths(999_999_999.99) == "999999999.99")
        #expect(billionths(999_999_999.5) == "999999999.500000000")
    }

    @Test func `integers of any size are written with all digits`() {
        for number in Array(1...2000) + [9_999, 10_000, 99_999_999, 100_000_000, .max] {
            var fix = Fix()
            fix.mode = .twoD
            fix.coordinate = Coordinate(latitude: 0, longitude: 0)
            fix.correctionStation = number
            #expect(member("dgpsSta", of: text { $0.report(fix) }) == "\(number)")
        }
    }
}

/// The climb of a receiver that does not report it.
@Suite(.timeLimit(.generous))
struct AltitudeTrendTests {
    private func fix(_ seconds: Double, _ altitude: Double?) -> Fix {
        var fix = Fix()
        fix.mode = altitude == nil ? .twoD : .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.time = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000 + Int64(seconds * 1e9))
        fix.altitude = altitude
        return fix
    }

    private func slopes(_ fixes: [Fix]) -> [Double?] {
        var trend = AltitudeTrend()
        return fixes.map {
            trend.add($0)
            return trend.slope
        }
    }

    @Test(arguments: [0.02, 0.1, 1])
    func `the climb is known after five seconds and follows the last ten`(_ step: Double) throws {
        let count = Int(40 / step)
        // 2 m/s up, from the 20th second on 1 m/s down.
        let fixes = (0..<count).map { index in
            let seconds = Double(index) * step
            return fix(seconds, seconds <= 20 ? 100 + 2 * seconds : 160 - seconds)
        }
        let slopes = slopes(fixes)
        #expect(slopes[Int(4.5 / step)] == nil)
        let early = try #require(slopes[Int(6 / step)])
        let late = try #require(slopes[Int(35 / step)])
        #expect(abs(early - 2) < 1e-6)
        #expect(abs(late + 1) < 1e-6)
    }

    @Test func `the climb keeps its precision over a day`() throws {
        var trend = AltitudeTrend()
        for second in 0..<86_400 { trend.add(fix(Double(second), 8000 - Double(second) / 16)) }
        #expect(abs(try #require(trend.slope) + 0.0625) < 1e-6)
    }

    @Test func `two altitudes far apart are enough, up to a minute`() throws {
        let slopes = slopes([fix(0, 100), fix(30, 130), fix(60, 100), fix(150, 400)])
        #expect(slopes == [nil, 1, -1, nil])
    }

    @Test func `a missing altitude or a step back in time restarts the measurement of climb`() {
        let climb = (0..<10).map { fix(Double($0), 100 + Double($0)) }
        #expect(slopes(climb + [fix(10, nil), fix(11, 300)]).suffix(2) == [nil, nil])
        #expect(slopes(climb + [fix(3, 300)]).last == .some(nil))
    }

    @Test func `a change from the geoid to the ellipsoid is not a climb`() {
        var fixes: [Fix] = []
        for second in 0..<20 {
            var fix = fix(Double(second), second % 5 == 0 ? 171 : nil)
            fix.ellipsoidalAltitude = 214
            fixes.append(fix)
        }
        #expect(slopes(fixes).allSatisfy { $0 == nil })
        #expect(
            slopes(
                fixes.map { fix in
                    var fix = fix
                    fix.altitude = nil
                    return fix
                }
            ).last == 0)
    }

    @Test func `gpsd's reports have the computed climb if the receiver does not send one`() {
        var reports = GPSDReports(device: "gps")
        for second in 0..<9 {
            var fix = fix(Double(second), 100 + Double(second) / 2)
            if second == 8 { fix.climb = 0.25 }
            reports.report(fix)
        }
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.prefix(5).allSatisfy { !$0.contains("climb") })
        #expect(lines[5...7].allSatisfy { $0.contains(#""climb":0.500,"#) }, "\(lines)")
        #expect(lines[8].contains(#""climb":0.250,"#))
    }
}
