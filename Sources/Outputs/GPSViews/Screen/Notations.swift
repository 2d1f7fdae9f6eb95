// SPDX-License-Identifier: MIT
import GNSS

/// Formats latitudes and longitudes.
package enum AngleText {
    /// Returns text such as `48.1173000° N`. Seven decimals have a resolution of 1 cm.
    package static func decimal(_ degrees: Double, _ signs: (String, String), _ glyphs: Glyphs)
        -> String
    {
        "\(String(abs(degrees), decimals: 7))\(glyphs.degree) \(degrees < 0 ? signs.1 : signs.0)"
    }

    /// Returns text such as `48° 12.345′ N`, as on charts. Three decimals have a resolution of 2 m.
    package static func minutes(
        _ degrees: Double, _ signs: (String, String), _ glyphs: Glyphs
    ) -> String {
        guard degrees.isFinite, abs(degrees) <= 360 else { return glyphs.unknown }
        // Rounding once ensures that there are never 60 minutes.
        let thousandths = Int((abs(degrees) * 60_000).rounded())
        let minutes = String(thousandths / 1000 % 60, width: 2)
        let rest = String(thousandths % 1000, width: 3)
        return "\(thousandths / 60_000)\(glyphs.isASCII ? "d" : "°") \(minutes).\(rest)"
            + "\(glyphs.isASCII ? "'" : "′") \(degrees < 0 ? signs.1 : signs.0)"
    }

    /// Returns text such as `48°07'02.280" N`. Three decimals have a resolution of 3 cm.
    package static func sexagesimal(
        _ degrees: Double, _ signs: (String, String), _ glyphs: Glyphs
    ) -> String {
        guard degrees.isFinite, abs(degrees) <= 360 else { return glyphs.unknown }
        // Rounding once ensures that there are never 60 seconds.
        let thousandths = Int((abs(degrees) * 3_600_000).rounded())
        let seconds = thousandths / 1000
        let second = String(seconds % 60, width: 2) + "." + String(thousandths % 1000, width: 3)
        return "\(seconds / 3600)\(glyphs.isASCII ? "d" : "°")"
            + "\(String(seconds / 60 % 60, width: 2))'\(second)\" "
            + (degrees < 0 ? signs.1 : signs.0)
    }
}
