// SPDX-License-Identifier: MIT
import GNSS

/// Reads a sentence's fields in wire order; an empty, missing or malformed field is `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    // Kept at six words: in Swift 6.3, a larger value that contains a span is destroyed by a call,
    // although there is nothing to destroy.

    /// The bytes from the start character on. Bytes after the body are loaded, but ignored.
    let bytes: Span<UInt8>

    // The ends of fields are marked in advance, so that finding the next field does not depend on
    // parsing the current one.

    /// The ends of fields, starting with the next one, in the 64 characters from `window` on.
    private var ends: UInt64
    /// The ends of fields in the 64 characters after those.
    private var endsBeyond: UInt64
    private var storedWindow: UInt32 = 1
    private var storedPosition: UInt32
    private let storedEnd, storedCount, addressCount: UInt16
    private var storedMalformed: UInt16 = 0

    /// The index of the lowest mark's character.
    @inline(__always)
    private var window: Int { Int(storedWindow) }

    /// The start of the next field; one past the end if there is none. Known not to be negative, so
    /// only the end has to be checked.
    @inline(__always)
    private(set) var position: Int {
        get { Int(storedPosition) }
        set { storedPosition = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The end of the body.
    var bodyEnd: Int { Int(storedEnd) }

    /// The number of fields after the address.
    public var count: Int { Int(storedCount) }

    /// The number of malformed fields.
    package var malformedCount: Int { Int(storedMalformed) }

    mutating func countMalformed() { storedMalformed &+= 1 }

    /// Creates a reader for the fields of a sentence; `passed` is the number of commas in the
    /// address.
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

    /// The position of a field, and its first eight characters or fewer.
    struct Field {
        var start = 0
        var end = 0
        var word: UInt64 = 0

        var count: Int { end &- start }
        var isEmpty: Bool { start == end }
        /// The only character; `nil` if there are none or several.
        var letter: UInt8? { count == 1 ? UInt8(truncatingIfNeeded: word) : nil }
    }

    /// Skips fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { _ = next() }
    }

    /// Reads the next field. After the last field, fields are empty.
    @inline(__always)
    mutating func next() -> Field {
        if ends == 0 { guard slide() else { return Field() } }
        let start = position
        let end = window &+ ends.trailingZeroBitCount
        ends &= ends &- 1
        position = end &+ 1
        return Field(start: start, end: end, word: WordScan.load(bytes, at: start))
    }

    /// The marked ends of fields in the 64 characters from `position` on.
    @inline(__always)
    mutating func upcomingEnds() -> UInt64 {
        if ends == 0 { guard slide() else { return 0 } }
        guard position >= window else { return 0 }
        let passed = UInt64(truncatingIfNeeded: position &- window)
        return (ends &>> passed) | ((endsBeyond &<< 1) &<< (63 &- passed))
    }

    /// Moves to the start of a field.
    @inline(__always)
    mutating func pass(_ newPosition: Int) {
        position = newPosition
        ends = Self.from(newPosition &- window, ends)
    }

    /// Moves to the next characters that have a mark; returns `false` if there are none.
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

    /// The mark for an offset from 0 to 63; 0 for others.
    @inline(__always)
    private static func mark(_ offset: Int) -> UInt64 {
        UInt(bitPattern: offset) < 64 ? 1 &<< UInt64(truncatingIfNeeded: offset) : 0
    }

    /// Returns the single character of the next field without moving; `nil` if it has none or
    /// several.
    public func peek() -> UInt8? {
        guard !isNextEmpty else { return nil }
        let end = position + 1
        return end == bodyEnd || bytes[end] == UInt8(ascii: ",") ? bytes[position] : nil
    }

    /// Whether the next field is empty or missing, without moving.
    public var isNextEmpty: Bool {
        position >= bodyEnd || bytes[position] == UInt8(ascii: ",")
    }

    /// Whether all fields have been read.
    var isAtEnd: Bool { position > bodyEnd }

    /// Counts a field as malformed unless it is empty; returns `nil`.
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
