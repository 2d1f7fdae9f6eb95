// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// u-blox 8 and M8: NMEA 4.0, GPS and GLONASS, no system or signal ids.
    ///
    ///     $GNGSA,A,3,23,09,16,07,26,03,27,22,,,,,1.71,1.01,1.38*hh
    ///     $GNGSA,A,3,80,70,73,79,69,71,,,,,,,1.71,1.01,1.38*hh
    public static let ublox8: Personality = {
        var it = Personality(
            name: "ublox8", summary: "u-blox 8, M8 (NEO-M8N): NMEA 4.0, GPS, GLONASS",
            cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll])
        it.version = .v4_0
        it.constellations = [.gps, .sbas, .glonass]
        it.numbering = .extended
        it.mostCounted = 12
        it.unknownDilution = "99.99"
        it.namesLoneUnits = false
        it.startUp = [
            "GNTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GNTXT,01,01,02,HW SIMULATED",
            "GNTXT,01,01,02,PROTVER=18.00",
            "GNTXT,01,01,02,ANTSTATUS=OK",
        ]
        it.maximumRate = 10
        return it
    }()
}
