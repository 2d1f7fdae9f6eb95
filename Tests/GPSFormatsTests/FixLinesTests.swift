// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct FixLinesTests {
    private func fix(_ nanosecond: Int = 0) throws -> Fix {
        let time = try #require(
            TimeOfDay(hour: 9, minute: 8, second: 7, nanosecond: nanosecond))
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.time = UTCTime(date: date, time: time)
        fix.coordinate = Coordinate(latitude: -8.5, longitude: 79.25)
        fix.altitude = 171.44
        fix.accuracy.horizontal = 1.4
        fix.speed = 0.55
        fix.course = 54.3
        fix.satellitesUsed = 8
        return fix
    }

    @Test func `a fix is one line of columns with units`() throws {
        var reports = FixLines()
        let line = reports.line(for: try fix(), inView: 12, origin: .live)
        #expect(
            line == "LIVE 2026-03-21T09:08:07.0Z  8.50000S 79.25000E 171m 1m  0.6m/s  54  8 3D")
    }

    @Test(arguments: [(Vote.State.agreed, "OUTVOTED"), (.disputed, "DISPUTED")])
    func `a line names the receivers that are outvoted or disputed`(
        _ state: Vote.State, _ word: String
    ) throws {
        var fix = try fix()
        var vote = Vote(state: state, winner: "bow", disagreeing: ["mast"])
        vote.causes = ["503 m away"]
        fix.vote = vote
        var reports = FixLines()
        let line = reports.line(for: fix, inView: 12, origin: .live)
        #expect(line.hasSuffix(" 3D \(word): mast (503 m away)"))
    }

    @Test func `a direction that would be rounded to 360 is 0`() throws {
        var reports = FixLines()
        var fix = try fix()
        fix.course = 359.6
        #expect(reports.line(for: fix, inView: 12, origin: .live).contains(" 0.6m/s   0  8 3D"))
        var compass = Fix()
        compass.attitude.heading = 359.97
        let line = reports.line(for: compass, inView: 0, origin: .live)
        #expect(line.hasSuffix("heading 0.0T"))
    }

    @Test func `at common values a simulated receiver's line has fewer than eighty columns`() throws
    {
        var reports = FixLines()
        var fix = try fix()
        fix.coordinate = Coordinate(latitude: 48.2074883, longitude: -16.3633768)
        fix.speed = 33.3
        fix.satellitesUsed = 21
        let line = reports.line(for: fix, inView: 25, origin: .simulated)
        #expect(
            line
                == "SIMULATED 2026-03-21T09:08:07.0Z 48.20749N 16.36338W 171m 1m 33.3m/s  54 21 3D"
        )
        #expect(line.count == 78)
    }

    @Test(arguments: [
        (DataOrigin.live, FixMode.threeD, FixQuality.differential, 2228 as Double?, 12.4),
        (.replay, .threeD, .differential, 2228, 12.4), (.replay, .threeD, .differential, 222, 0.7),
        (.live, .threeD, .differential, 2228, 0.7), (.replay, .twoD, .autonomous, nil, 12.4),
        (.replay, .threeD, .estimated, 2228, 12.4), (.simulated, .threeD, .simulated, 2228, 3.4),
        (.simulated, .threeD, .simulated, 222, 12.4), (.live, .twoD, .differential, nil, 12.4),
    ])
    func `a line fits eighty columns, also far in the east, at 10 Hz and corrected`(
        _ origin: DataOrigin, _ mode: FixMode, _ quality: FixQuality, _ altitude: Double?,
        _ accuracy: Double
    ) throws {
        var reports = FixLines()
        var fix = try fix(100_000_000)
        (fix.quality, fix.mode, fix.altitude) = (quality, mode, altitude)
        fix.accuracy.horizontal = accuracy
        fix.coordinate = Coordinate(latitude: -36.2074883, longitude: 148.3633768)
        (fix.speed, fix.course, fix.satellitesUsed) = (33.3, 254.3, 21)
        let line = reports.line(for: fix, inView: 25, origin: origin)
        #expect(line.count <= 80, "\(line)")
    }

    @Test func `a good accuracy is printed with decimals`() throws {
        var reports = FixLines()
        var fix = try fix()
        fix.accuracy.horizontal = 0.7
        #expect(reports.line(for: fix, inView: 0, origin: .live).contains(" 171m 0.7m "))
        fix.accuracy.horizontal = 3.2
        #expect(reports.line(for: fix, inView: 0, origin: .live).contains(" 171m 3.2m "))
    }

    @Test func `every line has ten words for any known values`() throws {
        var reports = FixLines()
        var timeless = try fix()
        (timeless.time, timeless.speed, timeless.course) = (nil, nil, nil)
        var looking = Fix()
        looking.satellitesUsed = 0
        var twoD = try fix(100_000_000)
        (twoD.mode, twoD.altitude, twoD.satellitesUsed) = (.twoD, nil, nil)
        for fix in [Fix(), timeless, looking, twoD, try fix()] {
            for origin in [DataOrigin.live, .replay, .simulated] {
                let line = reports.line(for: fix, inView: 5, origin: origin)
                #expect(line.split(separator: " ").count == 10, "\(line)")
            }
        }
    }

    @Test func `columns do not move at 10 Hz, without a date or without a fix`() throws {
        var reports = FixLines()
        var timeless = try fix()
        timeless.timeOfDay = timeless.time?.time
        timeless.time = nil
        var unknown = try fix()
        (unknown.altitude, unknown.speed, unknown.course) = (nil, nil, nil)
        (unknown.accuracy.horizontal, unknown.satellitesUsed) = (nil, nil)
        unknown.time = nil
        let lines = [try fix(), try fix(100_000_000), timeless, unknown, Fix()].map {
            reports.line(for: $0, inView: 0, origin: .live)
        }
        let first = Array(lines[0])
        for line in lines {
            // Each column ends with a blank.
            for column in first.indices where first[column] == " " && column > 25 {
                #expect(Array(line)[column] == " " || first[column + 1] == " ", "\(line)")
            }
        }
        #expect(lines[1].contains("T09:08:07.1Z "))
        #expect(
            lines[2]
                == "LIVE            09:08:07.0Z  8.50000S 79.25000E 171m 1m  0.6m/s  54  8 3D")
        #expect(
            lines[3]
                == "LIVE                      -  8.50000S 79.25000E    -  -       -   -  - 3D")
        #expect(
            lines[4]
                == "LIVE                      -         -         -    -  -       -   -  - no-fix"
        )
    }

    @Test func `a position accurate to centimetres is printed with them`() throws {
        var reports = FixLines()
        var fix = try fix()
        fix.accuracy.horizontal = 0.014
        fix.quality = .rtkFixed
        let line = reports.line(for: fix, inView: 12, origin: .live)
        #expect(line.contains(" 79.2500000E 171.44m 0.01m "))
        #expect(line.hasSuffix(" RTK"))
        fix.accuracy.horizontal = 1
        #expect(reports.line(for: fix, inView: 12, origin: .live).contains(" 79.2500000E "))
    }

    @Test func `other units are those of the screen`() throws {
        var reports = FixLines(units: .imperial)
        #expect(
            reports.line(for: try fix(), inView: 0, origin: .live)
                .hasSuffix(" 562ft 5ft  1.2mph  54  8 3D"))
        reports = FixLines(units: .nautical)
        // Nautical charts use metres for heights.
        #expect(
            reports.line(for: try fix(), inView: 0, origin: .live)
                .hasSuffix(" 171m 1m  1.1kn  54  8 3D"))
    }

    @Test func `without a position the satellites in view are counted`() throws {
        var reports = FixLines()
        var fix = Fix()
        fix.satellitesUsed = 0
        #expect(reports.line(for: fix, inView: 5, origin: .live).hasSuffix(" 0/5 no-fix"))
    }
}
