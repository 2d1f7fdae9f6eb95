// SPDX-License-Identifier: MIT
package import GNSS

/// The Maidenhead locator used by radio amateurs, such as `JN58td25`.
package enum Maidenhead {
    /// Returns a locator of ten characters, for a rectangle of about 25 m by 19 m in Europe; `nil`
    /// if the coordinate is invalid.
    package static func locator(_ coordinate: Coordinate) -> String? {
        guard coordinate.isValid else { return nil }
        // Integer arithmetic makes the borders of all rectangles exact.
        let parts = 18 * 10 * 24 * 10 * 24
        func part(_ fraction: Double) -> Int {
            min(parts - 1, max(0, Int((fraction * Double(parts)).rounded(.down))))
        }
        let east = part((coordinate.longitude + 180) / 360)
        let north = part((coordinate.latitude + 90) / 180)
        var text = ""
        var rest = parts
        for (count, first) in [(18, "A"), (10, "0"), (24, "a"), (10, "0"), (24, "a")]
            as [(Int, Unicode.Scalar)]
        {
            rest /= count
            for value in [east, north] {
                let scalar = Unicode.Scalar(first.value + UInt32(value / rest % count))
                text.unicodeScalars.append(scalar ?? "?")
            }
        }
        return text
    }
}
