// SPDX-License-Identifier: MIT
import GNSS
import NMEA

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
