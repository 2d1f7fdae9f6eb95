// SPDX-License-Identifier: MIT
import GNSS

/// Walks a sentence's fields in wire order; a field that is empty, missing or malformed is `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    // A value that holds a span and has more than six words is destroyed by a call, although there is
    // nothing to destroy (Swift 6.3).

    /// From the start character on; what stands behind the body is loaded, but not looked at.
    let bytes: Span<UInt8>

    // Where fields end is marked beforehand, so that no field's value is waited for to find the
    // next.

    /// The ends of the fields from the next one on, in the 64 characters from `window` on.
    private var ends: UInt64
    /// The ends in the 64 characters after those.
    private var endsBeyond: UInt64
    private var storedWindow: UInt32 = 1
    private var storedPosition: UInt32
    private let storedEnd, storedCount, addressCount: UInt16
    private var storedMalformed: UInt16 = 0

    /// The index that the lowest mark stands for.
    @inline(__always)
    private var window: Int { Int(storedWindow) }

    /// Where the next field begins; one past the end when there is none left. It is known not to be negative,
    /// so that it only has to be compared with the end.
    @inline(__always)
    private(set) var position: Int {
        get { Int(storedPosition) }
        set { storedPosition = UInt32(truncatingIfNeeded: newValue) }
    }

    /// Where the body ends.
    var bodyEnd: Int { Int(storedEnd) }

    /// How many fields follow the address.
    public var count: Int { Int(storedCount) }

    /// How many fields were malformed.
    package var malformedCount: Int { Int(storedMalformed) }

    mutating func countMalformed() { storedMalformed &+= 1 }

    /// `passed`: how many commas the address takes itself.
    @_lifetime(copy bytes)
    @inline(__always)
    init(
        _ bytes: Span<UInt8>, end: Int, addressCount: Int, commas: CommaMarks, passed: Int = 0
    ) {
        self.bytes = bytes
        storedEnd = UInt16(truncatingIfNeeded: end)
        storedCount = UInt16(truncatingIfNeeded: commas.count &- passed)
        self.addressCount = UInt16(truncatingIfNeeded: addressCount)
        storedPosition = UInt32(truncatingIfNeeded: addressCount &+ 2)
        ends = Self.from(addressCount &+ 1, commas.low | Self.mark(end &- 1))
        endsBeyond = commas.high | Self.mark(end &- 65)
    }

    /// The sentence's first field.
    @inline(__always)
    public var address: Address { Address(bytes, at: 1, count: Int(addressCount)) }

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
            storedWindow += 64
            ends = Self.from(position - window, endsBeyond)
            let next = window + 64
            endsBeyond =
                next <= bodyEnd
                ? WordScan.commas(bytes, from: next, to: bodyEnd) | Self.mark(bodyEnd - next) : 0
        } while ends == 0
        return true
    }

    /// The marks from an offset on.
    @inline(__always)
    private static func from(_ offset: Int, _ marks: UInt64) -> UInt64 {
        guard offset > 0 else { return marks }
        let passed = UInt64(truncatingIfNeeded: offset)
        return passed < 64 ? (marks &>> passed) &<< passed : 0
    }

    /// A mark for an offset from 0 to 63; none for others.
    @inline(__always)
    private static func mark(_ offset: Int) -> UInt64 {
        UInt(bitPattern: offset) < 64 ? 1 &<< UInt64(truncatingIfNeeded: offset) : 0
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

    /// Counts a field as malformed unless it is empty; `nil`.
    @inline(__always)
    mutating func malformed<Value>(_ field: Field) -> Value? {
        countMalformed(isEmpty: field.isEmpty)
        return nil
    }

    @inline(never)
    private mutating func countMalformed(isEmpty: Bool) {
        if !isEmpty { countMalformed() }
    }
}
