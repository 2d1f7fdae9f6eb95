// SPDX-License-Identifier: MIT

/// Walks a sentence's fields in wire order; a field that is empty, missing or malformed is `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    private let body: Span<UInt8>
    /// Where the next field begins; one past the end when there is none left.
    private var position: Int

    /// The sentence's first field.
    public let address: Address

    /// How many fields follow the address.
    public let count: Int

    /// How many fields had content that could not be understood.
    public private(set) var malformedCount = 0

    @_lifetime(copy body)
    init(_ body: Span<UInt8>, address: Address, fieldCount: Int) {
        self.body = body
        self.address = address
        count = fieldCount
        position = address.length + 1
    }

    // MARK: Moving

    /// Passes over fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { _ = next() }
    }

    /// The bounds of the next field, and moves behind it. Past the end fields are empty.
    private mutating func next() -> (start: Int, end: Int) {
        let start = position
        guard start <= body.count else { return (0, 0) }
        var end = start
        while end < body.count, body[end] != UInt8(ascii: ",") { end += 1 }
        position = end + 1
        return (start, end)
    }

    // MARK: Values

    /// The single character of the field.
    public mutating func letter() -> UInt8? {
        let (start, end) = next()
        guard end - start == 1 else { return malformed(start, end) }
        return body[start]
    }

    /// An unsigned whole number of up to nine digits.
    public mutating func integer() -> Int? {
        let (start, end) = next()
        return wholeNumber(start, end)
    }

    /// One hexadecimal digit: a system or signal id.
    public mutating func hexadecimal() -> UInt8? {
        let (start, end) = next()
        guard end - start == 1, let value = hexValue(body[start]) else {
            return malformed(start, end)
        }
        return value
    }

    /// A number: optional sign, digits, optional point and digits; at most 18 digits, no exponent.
    public mutating func decimal() -> Double? {
        let (start, end) = next()
        return number(start, end)
    }

    /// A number within bounds; beyond them it is malformed.
    public mutating func decimal(in range: ClosedRange<Double>) -> Double? {
        guard let value = decimal() else { return nil }
        guard range.contains(value) else {
            malformedCount += 1
            return nil
        }
        return value
    }

    /// A dilution of precision: 0, 99 and what lies beyond is how receivers say "unknown".
    public mutating func dilution() -> Double? {
        guard let value = decimal(), value >= 0.01, value <= 89.99 else { return nil }
        return value
    }

    /// Degrees from north, 0 up to 360; 360 is 0.
    public mutating func bearing() -> Double? {
        guard let value = decimal(in: 0...360) else { return nil }
        return value == 360 ? 0 : value
    }

    /// Metres, with their unit letter in the next field; `M` or nothing. Feet never pass for metres.
    public mutating func metres() -> Double? {
        let value = decimal()
        let (start, end) = next()
        guard start == end || (end - start == 1 && body[start] == UInt8(ascii: "M")) else {
            return malformed(start, end)
        }
        return value
    }

    /// A number and, in the next field, the letter that gives its sign.
    public mutating func decimal(plus: Character, minus: Character) -> Double? {
        let value = decimal()
        let (start, end) = next()
        guard end - start == 1, let value else { return nil }
        if body[start] == plus.asciiValue { return value }
        return body[start] == minus.asciiValue ? -value : malformed(start, end)
    }

    /// The single character of the next field, without moving; `nil` where it has none or several.
    public func peek() -> UInt8? {
        guard position < body.count, body[position] != UInt8(ascii: ",") else { return nil }
        let end = position + 1
        return end == body.count || body[end] == UInt8(ascii: ",") ? body[position] : nil
    }

    /// Whether the next field is empty or missing, without moving.
    public var isNextEmpty: Bool {
        position >= body.count || body[position] == UInt8(ascii: ",")
    }

    /// Whether all fields have been passed.
    var isAtEnd: Bool { position > body.count }

    // MARK: Pieces

    mutating func field() -> (start: Int, end: Int) { next() }

    /// The number between two indices of the body.
    mutating func number(_ start: Int, _ end: Int) -> Double? {
        guard start < end else { return nil }
        let isNegative = body[start] == UInt8(ascii: "-")
        let first = isNegative || body[start] == UInt8(ascii: "+") ? start + 1 : start
        guard let magnitude = unsigned(first, end) else { return malformed(start, end) }
        return isNegative ? -magnitude : magnitude
    }

    /// The whole number between two indices of the body.
    mutating func wholeNumber(_ start: Int, _ end: Int) -> Int? {
        guard start < end, end - start <= 9 else { return malformed(start, end) }
        var value = 0
        for i in start..<end {
            guard let digit = digit(i) else { return malformed(start, end) }
            value = value * 10 + digit
        }
        return value
    }

    /// The digit at an index of the body.
    func digit(_ index: Int) -> Int? {
        let value = body[index] &- UInt8(ascii: "0")
        return value <= 9 ? Int(value) : nil
    }

    func byte(_ index: Int) -> UInt8 { body[index] }

    /// Counts a field with content that makes no sense.
    mutating func malformed<Value>(_ start: Int, _ end: Int) -> Value? {
        if start < end { malformedCount += 1 }
        return nil
    }

    /// Digits with at most one point among them: a count of digits after it scales exactly.
    private func unsigned(_ start: Int, _ end: Int) -> Double? {
        guard end - start <= 19 else { return nil }
        var value: UInt64 = 0
        var point: Int?
        for i in start..<end {
            if let digit = digit(i) {
                value = value &* 10 &+ UInt64(digit)
            } else if body[i] == UInt8(ascii: "."), point == nil {
                point = i
            } else {
                return nil
            }
        }
        let digits = end - start - (point == nil ? 0 : 1)
        guard 1...18 ~= digits else { return nil }
        guard let point else { return Double(value) }
        return Double(value) / powerOfTen(end - point - 1)
    }
}

/// 10 to the `exponent`, 0 to 18; exact in a double.
func powerOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    case 15: 1e15
    case 16: 1e16
    case 17: 1e17
    default: 1e18
    }
}
