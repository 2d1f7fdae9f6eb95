// SPDX-License-Identifier: MIT
import GNSS

/// Walks a sentence's fields in wire order; a field that is empty, missing or malformed is `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    // A value that holds a span and has more than six words is destroyed by a call, although there is
    // nothing to destroy (Swift 6.3).

    /// From the start character on; what stands behind the body is loaded, but not looked at.
    @usableFromInline let bytes: Span<UInt8>
    @usableFromInline var storedPosition: UInt32

    // Where fields end is marked beforehand, so that no field's value is waited for to find the
    // next.

    /// The ends of the fields from the next one on, 64 characters at a time.
    @usableFromInline var ends: UInt64
    /// The ends in the 64 characters after those.
    @usableFromInline var endsBeyond: UInt64
    @usableFromInline let storedEnd: UInt16
    @usableFromInline var storedWindow: UInt16
    @usableFromInline let storedCount: UInt16
    /// How many characters the address has; of more than fifteen, fifteen.
    @usableFromInline let addressCount: UInt8
    @usableFromInline var storedMalformed: UInt16

    /// Where the next field begins; one past the end when there is none left.
    ///
    /// Kept in what cannot be negative, so that it is only seen to be below the end.
    @inline(__always)
    private(set) var position: Int {
        get { Int(storedPosition) }
        set { storedPosition = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The index that the lowest mark stands for.
    @inline(__always)
    private var window: Int {
        get { Int(storedWindow) }
        set { storedWindow = UInt16(truncatingIfNeeded: newValue) }
    }

    /// Where the body ends.
    @inline(__always)
    var bodyEnd: Int { Int(storedEnd) }

    /// How many fields follow the address.
    @inline(__always)
    public var count: Int { Int(storedCount) }

    /// How many fields were malformed.
    @inline(__always)
    public var malformedCount: Int { Int(storedMalformed) }

    private mutating func countMalformed() { storedMalformed &+= 1 }

    /// `passed`: how many commas the address takes itself.
    @_lifetime(copy bytes)
    @inlinable
    @inline(__always)
    init(
        _ bytes: Span<UInt8>, end: Int, addressCount: Int, commas: CommaMarks, passed: Int = 0
    ) {
        self.bytes = bytes
        storedEnd = UInt16(truncatingIfNeeded: end)
        storedWindow = 1
        storedCount = UInt16(truncatingIfNeeded: commas.count &- passed)
        self.addressCount = UInt8(truncatingIfNeeded: min(addressCount, 15))
        storedMalformed = 0
        storedPosition = UInt32(truncatingIfNeeded: addressCount &+ 2)
        ends = Self.from(addressCount &+ 1, commas.low | Self.mark(end &- 1))
        endsBeyond = commas.high | Self.mark(end &- 65)
    }

    /// The sentence's first field; of more than fifteen characters the first fifteen.
    @inline(__always)
    public var address: Address { Address(bytes, at: 1, count: Int(addressCount)) }

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
        if ends == 0 { guard slide() else { return Field() } }
        let start = position
        let end = window &+ ends.trailingZeroBitCount
        ends &= ends &- 1
        position = end &+ 1
        return Field(start: start, end: end, word: WordScan.load(bytes, at: start))
    }

    /// The ends of the fields in the 64 characters from `position` on, as far as they are marked.
    @inline(__always)
    mutating func upcomingEnds() -> UInt64 {
        if ends == 0 { guard slide() else { return 0 } }
        guard position >= window else { return 0 }
        let passed = UInt64(truncatingIfNeeded: position &- window)
        return (ends &>> passed) | ((endsBeyond &<< 1) &<< (63 &- passed))
    }

    /// Moves to where a field begins.
    @inline(__always)
    mutating func pass(_ newPosition: Int) {
        position = newPosition
        ends = Self.from(newPosition &- window, ends)
    }

    /// Goes on to the next characters that have a mark; false where there are none left.
    @inline(never)
    private mutating func slide() -> Bool {
        repeat {
            guard window < bodyEnd else {
                ends = 0
                return false
            }
            window += 64
            ends = Self.from(position - window, endsBeyond)
            let next = window + 64
            endsBeyond =
                next <= bodyEnd
                ? WordScan.commas(bytes, from: next, to: bodyEnd) | Self.mark(bodyEnd - next) : 0
        } while ends == 0
        return true
    }

    /// The marks from an offset on.
    @inlinable
    @inline(__always)
    static func from(_ offset: Int, _ marks: UInt64) -> UInt64 {
        guard offset > 0 else { return marks }
        let passed = UInt64(truncatingIfNeeded: offset)
        return passed < 64 ? (marks &>> passed) &<< passed : 0
    }

    /// A mark for an offset from 0 to 63; none for others.
    @inlinable
    @inline(__always)
    static func mark(_ offset: Int) -> UInt64 {
        UInt(bitPattern: offset) < 64 ? 1 &<< UInt64(truncatingIfNeeded: offset) : 0
    }

    // MARK: Values

    // Not inlined: what reads the sentences of an epoch has to fit into the processor's instruction
    // cache, which costs more than the calls.

    /// The single character of the field.
    @inline(never)
    public mutating func letter() -> UInt8? {
        let field = next()
        guard field.count == 1 else { return malformed(field) }
        return UInt8(truncatingIfNeeded: field.word)
    }

    /// An unsigned whole number of up to nine digits.
    @inline(never)
    public mutating func integer() -> Int? {
        let field = next()
        guard field.count <= 4, let value = WordDigits.smallNumber(field.word, count: field.count)
        else { return wholeNumber(field) }
        return field.isEmpty ? nil : value
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
    public mutating func decimal() -> Double? {
        let field = next()
        guard !field.isEmpty else { return nil }
        if field.count <= 8,
            let (value, decimals) = WordDigits.decimal(field.word, count: field.count)
        {
            return Double(value) / powerOfTen(decimals)
        }
        if field.count < 8, let value = WordDigits.number(field.word, count: field.count) {
            return Double(value)
        }
        return number(field.start, field.end)
    }

    /// A number within bounds; beyond them it is malformed.
    @inline(__always)
    public mutating func decimal(in range: ClosedRange<Double>) -> Double? {
        guard let value = decimal() else { return nil }
        guard range.contains(value) else {
            countMalformed()
            return nil
        }
        return value
    }

    /// A dilution of precision: 0, 99 and more stand for "unknown".
    @inline(never)
    public mutating func dilution() -> Double? {
        guard let value = decimal(), value >= 0.01, value <= 89.99 else { return nil }
        return value
    }

    /// Degrees from north, 0 up to 360; 360 is 0.
    public mutating func bearing() -> Double? {
        guard let value = decimal(in: 0...360) else { return nil }
        return value == 360 ? 0 : value
    }

    /// Metres, with their unit letter in the next field; `M` or nothing. Feet never pass for
    /// metres.
    public mutating func metres() -> Double? {
        let value = decimal()
        let unit = next()
        guard unit.isEmpty || unit.letter == UInt8(ascii: "M") else { return malformed(unit) }
        return value
    }

    /// A number and, in the next field, the letter that gives its sign; it has no other sign.
    public mutating func decimal(plus: Unicode.Scalar, minus: Unicode.Scalar) -> Double? {
        let value = decimal()
        let sign = next()
        guard let letter = sign.letter, let value else { return nil }
        guard value >= 0 else { return malformed(sign) }
        if UInt32(letter) == plus.value { return value }
        return UInt32(letter) == minus.value ? -value : malformed(sign)
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
    @inline(never)
    mutating func wholeNumber(_ field: Field) -> Int? {
        guard !field.isEmpty else { return nil }
        guard field.count > 7 else {
            return WordDigits.number(field.word, count: field.count) ?? malformed(field)
        }
        guard field.count <= 9, let value = Self.digits(bytes, field.start, field.end) else {
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
        guard start < end, end - start <= 9, let value = Self.digits(bytes, start, end) else {
            return malformed(start, end)
        }
        return Int(value)
    }

    /// The number that digits in a row make; `nil` where one is none, or there are more than 18.
    static func digits(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64? {
        guard end - start <= 18 else { return nil }
        var value: UInt64 = 0
        for i in start..<end {
            let digit = bytes[i] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        return value
    }

    func byte(_ index: Int) -> UInt8 { bytes[index] }

    /// Counts a malformed field.
    @inline(__always)
    mutating func malformed<Value>(_ field: Field) -> Value? {
        countMalformed(field.start, field.end)
        return nil
    }

    @inline(__always)
    mutating func malformed<Value>(_ start: Int, _ end: Int) -> Value? {
        countMalformed(start, end)
        return nil
    }

    @inline(never)
    private mutating func countMalformed(_ start: Int, _ end: Int) {
        if start < end { countMalformed() }
    }

    /// Digits with at most one point among them: a count of digits after it scales exactly.
    private func unsigned(_ start: Int, _ end: Int) -> Double? {
        guard end - start <= 19 else { return nil }
        var value: UInt64 = 0
        var point: Int?
        for i in start..<end {
            let digit = byte(i) &- UInt8(ascii: "0")
            if digit <= 9 {
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
