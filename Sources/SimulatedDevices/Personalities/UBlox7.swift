// SPDX-License-Identifier: MIT
import GNSS

extension Personality {
    /// u-blox 7: NMEA 2.3 and one constellation at a time, as in VK-162 and VK-172.
    public static let ublox7: Personality = {
        var it = Personality.ublox6
        it.name = "ublox7"
        it.summary = "u-blox 7 (VK-162, VK-172): NMEA 2.3, GPS"
        it.startUp = [
            "GPTXT,01,01,02,u-blox AG - www.u-blox.com",
            "GPTXT,01,01,02,HW  SIMULATED",
            "GPTXT,01,01,02,PROTVER 14.00",
            "GPTXT,01,01,02,ANTSTATUS=OK",
        ]
        it.maximumRate = 10
        return it
    }()
}
