// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The members of a `TPV` that clients of gpsd request with `timing`.
@Suite(.timeLimit(.generous)) struct ReportTimingTests {
    private func report(_ fix: Fix, byteCount: Int?) -> String {
        var timing = ReportTiming(firstByte: 1_774_269_319.25, reported: 1_774_269_319.5)
        timing.byteCount = byteCount
        var reports = GPSDReports(device: "/dev/a", hasOwnMembers: false)
        reports.report(fix, timing)
        let bytes = reports.bytes
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    // gpsprof reads `sats` without checking that there is one.
    @Test func `an unknown number of satellites is 0 for gpsprof`() {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)
        #expect(report(fix, byteCount: 150).contains(#","chars":150,"sats":0,"week":"#))
        fix.satellitesUsed = 7
        #expect(report(fix, byteCount: 150).contains(#","chars":150,"sats":7,"week":"#))
        #expect(!report(fix, byteCount: nil).contains("sats"))
    }

    @Test func `clients of the server learn the state of corrections and signatures`() {
        var fix = Fix()
        #expect(!report(fix, byteCount: nil).contains("correction"))
        fix.corrections.state = .flowing
        fix.corrections.carrier = .fixed
        fix.authentication = FixAuthentication(state: .authenticated)
        fix.dilution.hdop = 1
        let text = report(fix, byteCount: nil)
        #expect(text.contains(#""correctionState":"flowing","rtk":"fixed""#))
        #expect(text.contains(#""authentication":"authenticated""#))
        #expect(!text.contains("hdop"))
    }

    // gpsprof reads `time` if there is an `rtime`.
    @Test func `a fix without a time has no timing for gpsprof, but in other outputs`() {
        let fix = Fix()
        let plain = #"{"class":"TPV","device":"/dev/a","mode":1}"# + "\n"
        #expect(report(fix, byteCount: 150) == plain)
        #expect(
            report(fix, byteCount: nil).hasSuffix(
                #","rtime":1774269319.500000,"sor":1774269319.250000}"# + "\n"))
    }
}
