// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The number of satellites used, where a receiver counts none.
@Suite(.timeLimit(.generous))
struct SatelliteCountTests {
    // gpsd's sentences of a u-blox before its first list of satellites.
    @Test(arguments: [("1", nil as Int?), ("6", 0)])
    func `0 satellites with a fix are an unknown number, except in dead reckoning`(
        quality: String, count: Int?
    ) throws {
        let text = [
            line("GPGGA,120004.00,4807.0620,N,01131.0000,E,\(quality),00,,545.40,M,44.763,M,,"),
            line("GPRMC,120004.00,A,4807.0620,N,01131.0000,E,5.8296,53.100,210326,3.3,E"),
            line("GPGSA,A,3,,,,,,,,,,,,,,,"),
        ].joined()
        let fix = decode(text).fix
        #expect(fix.mode == .threeD && fix.coordinate != nil)
        #expect(fix.satellitesUsed == count)
    }
}
