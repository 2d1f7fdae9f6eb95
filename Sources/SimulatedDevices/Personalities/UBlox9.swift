// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
    /// u-blox 9: NMEA 4.10, four constellations, with GST, ZDA and u-blox's own position switched on.
    ///
    ///     $GNGSA,A,3,32,28,30,33,27,,,,,,,,1.04,0.56,0.88,4*hh
    ///     $GBGSV,2,2,07,30,37,312,36,32,45,196,44,33,20,043,29,1*hh
    ///     $PUBX,00,…,G3,…
    public static let ublox9: Personality = {
        var it = Personality(
            name: "ublox9",
            summary: "u-blox 9 (NEO-M9N): NMEA 4.10, GPS, GLONASS, Galileo, BeiDou; PUBX,00",
            cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll, .gst, .zda, .pubx00])
        it.version = .v4_10
        it.constellations = [.gps, .sbas, .glonass, .galileo, .beiDou]
        it.decimals.deviation = 2
        it.mostCounted = 12
        it.unknownDilution = "99.99"
        it.namesLoneUnits = false
        it.startUp = [
            "GNTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GNTXT,01,01,02,HW SIMULATED",
            "GNTXT,01,01,02,PROTVER=32.00",
        ]
        it.baudRate = BaudRate(rawValue: 38_400) ?? .default
        it.maximumRate = 25
        return it
    }()
}
