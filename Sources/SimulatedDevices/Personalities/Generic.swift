// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// No receiver in particular: GPS and GLONASS, with the errors that it believes it has.
    ///
    ///     $GNRMC,…,S,V  $GNVTG  $GNGGA  $GNGST  $GNGSA,…,1  $GNGSA,…,2  $GPGSV,…,1  $GLGSV,…,1  $GNGLL
    public static let generic: Personality = {
        var it = Personality(
            name: "generic", summary: "no receiver in particular, at any rate: GPS, GLONASS",
            cycle: [.rmc, .vtg, .gga, .gst, .gsa, .gsv, .gll])
        it.version = .v4_10
        it.constellations = [.gps, .glonass]
        it.decimals.deviation = 2
        it.mostCounted = 12
        it.maximumRate = 1000
        return it
    }()
}
