// SPDX-License-Identifier: MIT

// Rounding is libm's, which nobody else may have linked.
import Glibc

extension [UInt8] {
    /// Appends the characters of a string.
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a whole number, padded with zeros to `width` digits.
    package mutating func append(integer value: Int, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude, width)
    }

    /// Appends a number with that many decimals (0 to 12), rounded, and at least `width` digits
    /// before the point. A number beyond what 18 digits hold is left out, and so is no number.
    package mutating func append(fixed value: Double, decimals: Int, width: Int = 1) {
        let scale = powerOfTen(decimals)
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 1e18 else { return }
        let all = UInt(scaled)
        if value < 0, all > 0 { append(UInt8(ascii: "-")) }
        let unit = UInt(scale)
        append(digits: all / unit, width)
        if decimals > 0 {
            append(UInt8(ascii: "."))
            append(digits: all % unit, decimals)
        }
    }

    private mutating func append(digits value: UInt, _ width: Int) {
        let start = count
        var rest = value
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || count - start < width
        self[start...].reverse()
    }
}
