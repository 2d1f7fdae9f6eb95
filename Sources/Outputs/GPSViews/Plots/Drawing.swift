// SPDX-License-Identifier: MIT
import GNSS

/// A colour with components from 0 to 255, and an opacity from 0 to 1.
package struct Color: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8
    package var opacity = 1.0

    /// Creates a colour from `0xRRGGBB`.
    package init(_ code: UInt32) {
        red = UInt8(truncatingIfNeeded: code >> 16)
        green = UInt8(truncatingIfNeeded: code >> 8)
        blue = UInt8(truncatingIfNeeded: code)
    }

    private init(_ parts: (Double, Double, Double)) {
        func byte(_ part: Double) -> UInt8 { UInt8(max(0, min(255, part.rounded()))) }
        (red, green, blue) = (byte(parts.0), byte(parts.1), byte(parts.2))
    }

    /// Returns the colour with another opacity.
    package func opacity(_ opacity: Double) -> Color {
        var color = self
        color.opacity = opacity
        return color
    }

    /// Returns a mixture of this colour (`fraction` 0) and another one (`fraction` 1).
    package func mixed(with other: Color, _ fraction: Double) -> Color {
        let fraction = fraction.isNaN ? 0 : max(0, min(1, fraction))
        func part(_ a: UInt8, _ b: UInt8) -> Double {
            Double(a) + (Double(b) - Double(a)) * fraction
        }
        return Color(
            (part(red, other.red), part(green, other.green), part(blue, other.blue)))
    }

    /// The colour in hexadecimal, such as `#1f77b4`.
    var code: String {
        "#" + String(hexadecimal: UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue), width: 6)
    }
}
