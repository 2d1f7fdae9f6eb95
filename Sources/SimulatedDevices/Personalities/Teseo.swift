// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
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
