// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
    /// SiRF IV with GLONASS, as in the BU-353 of 2014: GGA and ZDA still call themselves GPS.
    ///
    ///     $GPGGA,081416.000,5541.1967,N,03737.2926,E,8,06,2.56,66.2,M,14.5,M,,*hh
    ///     $GNGSA  $GNGSA  [$GPGSV… $GLGSV…]  $GNRMC  $GPZDA
    public static let sirf4: Personality = {
        var it = Personality(
            name: "sirf4", summary: "SiRF IV (BU-353S4): NMEA 2.3, GPS, GLONASS, 4800 baud",
            cycle: [.gga, .gsa, .gsv, .rmc, .zda])
        it.version = .v2_3
        it.constellations = [.gps, .glonass]
        it.decimals = Personality.sirf3.decimals
        it.decimals.dilution = 2
        it.talkers = [.gga: "GP", .zda: "GP"]
        it.viewPeriod = 5
        it.startUp = ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"]
        it.baudRate = .nmea
        it.maximumRate = 5
        return it
    }()
}
