// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
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
