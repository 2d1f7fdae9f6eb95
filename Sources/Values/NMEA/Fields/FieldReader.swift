// SPDX-License-Identifier: MIT

/// Reads a sentence's fields in wire order. An empty, missing or malformed field is read as `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    // The reader is limited to six words. In Swift 6.3, the compiler calls a function to destroy a
    // larger value that contains a span, although there is nothing to destroy.

    /// The bytes from the start character on. Bytes after the sentence's body may be loaded, but
    /// are ignored.
    let bytes: Span<UInt8>

    // The ends of fields are marked in advance, so that the processor can find the next field while
    // it still parses the current one.

    /// The ends of the remaining fields: one bit for each of the 64 characters from index `window`.
    private var ends: UInt64
    /// The ends of fields in the 64 characters that follow those of `ends`, one bit for each
    /// character.
    private var endsBeyond: UInt64
    private var storedWindow: UInt32 = 1
    private var storedPosition: UInt32
    private let storedEnd, storedCount, addressCount: UInt16
    private var storedMalformed: UInt16 = 0

    /// The index of the character that belongs to the lowest bit of `ends`.
    @inline(__always)
    private var window: Int { Int(storedWindow) }

    /// The start of the next field, or one past the end if there are no more fields. It is never
    /// negative, so only the upper bound must be checked.
    @inline(__always)
    private(set) var position: Int {
        get { Int(storedPosition) }
        set { storedPosition = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The index after the last character of the sentence's body.
    var bodyEnd: Int { Int(storedEnd) }

    /// The number of fields after the address, or after the formatter of a proprietary sentence.
    public var count: Int { Int(storedCount) }

    /// The number of malformed fields.
    package var malformedCount: Int { Int(storedMalformed) }

    mutating func countMalformed() { storedMalformed &+= 1 }

    /// Creates a reader for the fields of a sentence. `passed` is the number of commas before the
    /// first field to read: 0 for a standard sentence, more if a proprietary formatter contains
    /// fields.
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

    /// The address: the first field of the sentence.
    @inline(__always)
    public var address: Address { Address(bytes, at: 1, count: Int(addressCount)) }

    /// The position of a field, and its first eight characters or fewer.
    struct Field {
        var start = 0
        var end = 0
        var word: UInt64 = 0

        var count: Int { end &- start }
        var isEmpty: Bool { start == end }
        /// The character, if the field has exactly one; otherwise `nil`.
        var letter: UInt8? { count == 1 ? UInt8(truncatingIfNeeded: word) : nil }
    }

    /// Returns a field without the spaces at its ends, with which some programs pad fields; `nil`
    /// if there are none. Called only for a field that cannot be read as it is.
    @inline(never)
    func withoutPadding(_ field: Field) -> Field? {
        let space = UInt8(ascii: " ")
        var (start, end) = (field.start, field.end)
        while start < end, bytes[start] == space { start += 1 }
        while start < end, bytes[end - 1] == space { end -= 1 }
        guard end - start < field.count else { return nil }
        return Field(start: start, end: end, word: WordScan.load(bytes, at: start))
    }

    /// Skips the next `count` fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { _ = next() }
    }

    /// Reads the next field. After the last field, it returns empty fields.
    @inline(__always)
    mutating func next() -> Field {
        if ends == 0 { guard slide() else { return Field() } }
        let start = position
        let end = window &+ ends.trailingZeroBitCount
        ends &= ends &- 1
        position = end &+ 1
        return Field(start: start, end: end, word: WordScan.load(bytes, at: start))
    }

    /// Returns the ends of fields in the 64 characters from `position`, one bit for each character.
    @inline(__always)
    mutating func upcomingEnds() -> UInt64 {
        if ends == 0 { guard slide() else { return 0 } }
        guard position >= window else { return 0 }
        let passed = UInt64(truncatingIfNeeded: position &- window)
        return (ends &>> passed) | ((endsBeyond &<< 1) &<< (63 &- passed))
    }

    /// Moves forward to a position at the start of a field.
    @inline(__always)
    mutating func pass(_ newPosition: Int) {
        position = newPosition
        ends = Self.from(newPosition &- window, ends)
    }

    /// Moves `window` to the next 64 characters that contain the end of a field. Returns `false` if
    /// there are none.
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

    /// Returns `marks` without the bits below `offset`.
    @inline(__always)
    private static func from(_ offset: Int, _ marks: UInt64) -> UInt64 {
        guard offset > 0 else { return marks }
        let passed = UInt64(truncatingIfNeeded: offset)
        return passed < 64 ? (marks &>> passed) &<< passed : 0
    }

    /// Returns a word in which only bit `offset` is set; 0 unless `offset` is 0 to 63.
    @inline(__always)
    private static func mark(_ offset: Int) -> UInt64 {
        UInt(bitPattern: offset) < 64 ? 1 &<< UInt64(truncatingIfNeeded: offset) : 0
    }

    /// Returns the single character of the next field without advancing; `nil` if the field has
    /// none or several.
    public func peek() -> UInt8? {
        guard !isNextEmpty else { return nil }
        let end = position + 1
        return end == bodyEnd || bytes[end] == UInt8(ascii: ",") ? bytes[position] : nil
    }

    /// Whether the next field is empty or missing.
    public var isNextEmpty: Bool {
        position >= bodyEnd || bytes[position] == UInt8(ascii: ",")
    }

    /// Whether all fields have been read.
    var isAtEnd: Bool { position > bodyEnd }

    /// Counts a field as malformed unless it is empty. Returns `nil`.
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
