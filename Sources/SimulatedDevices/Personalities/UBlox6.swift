// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// u-blox 6 and older: NMEA 2.3, GPS alone.
    ///
    ///     $GPRMC,143254.00,A,4002.10571,N,07531.20555,W,0.420,,241013,,,S*hh
    ///     $GPVTG  $GPGGA  $GPGSA  $GPGSV…  $GPGLL
    public static let ublox6: Personality = {
        var it = Personality(
            name: "ublox6", summary: "u-blox 6 (NEO-6M): NMEA 2.3, GPS",
            cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll])
        it.version = .v2_3
        it.constellations = [.gps, .sbas]
        it.mostCounted = 12
        it.unknownDilution = "99.99"
        it.namesLoneUnits = false
        it.startUp = [
            "GPTXT,01,01,02,u-blox ag - www.u-blox.com",
            "GPTXT,01,01,02,HW  SIMULATED",
            "GPTXT,01,01,02,ANTSTATUS=OK",
        ]
        it.maximumRate = 5
        return it
    }()
}
