// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
    /// GPS alone, and no more than NMEA 2.3 says of it.
    public static let nmea23: Personality = {
        var it = Personality(
            name: "nmea23", summary: "plain NMEA 2.3, GPS, 4800 baud",
            cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg])
        it.version = .v2_3
        it.decimals.minutes = 4
        it.decimals.speed = 1
        it.decimals.course = 1
        it.decimals.dilution = 1
        it.mostCounted = 12
        it.baudRate = .nmea
        return it
    }()
}
