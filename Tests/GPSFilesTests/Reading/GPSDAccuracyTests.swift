// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// The accuracy in gpsd's JSON of a receiver whose own errors gpsd copies.
@Suite(.timeLimit(.generous))
struct GPSDAccuracyTests {
    private static func lines(_ driver: String, _ rest: String = "", _ rev: String = "3.22")
        -> String
    {
        #"{"class":"VERSION","release":"3.22","rev":"\#(rev)","proto_major":3,"proto_minor":14}"#
            + "\n"
            + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"\#(driver)","#
            + #""activated":"2026-03-21T12:00:00.000Z"}]}"# + "\n"
            + #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-03-21T12:00:00.000Z","#
            + #""lat":48.1173,"lon":11.5167,"altMSL":545.4,"epv":7.500,"eps":0.20,"eph":4.815\#(rest)}"#
            + "\n"
    }

    @Test func `gpsd's errors of a u-blox are one sigma`() throws {
        let accuracy = try #require(Reading(Self.lines("u-blox")).fixes.first).accuracy
        #expect(abs((accuracy.horizontal ?? 0) - 5.152) < 0.001)
        #expect(accuracy.vertical == 7.5 && accuracy.speed == 0.2)
        #expect(accuracy.source == .receiver)
    }

    @Test func `the driver may become known later, and belongs to its device`() throws {
        let text = Self.lines("NMEA0183")
        let line = #"{"class":"DEVICE","path":"/dev/PATH","driver":"u-blox"}"# + "\n"
        for (path, isOneSigma) in [("a", true), ("b", false)] {
            var lines = text.split(separator: "\n").map { "\($0)\n" }
            lines.insert(line.replacing("PATH", with: path), at: 2)
            let fix = try #require(Reading(lines.joined()).fixes.first)
            #expect((fix.accuracy.vertical == 7.5) == isOneSigma)
        }
    }

    @Test func `other errors are 95 per cent: other drivers', ours, and multiples of a DOP`() throws
    {
        for text in [
            Self.lines("NMEA0183"), Self.lines("u-blox", #","integrity":"ok""#),
            Self.lines("u-blox", #","integrity":{"state":"ok","reasons":[]}"#),
        ] {
            let accuracy = try #require(Reading(text).fixes.first).accuracy
            #expect(abs((accuracy.horizontal ?? 0) - 4.815 / 1.617) < 0.01)
            #expect(abs((accuracy.vertical ?? 0) - 7.5 / 1.96) < 0.01)
        }
        // 4.815 and 7.5 are 19 and 23 times these DOPs.
        let sky =
            #"{"class":"SKY","device":"/dev/a","time":"2026-03-21T12:00:00.000Z","hdop":0.25,"vdop":0.33}"#
        let fix = try #require(Reading(Self.lines("u-blox") + sky + "\n").fixes.first)
        #expect(fix.accuracy.source == .dilution)
        #expect(fix.accuracy.vertical.map { $0 < 5 } == true)
    }
}
