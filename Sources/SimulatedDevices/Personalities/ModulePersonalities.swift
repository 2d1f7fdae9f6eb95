// SPDX-License-Identifier: MIT
import Devices
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

    /// Quectel L76K: RMC in the middle, one decimal of DOPs, BeiDou as `BD`.
    ///
    ///     $GNGGA  $GNGLL  $GNGSA,…,1  $GPGSV…  $BDGSV…  $GLGSV…  $GNRMC  $GNVTG  $GNZDA
    public static let l76: Personality = {
        var it = Personality(
            name: "l76", summary: "Quectel L76K: NMEA 4.10, GPS, BeiDou, GLONASS",
            cycle: [.gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda])
        it.version = .v4_10
        it.constellations = [.gps, .beiDou, .glonass]
        it.beiDouTalker = "BD"
        it.decimals.seconds = 3
        it.decimals.speed = 2
        it.decimals.dilution = 1
        it.startUp = ["GPTXT,01,01,02,HW=SIMULATED", "GPTXT,01,01,01,ANTENNA OK"]
        it.maximumRate = 5
        return it
    }()

    /// Quectel's two-band receivers (LC79D, LC29H): six digits of minutes, every signal, Galileo from
    /// 101, the position last.
    ///
    ///     $GPGSV,…,1  $GPGSV,…,8  $GLGSV  $GAGSV,…,7  $GBGSV  $GNGSA…  $GNVTG  $GNRMC  $GNGGA  $GNGLL
    public static let lc29h: Personality = {
        var it = Personality(
            name: "lc29h",
            summary: "Quectel LC29H, LC79D: NMEA 4.10, two bands of five constellations",
            cycle: [.gsv, .gsa, .vtg, .rmc, .gga, .gll])
        it.version = .v4_10
        it.constellations = [.gps, .glonass, .galileo, .beiDou, .qzss]
        it.numbering = .from101
        it.signals = [.gps: [1, 8], .galileo: [7, 1], .beiDou: [1, 5], .qzss: [1, 8]]
        it.decimals.minutes = 6
        it.decimals.speed = 1
        it.decimals.course = 1
        it.decimals.dilution = 1
        it.startUp = ["PQTMVERNO,SIMULATED,2026/01/01,00:00:00"]
        it.baudRate = BaudRate(rawValue: 115_200) ?? .default
        it.maximumRate = 10
        return it
    }()

    /// ST Teseo: GST and GBS before the satellites.
    ///
    ///     $GNRMC  $GNGGA  $GNVTG  $GNGST  $GNGBS  $GNGSA…  $GPGSV…  $GAGSV…  $BDGSV…
    public static let teseo: Personality = {
        var it = Personality(
            name: "teseo", summary: "ST Teseo-LIV4F: NMEA 4.10, GPS, Galileo, BeiDou; GBS",
            cycle: [.rmc, .gga, .vtg, .gst, .gbs, .gsa, .gsv])
        it.version = .v4_10
        it.constellations = [.gps, .galileo, .beiDou]
        it.beiDouTalker = "BD"
        it.decimals.seconds = 3
        it.decimals.speed = 1
        it.decimals.course = 1
        it.decimals.altitude = 2
        it.decimals.dilution = 1
        it.startUp = ["PSTMVER,GNSSLIB_SIMULATED", "PSTMANTENNASTATUS,0,0,0,0"]
        it.baudRate = Personality.lc29h.baudRate
        it.maximumRate = 10
        return it
    }()
}
