// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct InstrumentReportTests {
    private static let fix: Fix = {
        var fix = Fix()
        fix.instruments[.depth] = 7.9
        fix.instruments[.waterTemperature] = 17.5
        fix.instruments[.apparentWindAngle] = 214.8
        fix.instruments[.apparentWindSpeed] = 10
        fix.instruments[.trueWindDirection] = 302.5
        fix.instruments[.rudder] = -10.5
        fix.instruments[.engineSpeed] = 2418
        return fix
    }()

    private func report(_ fix: Fix, own: Bool) -> String {
        var reports = GPSDReports(device: "a", hasOwnMembers: own)
        reports.report(fix)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test func `a TPV has gpsd's names, and further ones only for our own readers`() {
        let start = #"{"class":"TPV","device":"a","mode":1,"depth":7.900,"wtemp":17.500,"#
        let wind = #""wangler":214.8,"wspeedr":10.0,"wanglet":302.5"#
        #expect(report(Self.fix, own: false) == start + wind + "}\n")
        #expect(
            report(Self.fix, own: true) == start + wind + #","rudder":-10.5,"engineSpeed":2418}"#
                + "\n")
    }

    @Test func `a direction that would be rounded to 360 is 0`() {
        var fix = Fix()
        fix.instruments[.apparentWindAngle] = 359.96
        fix.instruments[.trueWindDirection] = 359.94
        #expect(report(fix, own: false).contains(#""wangler":0.0,"wanglet":359.9}"#))
    }

    @Test func `instruments survive JSON`() throws {
        var fix = Self.fix
        fix.instruments.invalidate(.portEngineSpeed)
        fix.instruments.invalidate(.trueWindSpeed)
        var fixes: [Fix] = []
        var input = JSONInput(file: "a")
        let text = report(fix, own: true)
        #expect(text.contains(#","invalid":"wspeedt portEngineSpeed"}"#))
        #expect(!report(fix, own: false).contains("invalid"))
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event { fixes.append(fix) }
        }
        try input.push(Array(text.utf8)[...], receive)
        try input.finish(receive)
        #expect(fixes.first?.instruments == fix.instruments)
    }
}

@Suite(.timeLimit(.generous)) struct AttitudeReportTests {
    private func report(_ fix: Fix) -> [String] {
        var reports = GPSDReports(device: "/dev/ttyUSB0")
        reports.report(fix)
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `an attitude follows its TPV`() {
        var fix = Fix()
        fix.attitude.heading = 305.3
        fix.attitude.magneticHeading = 301.25
        fix.attitude.pitch = -1.5
        fix.attitude.roll = 0.125
        fix.attitude.rateOfTurn = -0.6
        let lines = report(fix)
        #expect(lines.count == 2)
        #expect(
            lines.last == #"{"class":"ATT","device":"/dev/ttyUSB0","heading":305.300,"#
                + #""mheading":301.250,"pitch":-1.500,"roll":0.125,"rot":-36.000}"#)
    }

    @Test func `a direction that would be rounded to 360 is 0`() {
        var fix = Fix()
        fix.mode = .twoD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        fix.course = 359.99996
        fix.speed = 10
        fix.attitude.heading = 359.9996
        fix.attitude.magneticHeading = 359.9994
        let lines = report(fix)
        #expect(lines.first?.contains(#""track":0.0000,"#) == true)
        #expect(lines.first?.contains(#""velN":10.000,"velE":0.000"#) == true)
        #expect(lines.last?.contains(#""heading":0.000,"mheading":359.999"#) == true)
    }

    @Test func `without an attitude there is no ATT`() {
        #expect(report(Fix()).count == 1)
    }

    @Test
    func `an attitude without a receiver has a TPV of mode 0 and no time, as gpsd reports it`() {
        var fix = Fix()
        fix.attitude.magneticHeading = 218.634
        #expect(
            report(fix) == [
                #"{"class":"TPV","device":"/dev/ttyUSB0","mode":0}"#,
                #"{"class":"ATT","device":"/dev/ttyUSB0","mheading":218.634}"#,
            ])
        // A receiver without a fix.
        fix.satellitesUsed = 0
        #expect(report(fix).first == #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1,"uSat":0}"#)
    }

    @Test func `the text line of an attitude has its angles`() {
        var fix = Fix()
        fix.attitude.heading = 231.3
        fix.attitude.magneticHeading = 230
        fix.attitude.pitch = -0.5
        fix.attitude.rateOfTurn = 0.1
        var text = FixLines()
        let line = text.line(for: fix, inView: 0, origin: .replay)
        #expect(
            line.split(separator: " ") == [
                "REPLAY", "-", "heading", "231.3T", "230.0M", "pitch", "-0.5", "turn", "6.0/min",
            ])
    }

    @Test(arguments: ["csv", "gpx", "kml", "geojson"])
    func `a track omits attitudes and reports that it did`(name: String) throws {
        let format = try #require(OutputFormats.named(name))
        var conversion = Conversion(to: format)
        conversion.begin(OutputSource(name: "pilot.nmea", origin: .replay))
        conversion.push(Array("$APHDM,218.634,M*39\r\n$APHDM,218.722,M*3F\r\n".utf8).span)
        conversion.end()
        let (fixCount, hasAttitudes) = (conversion.fixCount, conversion.hasAttitudes)
        #expect(fixCount == 0)
        #expect(hasAttitudes)
    }
}
