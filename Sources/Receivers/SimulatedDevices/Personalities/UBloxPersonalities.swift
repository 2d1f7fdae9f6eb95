// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import NMEA

extension Personality {
    /// u-blox 6 and older: NMEA 2.3, GPS only.
    ///
    ///     $GPRMC,143254.00,A,4002.10571,N,07531.20555,W,0.420,,241013,,,S*hh
    ///     $GPVTG  $GPGGA  $GPGSA  $GPGSV…  $GPGLL
    public static let ublox6 = ublox(
        "ublox6", .generation6, "u-blox 6 (NEO-6M): NMEA 2.3, GPS", .v2_3, [.gps, .sbas],
        startUp: ["u-blox ag - www.u-blox.com", "HW  SIMULATED", "ANTSTATUS=OK"], maximumRate: 5)

    /// u-blox 7: NMEA 2.3 and one constellation at a time, as in VK-162 and VK-172.
    public static let ublox7 = ublox(
        "ublox7", .generation7, "u-blox 7 (VK-162, VK-172): NMEA 2.3, GPS", .v2_3, [.gps, .sbas],
        startUp: [
            "u-blox AG - www.u-blox.com", "HW  SIMULATED", "PROTVER 14.00", "ANTSTATUS=OK",
        ], maximumRate: 10)

    /// u-blox 8 and M8: NMEA 4.0, GPS and GLONASS, no system or signal ids.
    ///
    ///     $GNGSA,A,3,23,09,16,07,26,03,27,22,,,,,1.71,1.01,1.38*hh
    ///     $GNGSA,A,3,80,70,73,79,69,71,,,,,,,1.71,1.01,1.38*hh
    public static let ublox8 = ublox(
        "ublox8", .generation8, "u-blox 8, M8 (NEO-M8N): NMEA 4.0, GPS, GLONASS", .v4_0,
        [.gps, .sbas, .glonass],
        startUp: ["u-blox AG - www.u-blox.com", "HW SIMULATED", "PROTVER=18.00", "ANTSTATUS=OK"],
        maximumRate: 10
    ) { $0.numbering = .extended }

    /// u-blox 9: NMEA 4.10, four constellations, with GST, ZDA and `PUBX,00` enabled.
    ///
    ///     $GNGSA,A,3,32,28,30,33,27,,,,,,,,1.04,0.56,0.88,4*hh
    ///     $GBGSV,2,2,07,30,37,312,36,32,45,196,44,33,20,043,29,1*hh
    ///     $PUBX,00,…,G3,…
    public static let ublox9 = ublox(
        "ublox9", .generation9,
        "u-blox 9 (NEO-M9N): NMEA 4.10, GPS, GLONASS, Galileo, BeiDou; PUBX,00", .v4_10,
        [.gps, .sbas, .glonass, .galileo, .beiDou],
        startUp: ["u-blox AG - www.u-blox.com", "HW SIMULATED", "PROTVER=32.00"], maximumRate: 25
    ) {
        $0.cycle += [.gst, .zda, .pubx00]
        $0.decimals = SentenceDecimals(deviation: 2)
    }

    /// u-blox 10: NMEA 4.11, five constellations with separate numbers and talkers.
    public static let ublox10 = ublox(
        "ublox10", .generation10, "u-blox 10: NMEA 4.11, GPS, GLONASS, Galileo, BeiDou, QZSS",
        .v4_11,
        [.gps, .sbas, .glonass, .galileo, .beiDou, .qzss],
        startUp: ["u-blox AG - www.u-blox.com", "HW SIMULATED", "PROTVER=34.10"], maximumRate: 25
    ) {
        $0.maximumSatelliteCount = 99
    }

    /// ZED-F9P: two bands of five constellations, without corrections.
    public static let f9p = ublox(
        "f9p", .f9p, "u-blox ZED-F9P: NMEA 4.11, two bands of GPS, GLONASS, Galileo, BeiDou, QZSS",
        .v4_11, [.gps, .sbas, .glonass, .galileo, .beiDou, .qzss],
        startUp: ["u-blox AG - www.u-blox.com", "HW SIMULATED", "PROTVER=27.50"], maximumRate: 20
    ) {
        $0.signals = [
            .gps: [1, 6], .glonass: [1, 3], .galileo: [7, 2], .beiDou: [1, 0xB], .qzss: [1, 6],
        ]
    }

    /// ZED-X20P: three bands of six constellations, without corrections.
    public static let x20p = ublox(
        "x20p", .x20p,
        "u-blox ZED-X20P: NMEA 4.11, GPS, GLONASS, Galileo, BeiDou, QZSS on three bands",
        .v4_11, [.gps, .sbas, .glonass, .galileo, .beiDou, .qzss],
        startUp: ["u-blox AG - www.u-blox.com", "HW SIMULATED", "PROTVER=50.11"], maximumRate: 25
    ) {
        $0.signals = [
            .gps: [1, 6, 8], .glonass: [1, 3], .galileo: [7, 1], .beiDou: [1, 3, 8], .qzss: [1, 8],
        ]
    }

    /// A module sold as NEO-6M that contains another chip. It reports a version of u-blox 5 and
    /// refuses configuration.
    public static let clone = ublox(
        "clone", .clone(.refuses),
        "a clone of a u-blox 6 that refuses configuration: NMEA 2.3, GPS", .v2_3, [.gps],
        startUp: ["u-blox ag - www.u-blox.com", "HW  SIMULATED"], maximumRate: 1
    )

    /// A module sold as NEO-6M that contains another chip. It ignores configuration.
    public static let muteClone = ublox(
        "muteclone", .clone(.ignores),
        "a clone of a u-blox 6 that ignores configuration: NMEA 2.3, GPS", .v2_3,
        [.gps], startUp: ["u-blox ag - www.u-blox.com", "HW  SIMULATED"], maximumRate: 1
    )

    /// Creates a u-blox personality with the properties that all of them share, and applies
    /// `change`.
    private static func ublox(
        _ name: String, _ chip: UBXChip, _ summary: String, _ version: Personality.Version,
        _ constellations: [Constellation], startUp: [String], maximumRate: Double,
        _ change: (inout Personality) -> Void = { _ in }
    ) -> Personality {
        let talker = constellations.contains(.glonass) ? "GN" : "GP"
        var personality = Personality(
            name: name, summary: summary, version: version,
            constellations: constellations, cycle: [.rmc, .vtg, .gga, .gsa, .gsv, .gll],
            maximumSatelliteCount: 12, unknownDilution: 99.99, writesUnitsWithoutFix: false,
            startUp: startUp.map { "\(talker)TXT,01,01,02,\($0)" },
            baudRate: BaudRate(rawValue: chip.baudRate) ?? .default, maximumRate: maximumRate,
            chip: chip)
        change(&personality)
        return personality
    }
}
