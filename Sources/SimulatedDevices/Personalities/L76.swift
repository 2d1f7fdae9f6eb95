// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
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
}
