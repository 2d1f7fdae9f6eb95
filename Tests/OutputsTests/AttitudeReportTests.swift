// SPDX-License-Identifier: MIT
import GNSS
import Outputs
import Testing

@Suite struct AttitudeReportTests {
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

    @Test func `there is none without an attitude`() {
        #expect(report(Fix()).count == 1)
    }
}
