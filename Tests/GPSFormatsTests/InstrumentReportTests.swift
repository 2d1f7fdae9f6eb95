// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
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
