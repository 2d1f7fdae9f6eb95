// SPDX-License-Identifier: MIT

/// Walks a sentence's fields in wire order; a field that is empty, missing or malformed is `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    /// From the start character on; what stands behind the body is loaded, but not looked at.
    private let bytes: Span<UInt8>
    /// Where the body ends.
    let bodyEnd: Int
    /// Where the next field begins; one past the end when there is none left.
    var position: Int

    /// The sentence's first field.
    public let address: Address

    /// How many fields follow the address.
    public let count: Int

    /// How many fields had content that could not be understood.
    public private(set) var malformedCount = 0

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ bytes: Span<UInt8>, end: Int, address: Address, fieldCount: Int) {
        self.bytes = bytes
        self.address = address
        bodyEnd = end
        count = fieldCount
        position = address.length + 2
    }

    // MARK: Moving

    /// Where a field stands, and its first eight characters, or as many as it has.
    struct Field {
        var start = 0
        var end = 0
        var word: UInt64 = 0

        var count: Int { end &- start }
        var isEmpty: Bool { start == end }
        /// The only character.
        var letter: UInt8? { count == 1 ? UInt8(truncatingIfNeeded: word) : nil }
    }

    /// Passes over fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { _ = next() }
    }

    /// The next field, and moves behind it. Past the end fields are empty.
    @inline(__always)
    mutating func next() -> Field {
        let start = position
        guard start <= bodyEnd else { return Field() }
        let word = WordScan.load(bytes, at: start)
        let comma = WordScan.first(UInt8(ascii: ","), in: word)
        let end = min(comma < 8 ? start &+ comma : farEnd(from: start &+ 8), bodyEnd)
        position = end &+ 1
        return Field(start: start, end: end, word: word)
    }

    /// Where a field ends that has more than seven characters.
    private func farEnd(from start: Int) -> Int {
        var end = start
        while end < bodyEnd {
            let comma = WordScan.first(UInt8(ascii: ","), in: WordScan.load(bytes, at: end))
            if comma < 8 { return end + comma }
            end += 8
        }
        return end
    }

    // MARK: Values

    /// The single character of the field.
    public mutating func letter() -> UInt8? {
        let field = next()
        return field.letter ?? malformed(field)
    }

    /// An unsigned whole number of up to nine digits.
    @inline(__always)
    public mutating func integer() -> Int? {
        guard position <= bodyEnd else { return nil }
        var word = word(position)
        var value = 0
        let count = WordDigits.take(from: &word, into: &value)
        guard endsField(word, position &+ count) else { return wholeNumber(next()) }
        position &+= count &+ 1
        return count > 0 ? value : nil
    }

    /// Whether a field ends where a word begins: the body's end has no character of a field.
    @inline(__always)
    private func endsField(_ word: UInt64, _ index: Int) -> Bool {
        word & 0xFF == UInt64(UInt8(ascii: ",")) || index == bodyEnd
    }

    /// One hexadecimal digit: a system or signal id.
    public mutating func hexadecimal() -> UInt8? {
        let field = next()
        guard let letter = field.letter, let value = hexValue(letter) else {
            return malformed(field)
        }
        return value
    }

    /// A number: optional sign, digits, optional point and digits; at most 18 digits, no exponent.
    @inline(__always)
    public mutating func decimal() -> Double? {
        guard position <= bodyEnd else { return nil }
        var word = word(position)
        var value = 0
        var count = WordDigits.take(from: &word, into: &value)
        if endsField(word, position &+ count) {
            position &+= count &+ 1
            return count > 0 ? Double(value) : nil
        }
        guard word & 0xFF == UInt64(UInt8(ascii: ".")) else { return unusualDecimal() }
        word >>= 8
        let decimals = WordDigits.take(from: &word, into: &value)
        count &+= decimals
        guard count > 0, endsField(word, position &+ count &+ 1) else { return unusualDecimal() }
        position &+= count &+ 2
        return Double(value) / powerOfTen(decimals)
    }

    /// A signed or a long number, or none at all.
    @inline(never)
    private mutating func unusualDecimal() -> Double? {
        let field = next()
        return number(field.start, field.end)
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
        let unit = next()
        guard unit.isEmpty || unit.letter == UInt8(ascii: "M") else { return malformed(unit) }
        return value
    }

    /// A number and, in the next field, the letter that gives its sign; it has no other sign.
    public mutating func decimal(plus: Character, minus: Character) -> Double? {
        let value = decimal()
        let sign = next()
        guard let letter = sign.letter, let value else { return nil }
        guard value >= 0 else { return malformed(sign) }
        if letter == plus.asciiValue { return value }
        return letter == minus.asciiValue ? -value : malformed(sign)
    }

    /// The single character of the next field, without moving; `nil` where it has none or several.
    public func peek() -> UInt8? {
        guard !isNextEmpty else { return nil }
        let end = position + 1
        return end == bodyEnd || bytes[end] == UInt8(ascii: ",") ? bytes[position] : nil
    }

    /// Whether the next field is empty or missing, without moving.
    public var isNextEmpty: Bool {
        position >= bodyEnd || bytes[position] == UInt8(ascii: ",")
    }

    /// Whether all fields have been passed.
    var isAtEnd: Bool { position > bodyEnd }

    // MARK: Pieces

    mutating func field() -> (start: Int, end: Int) {
        let field = next()
        return (field.start, field.end)
    }

    /// The whole number that a field is.
    mutating func wholeNumber(_ field: Field) -> Int? {
        guard !field.isEmpty else { return nil }
        guard field.count > 8 else {
            return WordDigits.number(field.word, count: field.count) ?? malformed(field)
        }
        guard field.count == 9, let value = digits(field.start, field.end) else {
            return malformed(field)
        }
        return Int(value)
    }

    /// The number between two indices.
    mutating func number(_ start: Int, _ end: Int) -> Double? {
        guard start < end else { return nil }
        let isNegative = byte(start) == UInt8(ascii: "-")
        let isSigned = isNegative || byte(start) == UInt8(ascii: "+")
        guard let magnitude = unsigned(isSigned ? start + 1 : start, end) else {
            return malformed(start, end)
        }
        return isNegative ? -magnitude : magnitude
    }

    /// The whole number between two indices.
    mutating func wholeNumber(_ start: Int, _ end: Int) -> Int? {
        guard start < end, end - start <= 9, let value = digits(start, end) else {
            return malformed(start, end)
        }
        return Int(value)
    }

    /// The number that digits in a row make; `nil` where one is none, or there are more than 18.
    func digits(_ start: Int, _ end: Int) -> UInt64? {
        guard end - start <= 18 else { return nil }
        var value: UInt64 = 0
        for i in start..<end {
            guard let digit = digit(i) else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        return value
    }

    /// The digit at an index.
    func digit(_ index: Int) -> Int? {
        let value = bytes[index] &- UInt8(ascii: "0")
        return value <= 9 ? Int(value) : nil
    }

    func byte(_ index: Int) -> UInt8 { bytes[index] }

    /// The eight characters from an index on, whatever they belong to.
    @inline(__always)
    func word(_ index: Int) -> UInt64 { WordScan.load(bytes, at: index) }

    /// Counts a field with content that makes no sense.
    mutating func malformed<Value>(_ field: Field) -> Value? {
        malformed(field.start, field.end)
    }

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
            } else if byte(i) == UInt8(ascii: "."), point == nil {
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
