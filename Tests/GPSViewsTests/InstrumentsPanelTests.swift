// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct InstrumentsPanelTests {
    @Test(
        arguments: [
            (
                [.trueWindDirection: 302.5, .trueWindAngle: 200, .magneticWindDirection: 299],
                "303° WNW"
            ),
            ([.trueWindAngle: 200, .magneticWindDirection: 299], "160° port"),
            ([.magneticWindDirection: 359.6], "from 0°M"),
        ] as [([Instruments.Quantity: Double], String)])
    func `the true wind has the best known direction`(
        _ values: [Instruments.Quantity: Double], _ expected: String
    ) {
        var fix = Fix()
        (fix.mode, fix.coordinate) = (.threeD, Coordinate(latitude: -33.5, longitude: 18))
        fix.instruments[.trueWindSpeed] = 7.5
        for (quantity, value) in values { fix.instruments[quantity] = value }
        var model = ScreenModel(name: "/dev/ttyUSB0", origin: .live)
        let moment = ClockReading(unix: 0, steady: 0)
        model.opened("/dev/ttyUSB0", at: moment)
        model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
        let screen = Screen.draw([model], ScreenSettings(), at: moment, width: 90, height: 50)
        let row = screen.text.split(separator: "\n").first { $0.contains("True wind") }
        #expect(row?.contains(expected) == true, "\(screen.text)")
    }
}

@Suite(.timeLimit(.generous))
struct NavigationPanelTests {
    @Test(arguments: [(5555.5, "accuracy must reach 2778 m"), (30.4, "accuracy must reach 15.2 m")])
    func `an anchor watch shows the accuracy that it waits for, which is not cut off`(
        _ radius: Double, _ expected: String
    ) {
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(radius: radius)
        var navigator = Navigator(settings)
        var fix = Fix()
        (fix.mode, fix.coordinate) = (.threeD, Coordinate(latitude: -33.5, longitude: 18))
        fix.accuracy.horizontal = radius
        var model = ScreenModel(name: "/dev/ttyUSB0", origin: .live)
        let moment = ClockReading(unix: 0, steady: 0)
        model.opened("/dev/ttyUSB0", at: moment)
        model.navigation = navigator.receive(fix, at: 0, time: nil)
        model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
        let screen = Screen.draw([model], ScreenSettings(), at: moment, width: 80, height: 36)
        #expect(screen.text.contains(expected), "\(screen.text)")
    }
}

@Suite(.timeLimit(.generous))
struct ReceiverPanelTests {
    @Test func `a receiver's verdict is dimmed when the receiver is lost`() {
        let moment = ClockReading(unix: 1_774_270_800_000_000_000, steady: 0)
        var model = ScreenModel(name: "/dev/ttyACM0", origin: .live)
        model.opened("/dev/ttyACM0", at: moment)
        var fix = Fix()
        fix.mode = .threeD
        fix.coordinate = Coordinate(latitude: 48, longitude: 11)
        fix.integrity = Integrity(state: .ok)
        model.didReceive(fix: fix, satellites: SatelliteView(), at: moment)
        var settings = ScreenSettings()
        settings.page = .receiver
        // The first value of the right column.
        let verdict = { Screen.draw([$0], settings, at: moment, width: 80, height: 24)[52, 3] }
        #expect(verdict(model).character == "o" && !verdict(model).style.isDim)
        model.lost(at: moment)
        #expect(verdict(model).character == "o" && verdict(model).style.isDim)
    }
}
