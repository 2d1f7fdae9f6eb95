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
        switch self {
        case .decimal:
            return AngleText.decimal(coordinate.latitude, ("N", "S"), glyphs).leading(13) + "  "
                + AngleText.decimal(coordinate.longitude, ("E", "W"), glyphs).leading(14)
        case .minutes:
            return AngleText.minutes(coordinate.latitude, ("N", "S"), glyphs).leading(13) + "  "
                + AngleText.minutes(coordinate.longitude, ("E", "W"), glyphs).leading(14)
        case .sexagesimal:
            return AngleText.sexagesimal(coordinate.latitude, ("N", "S"), glyphs).leading(15) + "  "
                + AngleText.sexagesimal(coordinate.longitude, ("E", "W"), glyphs).leading(16)
        case .utm: return UTM(coordinate)?.text ?? UPS(coordinate)?.text ?? glyphs.unknown
        case .mgrs: return UTM(coordinate)?.mgrs ?? UPS(coordinate)?.mgrs ?? glyphs.unknown
        case .maidenhead: return Maidenhead.locator(coordinate) ?? glyphs.unknown
        }
    }
}
