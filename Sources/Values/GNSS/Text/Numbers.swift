// SPDX-License-Identifier: MIT

/// The eight decimal digits of a number below 100 000 000, computed in parallel in one word.
struct Digits {
    /// The exclusive upper limit of the numbers that can be converted.
    static let limit: UInt64 = 100_000_000

    /// The digits, one in each byte, with the first digit in the lowest byte.
    private let values: UInt64

    @inline(__always)
    init(_ number: UInt64) {
        // The number is divided into two halves of four digits, then four pairs, then eight digits.
        // The factors are reciprocals that are exact for the size of each part.
        let fours = (number / 10_000) & 0xFFFF | (number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        values = tens | (twos &- tens &* 10) << 8
    }

    /// The number of digits without leading zeros.
    @inline(__always)
    var significant: Int { 8 &- values.trailingZeroBitCount / 8 }

    /// Returns the last `count` digits (1 to 8) as ASCII characters, with the first character in
    /// the lowest byte.
    @inline(__always)
    func last(_ count: Int) -> UInt64 {
        (values | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }
}

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

    /// Returns the bytes of a text of digits; `nil` if it has other characters, or half a byte.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            value(digits[$0], digits[$0 + 1])
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }

    /// Returns the digits of bytes.
    package static func text(_ bytes: some Sequence<UInt8>, isUppercase: Bool = false) -> String {
        TextBuffer.text { text in
            for byte in bytes {
                text.append(hexadecimal: UInt64(byte), width: 2, isUppercase: isUppercase)
            }
        }
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

/// Returns 10 to the power of `exponent`, 0 to 18. The result is exact as a `Double`.
@inlinable
@inline(__always)
package func powerOfTen(_ exponent: Int) -> Int {
    powersOfTen[exponent]
}

@usableFromInline let powersOfTen: InlineArray<19, Int> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000,
]

extension String {
    /// Creates the Base64 text of bytes (RFC 4648).
    package init(base64 bytes: [UInt8]) {
        let letters = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<Swift.min(start + 3, bytes.count)]
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                text.append(
                    position <= group.count
                        ? letters[number >> (18 - 6 * position) & 0x3F] : UInt8(ascii: "="))
            }
        }
        self = String(decoding: text, as: UTF8.self)
    }
}
