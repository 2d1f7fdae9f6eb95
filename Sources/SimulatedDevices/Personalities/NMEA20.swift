// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// GPS alone before there were mode letters: only GGA's quality says that it is simulated.
    public static let nmea20: Personality = {
        var it = Personality.nmea23
        it.name = "nmea20"
        it.summary = "plain NMEA 2.0, GPS, 4800 baud, no mode letters"
        it.version = .v2_0
        it.decimals.seconds = 0
        it.decimals.minutes = 3
        return it
    }()
}
