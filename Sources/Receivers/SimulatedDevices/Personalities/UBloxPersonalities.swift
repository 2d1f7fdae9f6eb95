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

    /// ZED-F9P as the base of another receiver on the same vehicle.
    static let movingBase: Personality = {
        var base = f9p
        base.name = "movingbase"
        base.summary =
            "ZED-F9P as moving base: also RTCM 3 messages 4072, 1074 to 1124, 1230, and 1029"
        base.base = .moving
        return base
    }()

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
    static let clone = ublox(
        "clone", .clone(.refuses),
        "a clone of a u-blox 6 that refuses configuration: NMEA 2.3, GPS", .v2_3, [.gps],
        startUp: ["u-blox ag - www.u-blox.com", "HW  SIMULATED"], maximumRate: 1
    )

    /// A module sold as NEO-6M that contains another chip. It ignores configuration.
    static let muteClone = ublox(
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

extension Personality {
    /// An electronic compass: headings without a position.
    ///
    ///     $HCHDG,86.3,,,4.0,E*hh
    ///     $HCTHS,90.3,S*hh
    public static let compass = Personality(
        name: "compass",
        summary: "an electronic compass: headings, and no position",
        constellations: [],
        cycle: [.hdg, .ths],
        talkers: [.hdg: .compass, .ths: .compass],
        maximumRate: 20)

    /// A satellite compass: positions and headings from two antennas.
    ///
    ///     $GNRMC  $GNGGA  $GNGSA…  $GPGSV…  $GNVTG  $GNTHS,90.3,S*hh  $HCHDG,86.3,,,4.0,E*hh
    public static let satelliteCompass = Personality(
        name: "satcompass",
        summary: "a satellite compass (two antennas): positions and headings",
        constellations: [.gps, .glonass],
        cycle: [.rmc, .gga, .gsa, .gsv, .vtg, .ths, .hdg],
        talkers: [.hdg: .compass],
        maximumRate: 20)
}

extension Talker {
    fileprivate static let compass = Talker(rawValue: "HC")
}

extension Personality {
    /// MediaTek 3339: milliseconds, four decimals of minutes, GSV every fifth second.
    ///
    ///     $PMTK011,MTKGPS*hh  $PMTK010,001*hh
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC  $GPVTG
    package static let mt3339 = Personality(
        name: "mt3339",
        summary: "MediaTek 3339 (Adafruit Ultimate GPS): NMEA 2.3, GPS",
        version: .v2_3,
        constellations: [.gps, .sbas],
        cycle: [.gga, .gsa, .gsv, .rmc, .vtg],
        decimals: SentenceDecimals(seconds: 3, minutes: 4, speed: 2),
        viewPeriod: 5,
        startUp: ["PMTK011,MTKGPS", "PMTK010,001", "PMTK001,604,3"],
        maximumRate: 10,
        dialect: .pmtk)

    /// Quectel L76K: RMC in the middle of the cycle, DOPs with one decimal, BeiDou as `BD`.
    ///
    ///     $GNGGA  $GNGLL  $GNGSA,…,1  $GPGSV…  $BDGSV…  $GLGSV…  $GNRMC  $GNVTG  $GNZDA
    package static let l76 = Personality(
        name: "l76",
        summary: "Quectel L76K: NMEA 4.10, GPS, BeiDou, GLONASS",
        version: .v4_10,
        constellations: [.gps, .beiDou, .glonass],
        cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda],
        decimals: SentenceDecimals(seconds: 3, speed: 2, dilution: 1),
        beiDouTalker: Talker(rawValue: "BD"),
        startUp: ["GPTXT,01,01,02,HW=SIMULATED", "GPTXT,01,01,01,ANTENNA OK"],
        maximumRate: 5,
        dialect: .casic5)

    /// Quectel's dual-band receivers (LC79D, LC29H): six decimals of minutes, GSV for each signal,
    /// Galileo numbered from 101, the position last.
    ///
    ///     $GPGSV,…,1  $GPGSV,…,8  $GLGSV  $GAGSV,…,7  $GBGSV  $GNGSA…  $GNVTG  $GNRMC  $GNGGA  $GNGLL
    package static let lc29h = Personality(
        name: "lc29h",
        summary: "Quectel LC29H, LC79D: NMEA 4.10, two bands of five constellations",
        version: .v4_10,
        constellations: [.gps, .glonass, .galileo, .beiDou, .qzss],
        cycle: [.gsv, .gsa, .vtg, .rmc, .gga, .gll],
        numbering: .from101,
        decimals: SentenceDecimals(minutes: 6, speed: 1, course: 1, dilution: 1),
        signals: [.gps: [1, 8], .galileo: [7, 1], .beiDou: [1, 5], .qzss: [1, 8]],
        startUp: ["PQTMVERNO,SIMULATED,2026/01/01,00:00:00"],
        baudRate: BaudRate(rawValue: 115_200) ?? .default,
        maximumRate: 10,
        dialect: .pair)

    /// Quectel LG290P, which is configured with PQTM sentences.
    package static let lg290p = Personality(
        name: "lg290p",
        summary: "Quectel LG290P: NMEA 4.11, four constellations and QZSS; PQTM commands",
        version: .v4_11,
        constellations: [.gps, .glonass, .galileo, .beiDou, .qzss],
        cycle: [.rmc, .gga, .gsv, .gsa, .vtg, .gll],
        decimals: SentenceDecimals(seconds: 3, minutes: 6, speed: 3, dilution: 2),
        startUp: ["PQTMVERNO,SIMULATED,2026/01/01,00:00:00"],
        baudRate: BaudRate(rawValue: 460_800) ?? .default,
        maximumRate: 20,
        dialect: .pqtm)

    /// Zhongke AT9880 (ATGM332D-F8N), with PCAS commands and CASIC frames.
    package static let at9880 = Personality(
        name: "at9880",
        summary: "Zhongke AT9880 (ATGM332D-F8N): NMEA 4.10, four constellations; PCAS commands",
        version: .v4_10,
        constellations: [.gps, .beiDou, .glonass, .galileo],
        cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda],
        decimals: SentenceDecimals(seconds: 3, speed: 2, dilution: 1),
        startUp: ["GPTXT,01,01,02,HW=SIMULATED", "GPTXT,01,01,01,ANTENNA OK"],
        baudRate: BaudRate(rawValue: 115_200) ?? .default,
        maximumRate: 10,
        dialect: .casic6)

    /// Unicore UM980, which is configured with text commands such as `CONFIG` and `MASK`, not with
    /// NMEA sentences.
    package static let um980 = Personality(
        name: "um980",
        summary: "Unicore UM980: NMEA 4.11, four constellations and QZSS; CONFIG and MASK commands",
        version: .v4_11,
        constellations: [.gps, .glonass, .galileo, .beiDou, .qzss],
        cycle: [.gga, .rmc, .gsa, .gsv],
        decimals: SentenceDecimals(minutes: 7, altitude: 4),
        baudRate: BaudRate(rawValue: 115_200) ?? .default,
        maximumRate: 20,
        dialect: .unicore)

    /// A base for RTK: sentences, and RTCM 3 messages of the same epochs.
    static let base = Personality(
        name: "base",
        summary:
            "an RTK base: also RTCM 3 messages 1005, 1074 to 1124, 1230, and 1029, for corrections",
        version: .v4_11,
        constellations: [.gps, .glonass, .galileo, .beiDou],
        cycle: [.rmc, .gga, .gsa, .gsv],
        baudRate: BaudRate(rawValue: 115_200) ?? .default,
        maximumRate: 20, base: .fixed)

    /// ST Teseo: GST and GBS before the satellites.
    ///
    ///     $GNRMC  $GNGGA  $GNVTG  $GNGST  $GNGBS  $GNGSA…  $GPGSV…  $GAGSV…  $BDGSV…
    static let teseo = Personality(
        name: "teseo",
        summary: "ST Teseo-LIV4F: NMEA 4.10, GPS, Galileo, BeiDou; GBS",
        version: .v4_10,
        constellations: [.gps, .galileo, .beiDou],
        cycle: [.rmc, .gga, .vtg, .gst, .gbs, .gsa, .gsv],
        decimals: SentenceDecimals(seconds: 3, speed: 1, course: 1, altitude: 2, dilution: 1),
        beiDouTalker: Talker(rawValue: "BD"),
        startUp: ["PSTMVER,GNSSLIB_SIMULATED", "PSTMANTENNASTATUS,0,0,0,0"],
        baudRate: BaudRate(rawValue: 115_200) ?? .default,
        maximumRate: 10)
}

extension Personality {
    /// A generic receiver: GPS and GLONASS, with error estimates.
    ///
    ///     $GNRMC,…,S,V  $GNVTG  $GNGGA  $GNGST  $GNGSA,…,1  $GNGSA,…,2  $GPGSV,…,1  $GLGSV,…,1  $GNGLL
    public static let generic = Personality(
        name: "generic",
        summary: "a generic receiver with any update rate: GPS, GLONASS",
        version: .v4_10,
        constellations: [.gps, .glonass],
        cycle: [.rmc, .vtg, .gga, .gst, .gsa, .gsv, .gll],
        decimals: SentenceDecimals(deviation: 2),
        maximumSatelliteCount: 12,
        maximumRate: 1000)

    /// A receiver with NMEA 2.0 and only GPS. This version has no mode letters, so only the quality
    /// in GGA marks the data as simulated.
    package static let nmea20 = Personality(
        name: "nmea20",
        summary: "plain NMEA 2.0, GPS, 4800 baud, no mode letters",
        version: .v2_0,
        cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg],
        decimals: SentenceDecimals(seconds: 0, minutes: 3, speed: 1, course: 1, dilution: 1),
        maximumSatelliteCount: 12,
        baudRate: .nmea)

    /// A receiver with NMEA 2.3 and only GPS.
    static let nmea23 = Personality(
        name: "nmea23",
        summary: "plain NMEA 2.3, GPS, 4800 baud",
        version: .v2_3,
        cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg],
        decimals: SentenceDecimals(minutes: 4, speed: 1, course: 1, dilution: 1),
        maximumSatelliteCount: 12,
        baudRate: .nmea)

    /// SiRF III, as in the BU-353: 4800 baud, GSV every fifth second.
    ///
    ///     $PSRFTXT,Version:…
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC
    package static let sirf3 = Personality(
        name: "sirf3",
        summary: "SiRF III (BU-353): NMEA 2.3, GPS, 4800 baud",
        version: .v2_3,
        constellations: [.gps, .sbas],
        cycle: [.gga, .gsa, .gsv, .rmc],
        decimals: SentenceDecimals(seconds: 3, minutes: 4, speed: 2, dilution: 1),
        viewPeriod: 5,
        maximumSatelliteCount: 12,
        startUp: ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"],
        baudRate: .nmea)

    /// SiRF IV with GLONASS, as in the BU-353 of 2014: GGA and ZDA have the talker `GP`.
    ///
    ///     $GPGGA,081416.000,5541.1967,N,03737.2926,E,8,06,2.56,66.2,M,14.5,M,,*hh
    ///     $GNGSA  $GNGSA  [$GPGSV… $GLGSV…]  $GNRMC  $GPZDA
    static let sirf4 = Personality(
        name: "sirf4",
        summary: "SiRF IV (BU-353S4): NMEA 2.3, GPS, GLONASS, 4800 baud",
        version: .v2_3,
        constellations: [.gps, .glonass],
        cycle: [.gga, .gsa, .gsv, .rmc, .zda],
        decimals: SentenceDecimals(seconds: 3, minutes: 4, speed: 2, dilution: 2),
        talkers: [.gga: .gps, .zda: .gps],
        viewPeriod: 5,
        startUp: ["PSRFTXT,Version:SIMULATED", "PSRFTXT,TOW: 0", "PSRFTXT,WK: 0"],
        baudRate: .nmea,
        maximumRate: 5)

    /// Garmin's handhelds: whole seconds, three decimals of minutes, proprietary errors and
    /// altitude in feet.
    ///
    ///     $GPRMC,225310,A,4527.458,S,…  $GPGGA  $GPGSA  $GPGSV…  $PGRME,9.1,M,15.0,M,12.0,M  $GPGLL
    ///     $PGRMZ,48,f,3  $PGRMM,WGS 84
    package static let garmin = Personality(
        name: "garmin",
        summary: "Garmin handheld: NMEA 2.3, GPS, 4800 baud; PGRME, PGRMZ",
        version: .v2_3,
        cycle: [.rmc, .gga, .gsa, .gsv, .pgrme, .gll, .pgrmz, .pgrmm],
        decimals: SentenceDecimals(seconds: 0, minutes: 3, speed: 1, course: 1, dilution: 1),
        maximumSatelliteCount: 12,
        baudRate: .nmea)

    /// Trimble's surveying receivers: seven decimals of minutes, GNS, and a proprietary position.
    ///
    ///     $GNGNS,…,SSSN,…  $GPGST  $GNVTG  $GNZDA  $GNRMC  $GNGGA  $PTNL,GGK
    static let trimble = Personality(
        name: "trimble",
        summary: "Trimble: NMEA 4.10, GNS, GST, seven digits of minutes; PTNL,GGK",
        version: .v4_10,
        constellations: [.gps, .glonass, .galileo],
        cycle: [.gga, .gns, .rmc, .vtg, .zda, .gst, .gsa, .gsv, .ptnlGGK],
        decimals: SentenceDecimals(minutes: 7, altitude: 3, deviation: 3),
        baudRate: BaudRate(rawValue: 38_400) ?? .default,
        maximumRate: 20)
}
