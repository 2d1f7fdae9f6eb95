// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestTraits
import GPSViews
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct SkyTests {
    private func canvas(_ page: ScreenSettings.Page, _ satellites: [Int], _ size: (Int, Int))
        -> Canvas
    {
        var model = ScreenModel(name: "x", origin: .live)
        let now = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: now)
        let signals = satellites.enumerated().compactMap { index, number in
            SatelliteID(.gps, number).map {
                SatelliteSignal(
                    id: $0, elevation: 40 + Double(index % 3), azimuth: 90 + Double(index % 4),
                    cn0: 40)
            }
        }
        model.didReceive(.satellites(SatelliteView(signals: signals)), at: now)
        var settings = ScreenSettings()
        settings.page = page
        return Screen.draw([model], settings, at: now, width: size.0, height: size.1)
    }

    @Test func `satellites that are close together all have labels`() {
        let text = canvas(.sky, [3, 7, 12, 25], (80, 24)).text
        for name in ["G03", "G07", "G12", "G25"] {
            // On the circle and in the list beside it.
            #expect(
                text.split(separator: name, omittingEmptySubsequences: false).count == 3, "\(name)")
        }
    }

    @Test(arguments: [(120, 40), (200, 60)])
    func `all signals are shown if a second row of bars fits`(
        _ width: Int, _ height: Int
    ) {
        var receiver = SeededReceiver()
        receiver.watch(20)
        let text = Screen.draw(
            [receiver.model], ScreenSettings(), at: receiver.now, width: width, height: height
        ).text
        let heading = text.split(separator: "\n")[2...3].joined()
        #expect(heading.contains("Signals"))
        #expect(!heading.contains("+"))
    }

    @Test(arguments: [(80, 24), (40, 12), (200, 60)])
    func `only north has a letter, because the others are those of constellations`(
        _ width: Int, _ height: Int
    ) {
        let rows = canvas(.sky, [], (width, height)).text.split(separator: "\n").dropFirst(3)
        let text = rows.dropLast().joined(separator: "\n")
        #expect(text.filter(\.isLetter) == "N", "\(text)")
    }

    @Test(arguments: [(80, 24), (40, 10), (80, 10)])
    func `the sky and the signals fill the screen, with numbers`(_ width: Int, _ height: Int) {
        for page in [ScreenSettings.Page.sky, .signals] {
            let text = canvas(page, [3, 17], (width, height)).text
            #expect(!text.contains("Position"))
            #expect(text.contains("G17"))
            #expect(text.contains("? help"))
        }
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `the headings of a compass without a receiver are shown`(_ width: Int, _ height: Int) {
        var model = ScreenModel(name: "x", origin: .live)
        let now = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: now)
        var fix = Fix()
        fix.attitude.heading = 231.3
        fix.attitude.magneticHeading = 230
        model.didReceive(fix: fix, satellites: SatelliteView(), at: now)
        let text = Screen.draw([model], ScreenSettings(), at: now, width: width, height: height)
            .text
        #expect(text.contains("Heading"))
        #expect(text.contains("231.3"))
    }

    @Test func `headings that would be rounded to 360 are 0`() {
        var model = ScreenModel(name: "x", origin: .live)
        let now = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: now)
        var fix = Fix()
        fix.attitude.heading = 359.97
        fix.attitude.magneticHeading = 359.98
        model.didReceive(fix: fix, satellites: SatelliteView(), at: now)
        let text = Screen.draw([model], ScreenSettings(), at: now, width: 80, height: 24).text
        #expect(text.contains("0.0°T  0.0°M"))
        #expect(!text.contains("360"))
    }

    @Test func `the DOPs and the satellites used end with the fix`() throws {
        var model = ScreenModel(name: "x", origin: .live)
        let now = ClockReading(unix: 0, steady: 0)
        model.opened("x", at: now)
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 1, longitude: 2)
        fix.dilution.hdop = 7.3
        fix.satellitesUsed = 1
        let id = try #require(SatelliteID(.gps, 5))
        var view = SatelliteView(signals: [SatelliteSignal(id: id, cn0: 40)])
        view.used.insert(id)
        model.didReceive(fix: fix, satellites: view, at: now)
        func text() -> String {
            Screen.draw([model], ScreenSettings(), at: now, width: 80, height: 24).text
        }
        #expect(text().contains("H 7.3"))
        #expect(text().contains("1 used"))
        model.didReceive(
            fix: Fix(), satellites: SatelliteView(signals: view.signals), at: now)
        #expect(!text().contains("H 7.3"))
        #expect(!text().contains("1 used"))
    }
}
