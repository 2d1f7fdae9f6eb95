// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import NMEA

extension Personality {
    /// MediaTek 3339: milliseconds, four decimals of minutes, GSV every fifth second.
    ///
    ///     $PMTK011,MTKGPS*hh  $PMTK010,001*hh
    ///     $GPGGA  $GPGSA  [$GPGSV…]  $GPRMC  $GPVTG
    public static let mt3339 = Personality(
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
    public static let l76 = Personality(
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
    public static let lc29h = Personality(
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
    public static let lg290p = Personality(
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
    public static let at9880 = Personality(
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
    public static let um980 = Personality(
        name: "um980",
        summary: "Unicore UM980: NMEA 4.11, four constellations and QZSS; CONFIG and MASK commands",
        version: .v4_11,
        constellations: [.gps, .glonass, .galileo, .beiDou, .qzss],
        cycle: [.gga, .rmc, .gsa, .gsv],
        decimals: SentenceDecimals(minutes: 7, altitude: 4),
        baudRate: BaudRate(rawValue: 115_200) ?? .default,
        maximumRate: 20,
        dialect: .unicore)

    /// ST Teseo: GST and GBS before the satellites.
    ///
    ///     $GNRMC  $GNGGA  $GNVTG  $GNGST  $GNGBS  $GNGSA…  $GPGSV…  $GAGSV…  $BDGSV…
    public static let teseo = Personality(
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
