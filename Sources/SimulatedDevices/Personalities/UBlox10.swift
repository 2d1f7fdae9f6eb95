// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// u-blox 10: NMEA 4.11, five constellations with numbers and talkers of their own.
    public static let ublox10: Personality = {
        var it = Personality(
            name: "ublox10",
            summary: "u-blox 10: NMEA 4.11, GPS, GLONASS, Galileo, BeiDou, QZSS",
            cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll])
        it.version = .v4_11
        it.constellations = [.gps, .sbas, .glonass, .galileo, .beiDou, .qzss]
        it.unknownDilution = "99.99"
        it.namesLoneUnits = false
        it.startUp = [
            "GNTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GNTXT,01,01,02,HW SIMULATED",
            "GNTXT,01,01,02,PROTVER=34.10",
        ]
        it.baudRate = Personality.ublox9.baudRate
        it.maximumRate = 25
        return it
    }()
}
