// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The covariances and the protection level of fixes in JSON.
@Suite(.timeLimit(.generous))
struct CovarianceReadingTests {
    private static let start =
        #"{"class":"TPV","device":"gps","mode":3,"time":"2026-03-23T12:35:19.000Z","lat":48.2,"lon":16.36"#

    @Test func `covariances and protection level are read back from JSON`() throws {
        var fix = Fix()
        fix.set(time: try #require(UTCTime(written: "2026-03-23T12:35:19Z")))
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        fix.covariance = Covariance(rows: [0.25, -0.125, 0.0625, 0.5, 0, 1.5])
        fix.velocityCovariance = Covariance(rows: [0.015625, 0, 0, 0.03125, 0, 0.0625])
        fix.protectionLevel = ProtectionLevel(horizontal: 14.5, vertical: 23.5, risk: 5e-7)
        var reports = GPSDReports(device: "gps", hasOwnMembers: true)
        reports.report(fix)
        let bytes = reports.bytes
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        // A second object without these members doesn't inherit them.
        let fixes = Reading(text + Self.start.replacing(":19.", with: ":20.") + "}\n").fixes
        try #require(fixes.count == 2)
        #expect(fixes[0].covariance == fix.covariance)
        #expect(fixes[0].velocityCovariance == fix.velocityCovariance)
        #expect(fixes[0].protectionLevel == fix.protectionLevel)
        #expect(fixes[1].covariance == nil && fixes[1].velocityCovariance == nil)
        #expect(fixes[1].protectionLevel == nil)
    }

    @Test func `values too large to be written are absent, and the object is readable`() throws {
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        fix.covariance = Covariance(rows: [1e9, 0, 0, 1, 0, 1])
        fix.velocityCovariance = Covariance(rows: [1, 0, 0, 1, -2e9, 1])
        fix.protectionLevel = ProtectionLevel(horizontal: 1e9, vertical: 1, risk: 5e-7)
        var reports = GPSDReports(device: "gps")
        reports.report(fix)
        let bytes = reports.bytes
        let reading = Reading(bytes.indices.map { bytes[$0] })
        #expect(reading.error == nil)
        let read = try #require(reading.fixes.first)
        #expect(read.coordinate == fix.coordinate)
        #expect(read.covariance == nil && read.velocityCovariance == nil)
        #expect(read.protectionLevel == nil)
    }

    @Test(arguments: ["null", "\"1\"", "[1]", "-1", "1e60"])
    func `a covariance with an invalid number is absent`(_ number: String) throws {
        let others = ["NE", "ND", "EE", "ED", "DD"].map { ",\"covariance\($0)\":1" }.joined()
        for (number, isKnown) in [("2", true), (number, false)] {
            let line = Self.start + ",\"covarianceNN\":\(number)\(others)}\n"
            let fix = try #require(Reading(line).fixes.first)
            #expect(fix.coordinate != nil)
            #expect((fix.covariance != nil) == isKnown)
        }
    }

    // Earlier versions wrote lists and objects.
    @Test func `a covariance and a protection level of an earlier version are read`() throws {
        let line =
            Self.start + #","covariance":[1,0,0,2,0,3],"velocityCovariance":[4,0,0,5,0,6],"#
            + #""protectionLevel":{"horizontal":1,"vertical":2,"risk":0.1}}"# + "\n"
        let fix = try #require(Reading(line).fixes.first)
        #expect(fix.covariance?.rows == [1, 0, 0, 2, 0, 3])
        #expect(fix.velocityCovariance?.rows == [4, 0, 0, 5, 0, 6])
        #expect(fix.protectionLevel == ProtectionLevel(horizontal: 1, vertical: 2, risk: 0.1))
    }

    @Test(arguments: [
        "[1,0,0,1,0]", "[1,0,0,1,0,1,0]", "[1,0,0,1,0,null]", "[1,0,0,1,0,\"1\"]", "[-1,0,0,1,0,1]",
        "[1,0,0,1,0,[1]]", "[]", "7", "{\"a\":1}", "[1,0,0,1,0,1e60]",
    ])
    func `a covariance that is not six valid numbers is absent`(_ list: String) throws {
        let fix = try #require(Reading(Self.start + ",\"covariance\":\(list)}\n").fixes.first)
        #expect(fix.coordinate != nil)
        #expect(fix.covariance == nil)
    }

    @Test(arguments: [
        #"{"horizontal":1,"vertical":2}"#, #"{"horizontal":-1,"vertical":2,"risk":0.1}"#,
        #"{"horizontal":1,"vertical":2,"risk":1.1}"#,
        #"{"horizontal":"1","vertical":2,"risk":0.1}"#,
    ])
    func `an incomplete or impossible protection level is absent`(_ object: String) throws {
        let fix = try #require(
            Reading(Self.start + ",\"protectionLevel\":\(object)}\n").fixes.first)
        #expect(fix.protectionLevel == nil)
    }
}
