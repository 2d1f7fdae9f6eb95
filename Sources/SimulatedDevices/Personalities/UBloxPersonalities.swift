// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import NMEA

extension Personality {
    /// u-blox 6 and older: NMEA 2.3, GPS alone.
    ///
    ///     $GPRMC,143254.00,A,4002.10571,N,07531.20555,W,0.420,,241013,,,S*hh
    ///     $GPVTG  $GPGGA  $GPGSA  $GPGSV…  $GPGLL
    public static let ublox6 = Personality(
        name: "ublox6",
        summary: "u-blox 6 (NEO-6M): NMEA 2.3, GPS",
        version: .v2_3,
        constellations: [.gps, .sbas],
        cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll],
        maximumSatelliteCount: 12,
        unknownDilution: 99.99,
        writesUnitsWithoutFix: false,
        startUp: [
            "GPTXT,01,01,02,u-blox ag - www.u-blox.com",
            "GPTXT,01,01,02,HW  SIMULATED",
            "GPTXT,01,01,02,ANTSTATUS=OK",
        ],
        maximumRate: 5)

    /// u-blox 7: NMEA 2.3 and one constellation at a time, as in VK-162 and VK-172.
    public static let ublox7 = Personality(
        name: "ublox7",
        summary: "u-blox 7 (VK-162, VK-172): NMEA 2.3, GPS",
        version: .v2_3,
        constellations: [.gps, .sbas],
        cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll],
        maximumSatelliteCount: 12,
        unknownDilution: 99.99,
        writesUnitsWithoutFix: false,
        startUp: [
            "GPTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GPTXT,01,01,02,HW  SIMULATED",
            "GPTXT,01,01,02,PROTVER 14.00",
            "GPTXT,01,01,02,ANTSTATUS=OK",
        ],
        maximumRate: 10)

    /// u-blox 8 and M8: NMEA 4.0, GPS and GLONASS, no system or signal ids.
    ///
    ///     $GNGSA,A,3,23,09,16,07,26,03,27,22,,,,,1.71,1.01,1.38*hh
    ///     $GNGSA,A,3,80,70,73,79,69,71,,,,,,,1.71,1.01,1.38*hh
    public static let ublox8 = Personality(
        name: "ublox8",
        summary: "u-blox 8, M8 (NEO-M8N): NMEA 4.0, GPS, GLONASS",
        version: .v4_0,
        constellations: [.gps, .sbas, .glonass],
        cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll],
        numbering: .extended,
        maximumSatelliteCount: 12,
        unknownDilution: 99.99,
        writesUnitsWithoutFix: false,
        startUp: [
            "GNTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GNTXT,01,01,02,HW SIMULATED",
            "GNTXT,01,01,02,PROTVER=18.00",
            "GNTXT,01,01,02,ANTSTATUS=OK",
        ],
        maximumRate: 10)

    /// u-blox 9: NMEA 4.10, four constellations, with GST, ZDA and u-blox's own position switched on.
    ///
    ///     $GNGSA,A,3,32,28,30,33,27,,,,,,,,1.04,0.56,0.88,4*hh
    ///     $GBGSV,2,2,07,30,37,312,36,32,45,196,44,33,20,043,29,1*hh
    ///     $PUBX,00,…,G3,…
    public static let ublox9 = Personality(
        name: "ublox9",
        summary: "u-blox 9 (NEO-M9N): NMEA 4.10, GPS, GLONASS, Galileo, BeiDou; PUBX,00",
        version: .v4_10,
        constellations: [.gps, .sbas, .glonass, .galileo, .beiDou],
        cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll, .gst, .zda, .pubx00],
        decimals: SentenceDecimals(deviation: 2),
        maximumSatelliteCount: 12,
        unknownDilution: 99.99,
        writesUnitsWithoutFix: false,
        startUp: [
            "GNTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GNTXT,01,01,02,HW SIMULATED",
            "GNTXT,01,01,02,PROTVER=32.00",
        ],
        baudRate: BaudRate(rawValue: 38_400) ?? .default,
        maximumRate: 25)

    /// u-blox 10: NMEA 4.11, five constellations with numbers and talkers of their own.
    public static let ublox10 = Personality(
        name: "ublox10",
        summary: "u-blox 10: NMEA 4.11, GPS, GLONASS, Galileo, BeiDou, QZSS",
        version: .v4_11,
        constellations: [.gps, .sbas, .glonass, .galileo, .beiDou, .qzss],
        cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll],
        unknownDilution: 99.99,
        writesUnitsWithoutFix: false,
        startUp: [
            "GNTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GNTXT,01,01,02,HW SIMULATED",
            "GNTXT,01,01,02,PROTVER=34.10",
        ],
        baudRate: BaudRate(rawValue: 38_400) ?? .default,
        maximumRate: 25)
}
