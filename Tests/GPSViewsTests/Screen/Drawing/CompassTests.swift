// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct CompassTests {
    /// The rows of the screen from that of the course on.
    private func rows(
        speed: Double? = nil, course: Double?, _ settings: ScreenSettings = ScreenSettings()
    ) throws -> [Substring] {
        var model = ScreenModel(name: "gps", origin: .live)
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        fix.speed = speed
        fix.course = course
        let now = ClockReading(unix: 0, steady: 0)
        model.opened("gps", at: now)
        model.didReceive(fix: fix, satellites: SatelliteView(), at: now)
        let lines = Screen.draw([model], settings, at: now, width: 120, height: 40).text
            .split(separator: "\n", omittingEmptySubsequences: false)
        let index = try #require(lines.firstIndex { $0.hasPrefix(" Course") })
        return Array(lines[index...])
    }

    /// The row below the course.
    private func card(_ course: Double) throws -> String {
        String(try rows(course: course)[1].dropFirst(12).prefix(25))
    }

    @Test(arguments: [
        (0.0, "W · ·NW · · N · ·NE · · E"), (90, "N · ·NE · · E · ·SE · · S"),
        (359.9, "W · ·NW · · N · ·NE · · E"), (180, "E · ·SE · · S · ·SW · · W"),
        (-90, "S · ·SW · · W · ·NW · · N"), (720, "W · ·NW · · N · ·NE · · E"),
    ])
    func `the current course is in the middle of the compass card`(_ course: Double, _ card: String)
        throws
    {
        #expect(try self.card(course) == card)
    }

    /// The row of the course, of a fix without a course.
    private func courseRow(speed: Double?, course: Double? = nil, isASCII: Bool = false) throws
        -> String
    {
        var settings = ScreenSettings()
        settings.isASCII = isASCII
        return String(try rows(speed: speed, course: course, settings)[0])
    }

    @Test func `a receiver of unknown speed is not shown as at rest`() throws {
        #expect(try courseRow(speed: 0).contains("stopped"))
        #expect(try !courseRow(speed: nil).contains("stopped"))
    }

    @Test func `a receiver that moves without a known course is not shown as at rest`() throws {
        #expect(try courseRow(speed: 0.4).contains("stopped"))
        #expect(try !courseRow(speed: 3).contains("stopped"))
    }

    @Test func `a course that would be rounded to 360 is 0`() throws {
        let row = try courseRow(speed: 5, course: 359.97)
        #expect(row.contains(" 0.0 °"))
        #expect(!row.contains("360"))
    }

    @Test func `an ASCII terminal shows a course's name once`() throws {
        let row = try courseRow(speed: 5, course: 135, isASCII: true)
        #expect(row.contains("SE"))
        #expect(!row.contains("SE SE"))
    }

    @Test(arguments: [7.5, 22, 44.9, 133, 271.3, 1e9, -1e300, .nan, .infinity])
    func `any course fits on the compass card`(_ course: Double) throws {
        #expect(try card(course).count <= 25)
    }
}
