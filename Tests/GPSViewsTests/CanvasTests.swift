// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Glibc
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct CanvasTests {
    @Test func `content that does not fit is clipped on every side`() {
        var canvas = Canvas(width: 4, height: 2)
        canvas.write("abcdef", -2, 0)
        canvas.write("gh", 3, 1)
        canvas.write("above", 0, -1)
        canvas.write("below", 0, 2)
        #expect(canvas.text == "cdef\n   g\n")
    }

    @Test func `a shortened text ends with two dots, one that fits is complete`() {
        var canvas = Canvas(width: 6, height: 3)
        canvas.write(shortened: "abcde", 1, 0)
        canvas.write(shortened: "abcdef", 1, 1)
        canvas.write(shortened: "abcdef", 5, 2)
        #expect(canvas.text == " abcde\n abc..\n     .\n")
    }

    @Test func `characters that are not one column wide become question marks`() {
        var canvas = Canvas(width: 12, height: 1)
        canvas.write("a\u{1B}[2Jb\n界e\u{301}", 0, 0)
        #expect(canvas.text == "a?[2Jb??e?\n")
    }

    @Test func `a negative size is zero`() {
        var canvas = Canvas(width: -3, height: 5)
        canvas.write("x", 0, 0)
        canvas.fill(row: 1, .bar)
        #expect(canvas.text == "\n\n\n\n\n")
    }
}

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

@Suite(.timeLimit(.generous))
struct SignalTests {
    /// The signals that a ZED-X20P receives by default, by their NMEA 4.11 signal IDs.
    @Test(
        arguments: [
            (.gps, 1, "L1"), (.gps, 6, "L2C"), (.gps, 8, "L5"), (.galileo, 7, "E1"),
            (.galileo, 1, "E5a"), (.galileo, 5, "E6"), (.beiDou, 1, "B1I"), (.beiDou, 3, "B1C"),
            (.beiDou, 5, "B2a"), (.beiDou, 8, "B3I"), (.qzss, 1, "L1"), (.qzss, 4, "L1S"),
        ] as [(Constellation, UInt8, String)])
    func `every signal of a receiver with three bands has a name`(
        _ constellation: Constellation, _ signal: UInt8, _ name: String
    ) throws {
        let id = try #require(SatelliteID(constellation, 1))
        #expect(Signal.band(SatelliteSignal(id: id, signal: signal)) == name)
    }

    @Test func `an unknown signal is shown by its number`() throws {
        let id = try #require(SatelliteID(.gps, 1))
        #expect(Signal.band(SatelliteSignal(id: id, signal: 9)) == "#9")
        #expect(Signal.band(SatelliteSignal(id: id)) == "")
    }
}

@Suite(.timeLimit(.generous))
struct FrameWriterTests {
    @Test func `a terminal shows every frame, although only changes are written`() {
        var receiver = SeededReceiver()
        var terminal = ScriptedTerminal(width: 120, height: 40)
        var writer = FrameWriter()
        var most = 0
        for _ in 0..<20 {
            receiver.watch(1)
            let frame = draw(receiver)
            let before = terminal.written
            terminal.take(writer.bytes(for: frame, terminal))
            #expect(terminal.canvas == frame)
            if before > 0 { most = max(most, terminal.written - before) }
        }
        #expect(most < 120 * 40 / 3)
        #expect(writer.bytes(for: draw(receiver), terminal).isEmpty)
    }

    @Test func `everything is written if the content of the terminal is unknown`() {
        var receiver = SeededReceiver()
        receiver.watch(3)
        let frame = draw(receiver)
        var writer = FrameWriter()
        var terminal = ScriptedTerminal(width: 120, height: 40)
        _ = writer.bytes(for: frame, terminal)
        writer.forget()
        terminal.take(writer.bytes(for: frame, terminal))
        #expect(terminal.canvas == frame)
    }

    @Test func `the last cell is not written, because terminals would scroll`() {
        var frame = Canvas(width: 3, height: 2)
        frame.write("abc", 0, 0)
        frame.write("def", 0, 1)
        var writer = FrameWriter()
        var terminal = ScriptedTerminal(width: 3, height: 2)
        terminal.take(writer.bytes(for: frame, terminal))
        #expect(terminal.canvas.text == "abc\nde\n")
    }

    private func draw(_ receiver: SeededReceiver) -> Canvas {
        Screen.draw(
            [receiver.model], ScreenSettings(), at: receiver.now, width: 120, height: 40)
    }
}

@Suite(.timeLimit(.generous))
struct ColourTests {
    /// The luminance of one of 256 colours: 6 × 6 × 6 and 24 greys.
    private func luminance(_ colour: Int) -> Double {
        func linear(_ level: Int) -> Double {
            let share = Double(level) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        guard colour < 232 else { return linear(8 + 10 * (colour - 232)) }
        let levels = [0, 95, 135, 175, 215, 255]
        let index = colour - 16
        return 0.2126 * linear(levels[index / 36]) + 0.7152 * linear(levels[index / 6 % 6])
            + 0.0722 * linear(levels[index % 6])
    }

    @Test func `colours are readable on black and on white`() {
        let colours = Style.Role.allCases.compactMap { $0.colour(of: 256) } + [Style.Role.dimColour]
        #expect(colours.count == Style.Role.allCases.count)
        for colour in colours {
            let luminance = luminance(colour)
            #expect(1.05 / (luminance + 0.05) >= 3.5, "\(colour) on white")
            #expect((luminance + 0.05) / 0.05 >= 3.5, "\(colour) on black")
        }
    }

    @Test func `constellations have different colours`() {
        let roles: [Style.Role] = [.gps, .glonass, .galileo, .beiDou, .sbas, .qzss, .navIC]
        #expect(Set(roles.compactMap { $0.colour(of: 256) }).count == roles.count)
    }
}
