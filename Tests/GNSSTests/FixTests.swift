// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct FixDescriptionTests {
    private static func fix() -> Fix {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: 1_774_094_400_500_000_000)
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.207_488_3, longitude: -16.36)
        fix.accuracy = Accuracy(horizontal: 3.04, vertical: 4.5)
        fix.altitude = 170.66
        fix.speed = 10
        fix.course = 359.96
        fix.satellitesUsed = 12
        return fix
    }

    @Test func `a fix is described on one line with units`() {
        #expect(
            "\(Self.fix())"
                == "2026-03-21T12:00:00.500Z 48.2074883, -16.36 ±3 m, altitude 170.7 m ±4.5 m, "
                + "10 m/s, 0°, 3D, 12 satellites")
    }

    @Test func `a course of 360 is printed as 0`() {
        var fix = Fix()
        fix.course = 360
        #expect("\(fix)" == "0°, no fix")
    }

    @Test func `unknown values are not printed`() {
        #expect("\(Fix())" == "no fix")
        var fix = Fix()
        fix.timeOfDay = TimeOfDay(hour: 9, minute: 5, second: 3, nanosecond: 20_000_000)
        fix.satellitesUsed = 1
        fix.attitude.magneticHeading = 12.34
        #expect("\(fix)" == "09:05:03.020 magnetic heading 12.3°, no fix, 1 satellite")
    }

    @Test func `the description names a simulated fix and its corrections`() {
        var fix = Self.fix()
        fix.quality = .simulated
        #expect("\(fix)".hasSuffix("3D, 12 satellites (simulated)"))
        fix.quality = .rtkFixed
        #expect("\(fix)".hasSuffix("3D RTK fixed, 12 satellites"))
        fix.quality = .differential
        #expect("\(fix)".hasSuffix("3D differential, 12 satellites"))
    }

    @Test func `numbers of any size fit on one line`() {
        var fix = Self.fix()
        fix.altitude = 1e300
        fix.speed = .nan
        #expect(!"\(fix)".contains("\n") && "\(fix)".contains("altitude huge m"))
    }

    @Test func `the debug description has exactly the known properties`() {
        let text = String(reflecting: Self.fix())
        #expect(text.contains("coordinate: ") && text.contains("satellitesUsed: "))
        #expect(!text.contains("nil, climb") && !text.contains("climb: "))
    }
}

@Suite(.timeLimit(.generous)) struct FixTests {
    @Test func `properties can be set, changed and cleared`() {
        var fix = Fix()
        fix.speed = 0
        fix.coordinate = Coordinate(latitude: 0, longitude: -0.5)
        fix.accuracy.vertical = 3
        fix.standardDeviation.semiMajor = 1.5
        #expect(fix.speed == 0)
        #expect(fix.coordinate == Coordinate(latitude: 0, longitude: -0.5))
        #expect(fix.accuracy == Accuracy(vertical: 3))
        #expect(fix.standardDeviation == StandardDeviation(semiMajor: 1.5))
        fix.speed = nil
        fix.coordinate = nil
        fix.accuracy.vertical = nil
        fix.standardDeviation.semiMajor = nil
        #expect(fix == Fix())
        #expect(fix.hashValue == Fix().hashValue)
    }
}
