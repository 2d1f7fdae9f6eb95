// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
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
}
