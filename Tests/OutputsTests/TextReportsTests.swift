// SPDX-License-Identifier: MIT
import Devices
import GNSS
import Outputs
import Testing

struct TextReportsTests {
    private func fix(_ nanosecond: Int = 0) throws -> Fix {
        let time = try #require(
            TimeOfDay(hour: 9, minute: 8, second: 7, nanosecond: nanosecond))
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 21))
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.time = UTCTime(date: date, time: time)
        fix.coordinate = Coordinate(latitude: -8.5, longitude: 179.25)
        fix.altitude = 171.44
        fix.accuracy.horizontal = 1.4
        fix.speed = 0.55
        fix.course = 54.3
        fix.satellitesUsed = 8
        return fix
    }

    @Test func `a fix is one line of columns with units`() throws {
        var reports = TextReports()
        let line = reports.line(for: try fix(), inView: 12, origin: .live)
        #expect(
            line == "2026-03-21T09:08:07Z  8.5000000S 179.2500000E  171.4m  +-1.4m  0.6m/s  54deg "
                + "3D  8/12 sats")
    }

    @Test func `what was not said is absent, and nothing else moves`() throws {
        var reports = TextReports()
        var fix = try fix()
        fix.mode = .twoD
        fix.altitude = nil
        fix.accuracy.horizontal = nil
        fix.speed = nil
        fix.course = nil
        let line = reports.line(for: fix, inView: 0, origin: .live)
        #expect(
            line == "2026-03-21T09:08:07Z  8.5000000S 179.2500000E       -       -       -      - "
                + "2D  8 sats")
        fix.satellitesUsed = nil
        #expect(reports.line(for: fix, inView: 0, origin: .live).hasSuffix(" 2D"))
        #expect(reports.line(for: fix, inView: 7, origin: .live).hasSuffix(" 2D 7 sats in view"))
    }

    @Test func `milliseconds stay once there have been some`() throws {
        var reports = TextReports()
        let starts = try [0, 100_000_000, 0].map {
            reports.line(for: try fix($0), inView: 0, origin: .live).prefix(24)
        }
        #expect(starts[0] == "2026-03-21T09:08:07Z  8.")
        #expect(starts[1] == "2026-03-21T09:08:07.100Z")
        #expect(starts[2] == "2026-03-21T09:08:07.000Z")
    }

    @Test func `a line says what it is, in a hundred columns`() throws {
        var reports = TextReports()
        var fix = try fix()
        let replay = reports.line(for: fix, inView: 12, origin: .replay)
        fix.quality = .simulated
        let simulated = reports.line(for: fix, inView: 12, origin: .simulated)
        #expect(replay.hasPrefix("REPLAY 2026"))
        #expect(simulated.hasPrefix("SIMULATED 2026"))
        #expect(simulated.count == 100)
        fix.quality = .rtkFixed
        #expect(reports.line(for: fix, inView: 12, origin: .live).hasSuffix(" sats RTK"))
    }

    @Test func `without a position there is no fix`() throws {
        var reports = TextReports()
        var fix = Fix()
        fix.satellitesUsed = 0
        #expect(
            reports.line(for: fix, inView: 5, origin: .live)
                == "no date              no fix  0/5 sats")
    }
}
