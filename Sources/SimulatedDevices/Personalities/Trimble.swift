// SPDX-License-Identifier: MIT
import Devices
import GNSS

extension Personality {
    /// Trimble's surveying receivers: seven digits of minutes, GNS, and Trimble's own position.
    ///
    ///     $GNGNS,…,SSSN,…  $GPGST  $GNVTG  $GNZDA  $GNRMC  $GNGGA  $PTNL,GGK
    public static let trimble: Personality = {
        var it = Personality(
            name: "trimble",
            summary: "Trimble: NMEA 4.10, GNS, GST, seven digits of minutes; PTNL,GGK",
            cycle: [.gga, .gns, .rmc, .vtg, .zda, .gst, .gsa, .gsv, .ptnlGGK])
        it.constellations = [.gps, .glonass, .galileo]
        it.version = .v4_10
        it.decimals.minutes = 7
        it.decimals.altitude = 3
        it.decimals.deviation = 3
        it.baudRate = BaudRate(rawValue: 38_400) ?? .default
        it.maximumRate = 20
        return it
    }()
}
