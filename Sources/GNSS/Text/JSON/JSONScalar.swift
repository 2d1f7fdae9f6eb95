// SPDX-License-Identifier: MIT

/// A value of JSON that is neither an object nor an array.
package enum JSONScalar: Hashable, Sendable {
    /// Text between quotes.
    case string(String)
    /// A number.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null
    /// A word without quotes that is none of these; only a tolerant scanner accepts it, as gpsd does.
    case word(String)

    /// The number; `nil` for anything else.
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The text between quotes; `nil` for anything else.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The boolean; `nil` for anything else.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The whole number; `nil` for anything else.
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// The value of a text without quotes; `nil` if it is none.
    init?(word: [UInt8], isTolerant: Bool) {
        if let number = Self.number(word) {
            self = .number(number)
            return
        }
        switch word {
        case Array("true".utf8): self = .bool(true)
        case Array("false".utf8): self = .bool(false)
        case Array("null".utf8): self = .null
        default:
            guard isTolerant else { return nil }
            self = .word(String(decoding: word, as: UTF8.self))
        }
    }

    /// A number; `nil` for other text, and what is not finite.
    private static func number(_ text: [UInt8]) -> Double? {
        guard let first = text.first, first == UInt8(ascii: "-") || isDigit(first) else {
            return nil
        }
        if let number = shortNumber(text) { return number }
        return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A number of at most 15 digits without an exponent: its digits are exact as a `Double`, and so is the power of
    /// ten, which makes the quotient the nearest one. `nil` for any other text.
    private static func shortNumber(_ text: [UInt8]) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        var (value, count) = (0, 0)
        var pointAt: Int?
        for byte in isNegative ? text[1...] : text[...] {
            if isDigit(byte), count < 15 {
                value = 10 * value + Int(byte - UInt8(ascii: "0"))
                count += 1
            } else if byte == UInt8(ascii: "."), pointAt == nil, count > 0 {
                pointAt = count
            } else {
                return nil
            }
        }
        guard count > 0 else { return nil }
        let magnitude = Double(value) / Double(powerOfTen(count - (pointAt ?? count)))
        return isNegative ? -magnitude : magnitude
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
