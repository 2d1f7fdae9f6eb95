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

@Suite(.timeLimit(.generous))
struct FixStorageTests {
    @Test func `a fix takes at most 320 bytes`() {
        #expect(MemoryLayout<Fix>.size <= 320)
    }

    @Test func `a rare value of a copy does not change the original`() {
        var fix = Fix()
        fix.attitude.heading = 90
        var other = fix
        #expect(other == fix)
        other.attitude.heading = 91
        other.vote = Vote(state: .single, winner: "bow")
        #expect(fix.attitude.heading == 90 && fix.vote == nil && other != fix)
        other.attitude.heading = 90
        other.vote = nil
        #expect(other == fix && other.hashValue == fix.hashValue)
    }

    @Test func `a fix whose rare values were removed is the same as one without`() {
        var fix = Fix()
        fix.receivedDate = CalendarDate(year: 2007, month: 4, day: 6)
        fix.receivedDate = nil
        #expect(fix == Fix() && fix.hashValue == Fix().hashValue)
    }

    @Test(arguments: [nil, 0, -0.0, .nan, -.nan, .infinity, 1.5, Double.leastNonzeroMagnitude])
    func `numbers are stored exactly`(_ number: Double?) {
        var fix = Fix()
        fix.altitude = number
        fix.accuracy.speed = number
        #expect(fix.altitude?.bitPattern == number?.bitPattern)
        #expect(fix.accuracy.speed?.bitPattern == number?.bitPattern)
        #expect((fix == fix) == (number?.isNaN != true))
    }

    @Test(arguments: [nil, 0, 1, -1, 4095, 65_535, Int.max])
    func `counts are stored exactly`(_ count: Int?) {
        var fix = Fix()
        (fix.satellitesUsed, fix.satellitesInView, fix.correctionStation) = (count, count, count)
        #expect(fix.satellitesUsed == count)
        #expect(fix.satellitesInView == count)
        #expect(fix.correctionStation == count)
    }

    @Test func `the smallest integer, which is no count, is not stored as nil`() {
        var fix = Fix()
        fix.satellitesUsed = .min
        #expect(fix.satellitesUsed == .min + 1)
    }

    @Test func `a dump shows names and numbers`() {
        var fix = Fix()
        fix.altitude = 170.5
        fix.accuracy.horizontal = 3
        fix.attitude.roll = -2
        let text = fix.debugDescription
        #expect(text.contains("altitude: Optional(170.5)"))
        #expect(text.contains("horizontal: Optional(3.0)"))
        #expect(text.contains("roll: Optional(-2.0)"))
        #expect(!text.contains("stored"))
    }
}
