// SPDX-License-Identifier: MIT
package import GNSS

/// A notation of positions.
package enum PositionNotation: Int, CaseIterable, Sendable {
    case decimal, minutes, sexagesimal, utm, mgrs, maidenhead

    /// The name shown on the screen.
    package var name: String {
        switch self {
        case .decimal: "decimal"
        case .minutes: "DM"
        case .sexagesimal: "DMS"
        case .utm: "UTM"
        case .mgrs: "MGRS"
        case .maidenhead: "Maidenhead"
        }
    }

    /// Returns a position as one line of text.
    package func text(_ coordinate: Coordinate, _ glyphs: Glyphs) -> String {
        guard coordinate.isValid else { return "not on Earth" }
        func angles(_ text: (Double, (String, String), Glyphs) -> String, _ width: Int) -> String {
            text(coordinate.latitude, ("N", "S"), glyphs).leading(width) + "  "
                + text(coordinate.longitude, ("E", "W"), glyphs).leading(width + 1)
        }
        switch self {
        case .decimal: return angles(AngleText.decimal, 13)
        case .minutes: return angles(AngleText.minutes, 13)
        case .sexagesimal: return angles(AngleText.sexagesimal, 15)
        case .utm: return UTM(coordinate)?.text ?? UPS(coordinate)?.text ?? glyphs.unknown
        case .mgrs: return UTM(coordinate)?.mgrs ?? UPS(coordinate)?.mgrs ?? glyphs.unknown
        case .maidenhead: return Maidenhead.locator(coordinate) ?? glyphs.unknown
        }
    }
}
