// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import NMEA
import Testing

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
