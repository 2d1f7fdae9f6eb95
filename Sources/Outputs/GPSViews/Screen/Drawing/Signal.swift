// SPDX-License-Identifier: MIT
package import GNSS

/// The bands of signals, and the colours of constellations.
package enum Signal {
    /// Returns the colour of a constellation.
    static func style(_ constellation: Constellation) -> Style {
        switch constellation {
        case .gps: Style(.gps)
        case .sbas: Style(.sbas)
        case .galileo: Style(.galileo)
        case .beiDou: Style(.beiDou)
        case .qzss: Style(.qzss)
        case .glonass: Style(.glonass)
        case .navIC: Style(.navIC)
        }
    }

    /// Returns the band of a signal, such as `L1`, according to its NMEA 4.11 signal ID. Returns
    /// `#` and the ID if the band is unknown, and an empty string for the ID 0.
    package static func band(_ signal: SatelliteSignal) -> String {
        guard signal.signal != 0 else { return "" }
        let name: String? =
            switch (signal.id.constellation, signal.signal) {
            case (.gps, 1), (.sbas, 1), (.qzss, 1): "L1"
            case (.gps, 5), (.gps, 6), (.qzss, 5), (.qzss, 6): "L2C"
            case (.gps, 7), (.gps, 8), (.qzss, 7), (.qzss, 8), (.navIC, 1): "L5"
            case (.qzss, 4): "L1S"
            case (.glonass, 1): "G1"
            case (.glonass, 3): "G2"
            case (.galileo, 1): "E5a"
            case (.galileo, 2): "E5b"
            case (.galileo, 4), (.galileo, 5): "E6"
            case (.galileo, 6), (.galileo, 7): "E1"
            case (.beiDou, 1): "B1I"
            case (.beiDou, 3): "B1C"
            case (.beiDou, 5): "B2a"
            case (.beiDou, 8): "B3I"
            case (.beiDou, 11): "B2I"
            default: nil
            }
        return name ?? "#\(signal.signal)"
    }
}
