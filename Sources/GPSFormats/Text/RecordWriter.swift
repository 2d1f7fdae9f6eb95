// SPDX-License-Identifier: MIT
import GNSS

/// Writes one record behind a buffer's text.
///
/// A piece that does not fit is left out, and the record is then written again with more room. So the buffer
/// checks once per record whether its storage is shared, which costs as much as a piece. All writes are
/// inlined: a few instructions move the bytes of a literal.
struct RecordWriter: ~Copyable, ~Escapable {
    private var room: MutableRawSpan

    /// The index at which the record ends.
    private(set) var end: Int

    /// Whether a piece did not fit.
    private(set) var isCutOff = false

    @_lifetime(copy room)
    fileprivate init(_ room: consuming MutableRawSpan, from start: Int) {
        self.room = room
        end = start
    }

    /// Appends a literal.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        if hasRoom(for: text.utf8CodeUnitCount) { put(text) }
    }

    /// Stores a literal, for which there is room.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        let end = end
        room.withUnsafeMutableBytes {
            $0.baseAddress?.advanced(by: end)
                .copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        }
        self.end = end &+ text.utf8CodeUnitCount
    }

    /// Appends text.
    mutating func append(_ text: TextBuffer) {
        guard hasRoom(for: text.count) else { return }
        let end = end
        room.withUnsafeMutableBytes { room in
            text.bytes.withUnsafeBytes { text in
                guard let source = text.baseAddress else { return }
                room.baseAddress?.advanced(by: end)
                    .copyMemory(from: source, byteCount: text.count)
            }
        }
        self.end = end &+ text.count
    }

    /// Appends a number behind its name, unless it is `nil` or too large to be a measurement.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Double?, decimals: Int) {
        // NaN is not below the limit either.
        guard let value, value.magnitude < 1e9 else { return }
        guard hasRoom(for: name.utf8CodeUnitCount &+ 40) else { return }
        put(name)
        end = TextBuffer.put(fixed: value, decimals: decimals, width: 1, in: &room, at: end)
    }

    /// Stores a number with one decimal behind its name, for which there is room; most are whole numbers
    /// below 1000.
    @inline(__always)
    mutating func put(_ name: StaticString, tenths value: Double?, _ numbers: Span<UInt64>) {
        guard let value else { return }
        // 2^52 and a whole number: the number is in the lowest bits.
        let sum = value + 0x1p52
        let whole = Int(truncatingIfNeeded: sum.bitPattern &- (0x1p52).bitPattern)
        guard numbers.indices.contains(whole), sum - 0x1p52 == value else {
            return appendFraction(name, value)
        }
        put(name)
        put(numbers[whole], andBehindIt: 2)
    }

    @inline(never)
    private mutating func appendFraction(_ name: StaticString, _ value: Double) {
        append(name, value, decimals: 1)
    }

    /// Appends a whole number behind its name, unless it is `nil`.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        guard hasRoom(for: name.utf8CodeUnitCount &+ 40) else { return }
        put(name)
        end = TextBuffer.put(integer: value, width: 1, in: &room, at: end)
    }

    /// Stores a number from 0 to 999 behind its name, for which there is room.
    @inline(__always)
    mutating func put(_ name: StaticString, _ value: Int, _ numbers: Span<UInt64>) {
        put(name)
        put(numbers[value], andBehindIt: 0)
    }

    /// Stores a small number, for which there is room, and as many characters of `.0`.
    @inline(__always)
    private mutating func put(_ text: UInt64, andBehindIt tail: Int) {
        let end = end
        room.withUnsafeMutableBytes {
            $0.storeBytes(of: text.littleEndian, toByteOffset: end, as: UInt64.self)
        }
        self.end = end &+ Int(truncatingIfNeeded: text >> 56) &+ tail
    }

    /// Appends an instant in ISO 8601, with milliseconds.
    mutating func append(iso8601 instant: UTCTime) {
        guard hasRoom(for: 40) else { return }
        end = TextBuffer.put(iso8601: instant, decimals: 3, in: &room, at: end)
    }

    /// Replaces the last character.
    mutating func replaceLast(with character: Unicode.Scalar) {
        guard end > 0 else { return }
        room.storeBytes(of: UInt8(ascii: character), toByteOffset: end - 1, as: UInt8.self)
    }

    /// Whether there is room for `count` bytes, and for a word after them.
    @inline(__always)
    mutating func hasRoom(for length: Int) -> Bool {
        if room.byteCount &- end >= length &+ 8 { return true }
        isCutOff = true
        return false
    }
}

extension TextBuffer {
    /// Appends a record. `write` is called again where the room has to grow for it.
    @inline(__always)
    mutating func appendRecord(_ write: (inout RecordWriter) -> Void) {
        let start = count
        while true {
            var span = room.mutableSpan
            var record = RecordWriter(span.mutableBytes, from: start)
            write(&record)
            guard record.isCutOff else { return count = record.end }
            grow(room.count)
        }
    }
}

/// The numbers from 0 to 999 as text, as most of those in a list of satellites are.
///
/// Without it `convert --to json` takes 28 % more instructions.
struct SmallNumbers: Equatable {
    private static let numbers = (0..<1000).map { number in
        let digits = Array(String(number).utf8)
        return (digits + Array(".0".utf8)).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            | UInt64(digits.count) << 56
    }

    private let numbers = Self.numbers

    /// A number and `.0`: the characters, the first in the lowest byte, and in the highest how many
    /// the number has. A loop asks for it once: an array is looked up anew after each store.
    var texts: Span<UInt64> {
        @_lifetime(borrow self)
        get { numbers.span }
    }
}
