// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
    /// SiRF III, as in the BU-353: 4800 baud, lists of satellites every fifth second.
    ///
    ///     $PSRFTXT,Version:…
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC
    public static let sirf3: Personality = {
        var it = Personality(
            name: "sirf3", summary: "SiRF III (BU-353): NMEA 2.3, GPS, 4800 baud",
            cycle: [.gga, .gsa, .gsv, .rmc])
        it.version = .v2_3
        it.constellations = [.gps, .sbas]
        it.decimals.seconds = 3
        it.decimals.minutes = 4
        it.decimals.speed = 2
        it.decimals.dilution = 1
        it.viewPeriod = 5
        it.mostCounted = 12
        it.startUp = ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"]
        it.baudRate = .nmea
        return it
    }()
}
