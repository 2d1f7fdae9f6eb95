// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Testing

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
