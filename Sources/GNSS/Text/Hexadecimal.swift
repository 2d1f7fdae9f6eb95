// SPDX-License-Identifier: MIT

/// Hexadecimal digits.
package enum Hexadecimal {
    /// The value of a digit of either case; `nil` for anything else.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The byte that two digits make; `nil` if one is none.
    package static func value(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = value(high), let low = value(low) else { return nil }
        return high << 4 | low
    }
}

extension TextBuffer {
    /// Appends the last `width` digits of a number, 1 to 16.
    package mutating func append(
        hexadecimal value: UInt64, width: Int, isUppercase: Bool = false
    ) {
        let letters = UInt8(ascii: isUppercase ? "A" : "a") - 10
        for place in (0..<width).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * place) & 15)
            append(digit + (digit < 10 ? UInt8(ascii: "0") : letters))
        }
    }
}

extension String {
    /// The last `width` hexadecimal digits of a number, 1 to 16.
    package init(hexadecimal value: UInt64, width: Int) {
        self = TextBuffer.text { $0.append(hexadecimal: value, width: width) }
    }
}
