// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Glibc
import SimulatedDevices
import Testing

/// The screens of `docs/screens`; `GPSBRIDGE_RECORD=1` rewrites them.
@Suite(.timeLimit(.generous))
struct CaptureTests {
    private static var settings: ScreenSettings {
        var settings = ScreenSettings()
        settings.zone = LocalZone(offset: 3600, name: "CET")
        settings.fixZone = settings.zone
        return settings
    }

    @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 60)])
    func `screens of several sizes are those of the documentation`(
        _ width: Int, _ height: Int
    ) throws {
        var receiver = SeededReceiver()
        receiver.watch(200)
        try expect(draw(receiver, Self.settings, width, height), "\(width)x\(height)")
    }

    @Test func `an ASCII terminal gets only ASCII`() throws {
        var receiver = SeededReceiver()
        receiver.watch(200)
        var settings = Self.settings
        settings.isASCII = true
        let text = draw(receiver, settings, 120, 40)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        try expect(text, "ascii")
    }

    @Test(arguments: [("colour", 256), ("monochrome", 0)])
    func `colours and emphasis are those of the documentation`(
        _ name: String, _ colours: Int
    ) throws {
        var receiver = SeededReceiver()
        receiver.watch(200)
        let canvas = Screen.draw(
            [receiver.model], Self.settings, at: receiver.now, width: 120, height: 40)
        let text = ColouredText.text(canvas, colours: colours)
        #expect(text.contains("38;5") == (colours > 0))
        // The banner is also visible without colours.
        #expect(text.contains(colours > 0 ? "[0;1;7;38;5;130m SIMULATED" : "[0;1;7m SIMULATED"))
        try expect(text, name)
    }

    @Test func `the screen follows the window's size while it runs`() throws {
        var receiver = SeededReceiver()
        var writer = FrameWriter()
        var terminal = ScriptedTerminal(width: 80, height: 24)
        var text = ""
        for (width, height) in [(80, 24), (56, 14), (100, 30)] {
            terminal.resize(width: width, height: height)
            for _ in 0..<60 {
                receiver.watch(1)
                let canvas = Screen.draw(
                    [receiver.model], Self.settings, at: receiver.now, width: width, height: height)
                terminal.take(writer.bytes(for: canvas, terminal))
            }
            text += "\(width)x\(height)\n\(terminal.canvas.text)"
        }
        #expect(!text.contains("#"))
        try expect(text, "resize")
    }

    @Test func `content that does not fit can be scrolled to`() throws {
        var receiver = SeededReceiver()
        receiver.watch(200)
        var settings = Self.settings
        settings.page = .satellites
        for _ in 0..<30 { _ = settings.press(.down, receivers: 1) }
        try expect(draw(receiver, settings, 80, 24), "scrolled")
    }

    @Test(arguments: ScreenSettings.Page.allCases.dropFirst())
    func `each view fills the space beside the figures`(_ page: ScreenSettings.Page) throws {
        var receiver = SeededReceiver()
        receiver.watch(200)
        var settings = Self.settings
        settings.page = page
        try expect(draw(receiver, settings, 80, 24), "view-\(page)")
    }

    @Test func `ephemerides and measurements are shown with their age and their lock`() throws {
        var receiver = SeededReceiver(personality: .f9p)
        receiver.enable(0x2091_0234)
        receiver.watch(200)
        receiver.measure()
        var settings = Self.settings
        settings.page = .ephemerides
        try expect(draw(receiver, settings, 80, 24), "ephemerides")
    }

    @Test func `docs/monitor.md shows the same screen`() throws {
        var receiver = SeededReceiver()
        receiver.watch(200)
        let page = try PackageFile.text("docs/monitor.md")
        #expect(page.contains("```\n" + draw(receiver, Self.settings, 80, 24) + "```\n"))
    }

    @Test func `the help lists every key`() throws {
        var receiver = SeededReceiver()
        receiver.watch(3)
        var settings = Self.settings
        settings.isHelpShown = true
        try expect(draw(receiver, settings, 80, 24), "help")
    }

    @Test func `a lost receiver is shown in reverse`() throws {
        var receiver = SeededReceiver(origin: .live, name: "/dev/ttyACM0")
        receiver.watch(60)
        receiver.lose()
        receiver.wait(12)
        try expect(draw(receiver, Self.settings, 80, 24), "gone")
    }

    @Test func `an anchor watch and a waypoint have panels below the position`() throws {
        var receiver = SeededReceiver(origin: .live, name: "/dev/ttyACM0")
        var settings = Navigator.Settings()
        let anchor = Coordinate(latitude: 48.137, longitude: 11.575)
        settings.circle = AnchorCircle(radius: 60, anchor: anchor)
        settings.route = [
            RoutePoint(anchor.moved(by: 3000, course: 70), name: "Fischerhütte"),
            RoutePoint(anchor),
        ]
        receiver.navigate(settings)
        receiver.watch(200)
        try expect(draw(receiver, Self.settings, 80, 36), "navigation")
        #expect(!draw(receiver, Self.settings, 80, 24).contains("Latency"))
    }

    @Test func `the state of an anchor watch that begins is not cut off`() {
        var receiver = SeededReceiver()
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(radius: 60)
        receiver.navigate(settings)
        receiver.watch(20)
        let screen = draw(receiver, Self.settings, 80, 36)
        #expect(screen.contains("waiting until at rest"))
    }

    @Test func `instruments have a panel, until their values are old`() throws {
        var receiver = SeededReceiver(
            instruments: Set(SimulatedInstrument.allCases))
        receiver.watch(200)
        try expect(draw(receiver, Self.settings, 80, 36), "instruments")
        receiver.wait(11)
        #expect(!draw(receiver, Self.settings, 80, 36).contains("Instruments"))
    }

    private func draw(
        _ receiver: SeededReceiver, _ settings: ScreenSettings, _ width: Int, _ height: Int
    ) -> String {
        Screen.draw([receiver.model], settings, at: receiver.now, width: width, height: height).text
    }

    private func expect(_ text: String, _ name: String) throws {
        let path = "docs/screens/\(name).txt"
        if getenv("GPSBRIDGE_RECORD") != nil {
            let file = try #require(
                fopen("\(PackageFile.folder)/\(path)", "w"), "\(path) cannot be written")
            fputs(text, file)
            fclose(file)
        } else {
            #expect(try text == PackageFile.text(path))
        }
    }
}
