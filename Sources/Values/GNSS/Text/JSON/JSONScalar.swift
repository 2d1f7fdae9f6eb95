// SPDX-License-Identifier: MIT

/// A JSON value that is neither an object nor an array.
package enum JSONScalar: Hashable, Sendable {
    /// A string.
    case string(String)
    /// A number.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null
    /// Any other unquoted word. Only a tolerant scanner accepts it, as gpsd does.
    case word(String)

    /// The value of a number; `nil` for any other value.
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The value of a string; `nil` for any other value.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The value of a boolean; `nil` for any other value.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The value of an integer; `nil` for any other value.
    package var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// Creates a value from text without quotes. Returns `nil` if the text is not valid.
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

    /// Creates `null` from a word that programs write for an unknown number: `NaN` or infinity, as
    /// Python, C and JavaScript spell them. Returns `nil` for any other text.
    init?(unknownNumber word: [UInt8]) {
        let name = String(decoding: word, as: UTF8.self).lowercased()
        let unsigned = name.first == "-" ? String(name.dropFirst()) : name
        guard ["nan", "inf", "infinity"].contains(unsigned) else { return nil }
        self = .null
    }

    /// Returns the number that the text represents; `nil` if it is not a finite number.
    private static func number(_ text: [UInt8]) -> Double? {
        guard let first = text.first, first == UInt8(ascii: "-") || isDigit(first) else {
            return nil
        }
        if let number = shortNumber(text) { return number }
        return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a number that has at most 15 digits and no exponent; `nil` for any other text. The
    /// digits and the power of ten are exact as `Double`, so their quotient is the nearest
    /// `Double`.
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
