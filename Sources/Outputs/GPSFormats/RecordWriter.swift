// SPDX-License-Identifier: MIT
import GNSS

/// Writes one record, such as a line, at the end of a buffer.
///
/// If the record does not fit, `appendRecord` enlarges the buffer and writes the record again.
/// Therefore, the uniqueness of the buffer is checked once per record instead of once per field; a
/// check takes as long as writing a field. Most functions are inlined, so that a literal is
/// compiled to a few instructions.
struct RecordWriter: ~Copyable, ~Escapable {
    private var room: MutableRawSpan

    /// The offset of the record's end.
    private(set) var end: Int

    /// Whether a part of the record did not fit.
    private(set) var isCutOff = false

    @_lifetime(copy room)
    fileprivate init(_ room: consuming MutableRawSpan, from start: Int) {
        self.room = room
        end = start
    }

    /// Appends a string literal.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ text: StaticString) {
        if hasRoom(for: text.utf8CodeUnitCount) { put(text) }
    }

    /// Appends a string literal without checking for free space.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func put(_ text: StaticString) {
        let end = end
        room.withUnsafeMutableBytes {
            $0.baseAddress?.advanced(by: end)
                .copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        }
        self.end = end &+ text.utf8CodeUnitCount
    }

    @_lifetime(self: copy self)
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

    /// Appends a name and a number. Appends nothing if the number is `nil`, NaN or 1e9 or more.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ name: StaticString, _ value: Double?, decimals: Int) {
        // NaN also fails this comparison.
        guard let value, value.magnitude < 1e9 else { return }
        guard hasRoom(for: name.utf8CodeUnitCount &+ 40) else { return }
        put(name)
        end = TextBuffer.put(fixed: value, decimals: decimals, width: 1, in: &room, at: end)
    }

    /// Appends a name and a direction in degrees, as 0 if it would be rounded to 360. Appends
    /// nothing if it is `nil` or NaN.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ name: StaticString, direction: Double?, decimals: Int) {
        append(name, direction?.direction(decimals: decimals), decimals: decimals)
    }

    /// Appends a name and a number with one decimal without checking for free space. It is fast for
    /// whole numbers below 1000.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func put(_ name: StaticString, tenths value: Double?, _ numbers: Span<UInt64>) {
        guard let value else { return }
        // Adding 2^52 to a whole number puts it into the lowest bits.
        let sum = value + 0x1p52
        let whole = Int(truncatingIfNeeded: sum.bitPattern &- (0x1p52).bitPattern)
        guard numbers.indices.contains(whole), sum - 0x1p52 == value else {
            return appendFraction(name, value)
        }
        put(name)
        put(numbers[whole], andBehindIt: 2)
    }

    @inline(never)
    @_lifetime(self: copy self)
    private mutating func appendFraction(_ name: StaticString, _ value: Double) {
        append(name, value, decimals: 1)
    }

    /// Appends a name and an integer. Appends nothing if the number is `nil`.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func append(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        guard hasRoom(for: name.utf8CodeUnitCount &+ 40) else { return }
        put(name)
        end = TextBuffer.put(integer: value, width: 1, in: &room, at: end)
    }

    /// Appends a name and an integer from 0 to 999 without checking for free space.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func put(_ name: StaticString, _ value: Int, _ numbers: Span<UInt64>) {
        put(name)
        put(numbers[value], andBehindIt: 0)
    }

    /// Appends an element of `SmallNumbers` and the first `tail` characters of `.0` without
    /// checking for free space.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func put(_ text: UInt64, andBehindIt tail: Int) {
        let end = end
        room.withUnsafeMutableBytes {
            $0.storeBytes(of: text.littleEndian, toByteOffset: end, as: UInt64.self)
        }
        self.end = end &+ Int(truncatingIfNeeded: text >> 56) &+ tail
    }

    /// Appends text that needs no escapes.
    @_lifetime(self: copy self)
    mutating func append(text: String) {
        for byte in text.utf8 {
            guard hasRoom(for: 1) else { return }
            room.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
            end &+= 1
        }
    }

    /// Appends an instant in ISO 8601, with milliseconds.
    @_lifetime(self: copy self)
    mutating func append(iso8601 instant: UTCTime) {
        guard hasRoom(for: 40) else { return }
        end = TextBuffer.put(iso8601: instant, decimals: 3, in: &room, at: end)
    }

    /// Replaces the record's last character. If a part did not fit, the last character may belong to
    /// the previous record, and the record will be written again.
    @_lifetime(self: copy self)
    mutating func replaceLast(with character: Unicode.Scalar) {
        guard !isCutOff, end > 0 else { return }
        room.storeBytes(of: UInt8(ascii: character), toByteOffset: end - 1, as: UInt8.self)
    }

    /// Returns whether there is free space for `length` bytes and 8 more, because numbers are
    /// stored in units of 8 bytes. If not, the record will be written again.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func hasRoom(for length: Int) -> Bool {
        if room.byteCount &- end >= length &+ 8 { return true }
        isCutOff = true
        return false
    }
}

extension TextBuffer {
    /// Appends the record that `write` writes. Calls `write` again, with a larger buffer, if the
    /// record did not fit.
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

/// A table of the numbers from 0 to 999 as text, for satellite lists.
///
/// Without the table, `convert --to json` takes 28 % more instructions.
struct SmallNumbers: Equatable {
    private static let numbers = (0..<1000).map { (number: UInt64) in
        // `.0`, with the digits before it, from the last one to the first.
        var (text, count, rest): (UInt64, UInt64, UInt64) = (0x302E, 0, number)
        repeat {
            text = text << 8 | 0x30 + rest % 10
            count += 1
            rest /= 10
        } while rest > 0
        return text | count << 56
    }

    private let numbers = Self.numbers

    /// The text of each number with `.0`, its first character in the lowest byte, and the number of
    /// digits in the highest byte. Read this property once before a loop, because otherwise the
    /// array is loaded again after each store.
    var texts: Span<UInt64> {
        @_lifetime(borrow self)
        get { numbers.span }
    }
}

extension TextBuffer {
    /// Appends a string literal. It is declared in this module so that it can be inlined.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        appendRecord { $0.append(text) }
    }

    /// Appends a name, a number and the text `end`. Appends nothing if the number is `nil`, NaN or
    /// 1e9 or more.
    @inline(__always)
    mutating func append(
        _ name: StaticString, _ value: Double?, decimals: Int, _ end: StaticString = ""
    ) {
        guard let value, value.magnitude < 1e9 else { return }
        appendRecord {
            $0.append(name, value, decimals: decimals)
            $0.append(end)
        }
    }

    /// Appends a name, an integer and the text `end`. Appends nothing if the number is `nil`.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Int?, _ end: StaticString = "") {
        guard let value else { return }
        appendRecord {
            $0.append(name, value)
            $0.append(end)
        }
    }

    /// Appends the name of a track, `separator` and the origin. If the data is simulated,
    /// `SIMULATED` precedes the name.
    mutating func append(
        xml source: OutputSource, isSimulated: Bool, _ separator: StaticString
    ) {
        if isSimulated { append("SIMULATED ") }
        append(xml: source.trackName)
        append(separator)
        append(text: source.originName(isSimulated: isSimulated))
    }

    /// Appends escaped XML text between two tags. Appends nothing if the text is `nil`.
    mutating func append(_ start: StaticString, xml text: String?, _ end: StaticString) {
        guard let text else { return }
        append(start)
        append(xml: text)
        append(end)
    }

    /// Appends a name and a JSON string. Appends nothing if the string is `nil`.
    mutating func append(_ name: StaticString, json text: String?) {
        guard let text else { return }
        append(name)
        append(json: text)
    }

    /// Appends a name, an instant and a quotation mark. Appends nothing if the instant is `nil`.
    mutating func append(_ name: StaticString, quoted instant: UTCTime?) {
        guard let instant else { return }
        append(name)
        append(iso8601: instant)
        append("\"")
    }

    /// Appends a latitude or a longitude with nine decimals.
    mutating func append(degrees: Double) {
        append(fixed: degrees, decimals: 9)
    }

    /// Appends an instant between two tags as `xs:dateTime`, which has no leap seconds. Appends
    /// nothing if the instant is `nil`.
    mutating func append(_ start: StaticString, dateTime instant: UTCTime?, _ end: StaticString) {
        guard let instant else { return }
        append(start)
        append(iso8601: instant.withoutLeapSecond)
        append(end)
    }
}

extension Double {
    /// A longitude for schemas that do not allow 180: -180 instead of one that would be rounded to 180
    /// with nine decimals.
    var below180: Double { self >= 179.999_999_999_5 ? self - 360 : self }
}

extension UTCTime {
    /// The instant for formats without leap seconds: during a leap second, the last millisecond
    /// before it.
    var withoutLeapSecond: UTCTime {
        guard time.isLeapSecond,
            let last = TimeOfDay(hour: 23, minute: 59, second: 59, nanosecond: 999_000_000)
        else { return self }
        return UTCTime(date: date, time: last)
    }
}
