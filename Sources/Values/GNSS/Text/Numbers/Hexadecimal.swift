// SPDX-License-Identifier: MIT

/// Conversions to and from hexadecimal digits.
package enum Hexadecimal {
    /// Returns the value of a digit in upper or lower case; `nil` for any other character.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Returns the byte that two digits represent; `nil` if either is not a hexadecimal digit.
    package static func value(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = value(high), let low = value(low) else { return nil }
        return high << 4 | low
    }
}

extension TextBuffer {
    /// Appends the last `width` hexadecimal digits of a number; `width` is 1 to 16.
    package mutating func append(
        hexadecimal value: UInt64, width: Int, isUppercase: Bool = false
    ) {
        let letters = UInt8(ascii: isUppercase ? "A" : "a") - 10
        for position in (0..<width).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * position) & 15)
            append(digit + (digit < 10 ? UInt8(ascii: "0") : letters))
        }
    }
}

extension String {
    /// Creates the last `width` hexadecimal digits of a number; `width` is 1 to 16.
    package init(hexadecimal value: UInt64, width: Int, isUppercase: Bool = false) {
        self = TextBuffer.text {
            $0.append(hexadecimal: value, width: width, isUppercase: isUppercase)
        }
    }
}
