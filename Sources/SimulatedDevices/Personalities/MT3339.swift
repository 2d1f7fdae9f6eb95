// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// MediaTek 3339: milliseconds, four digits of minutes, lists every fifth second.
    ///
    ///     $PMTK011,MTKGPS*hh  $PMTK010,001*hh
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC  $GPVTG
    public static let mt3339: Personality = {
        var it = Personality(
            name: "mt3339", summary: "MediaTek 3339 (Adafruit Ultimate GPS): NMEA 2.3, GPS",
            cycle: [.gga, .gsa, .gsv, .rmc, .vtg])
        it.version = .v2_3
        it.constellations = [.gps, .sbas]
        it.decimals.seconds = 3
        it.decimals.minutes = 4
        it.decimals.speed = 2
        it.viewPeriod = 5
        it.startUp = ["PMTK011,MTKGPS", "PMTK010,001", "PMTK001,604,3"]
        it.maximumRate = 10
        return it
    }()
}
