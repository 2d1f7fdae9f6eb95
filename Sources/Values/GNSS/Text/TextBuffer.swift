// SPDX-License-Identifier: MIT

/// A buffer for UTF-8 text that is written in parts and grows as needed.
package struct TextBuffer: Equatable, Sendable {
    /// The text, followed by unused capacity.
    package var room: [UInt8] = []

    /// The number of bytes of text in `room`.
    package var count = 0

    /// Creates an empty buffer.
    package init() {}

    /// A copy of the text.
    package var array: [UInt8] { Array(room[..<count]) }

    /// Returns the text that `write` appends to a new buffer.
    package static func text(_ write: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer()
        write(&buffer)
        return String(decoding: buffer.room[..<buffer.count], as: UTF8.self)
    }

    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { room.span.extracting(0..<count) }
    }

    /// Returns whether two buffers contain the same text.
    package static func == (a: TextBuffer, b: TextBuffer) -> Bool {
        a.count == b.count && a.room[..<a.count] == b.room[..<a.count]
    }

    /// Removes the text and keeps the capacity.
    package mutating func removeAll() {
        count = 0
    }

    /// Passes the text to `body`, then removes it. If `body` throws, the text stays in the buffer.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(bytes)
        count = 0
    }

    // MARK: Pieces

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        makeRoom(1)
        room[count] = byte
        count &+= 1
    }

    /// Appends an ASCII character.
    @inline(__always)
    package mutating func append(character: Unicode.Scalar) {
        append(UInt8(ascii: character))
    }

    /// Appends a string literal.
    package mutating func append(_ text: StaticString) {
        makeRoom(text.utf8CodeUnitCount)
        text.withUTF8Buffer { for byte in $0 { append(byte) } }
    }

    /// Appends bytes.
    package mutating func append(_ text: Span<UInt8>) {
        makeRoom(text.count)
        let start = count
        text.withUnsafeBytes { source in
            room.withUnsafeMutableBytes { room in
                UnsafeMutableRawBufferPointer(rebasing: room[start...]).copyMemory(from: source)
            }
        }
        count &+= text.count
    }

    /// Appends another buffer's text.
    package mutating func append(_ other: TextBuffer) {
        append(other.bytes)
    }

    package mutating func append(text: String) {
        for byte in text.utf8 { append(byte) }
    }

    // MARK: Room

    /// Appends the bytes that `write` stores. `write` stores at most `length` bytes from index
    /// `start` and returns the index after them. It may also overwrite the eight bytes after them.
    @inline(__always)
    mutating func append(
        atMost length: Int, _ write: (_ room: inout MutableRawSpan, _ start: Int) -> Int
    ) {
        makeRoom(length &+ 8)
        let start = count
        var span = room.mutableSpan
        var bytes = span.mutableBytes
        let end = write(&bytes, start)
        count = end
    }

    /// Stores an ASCII character in `room` at `start`. Returns the index after it.
    @inline(__always)
    static func put(
        _ character: Unicode.Scalar, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        room.storeBytes(of: UInt8(ascii: character), toByteOffset: start, as: UInt8.self)
        return start &+ 1
    }

    /// Ensures that there is space for `length` more bytes.
    @inline(__always)
    package mutating func makeRoom(_ length: Int) {
        if room.count &- count < length { grow(length) }
    }

    @inline(never)
    package mutating func grow(_ length: Int) {
        room += repeatElement(0, count: room.count + length + 64)
    }
}

// This file contains all conversions from numbers to text.
extension TextBuffer {
    /// Appends an integer, padded with zeros to `width` digits, at most 20.
    package mutating func append(integer value: Int, width: Int = 1) {
        append(atMost: 40) { room, start in
            Self.put(integer: value, width: width, in: &room, at: start)
        }
    }

    /// Appends a number with `decimals` decimals (0 to 18) and at least `width` digits (up to 20)
    /// before the point. Halves are rounded away from zero, and zero has no sign. Nothing is
    /// appended for infinity, NaN and numbers with more than 18 digits.
    package mutating func append(fixed value: Double, decimals: Int, width: Int = 1) {
        append(atMost: 40) { room, start in
            Self.put(fixed: value, decimals: decimals, width: width, in: &room, at: start)
        }
    }

    // MARK: Digits

    // A sign, 20 digits before the point and 18 after it fit into 40 characters.

    /// Stores the text of an integer in `room` from `start`, padded with zeros to `width` digits,
    /// at most 20. Returns the index after it.
    package static func put(
        integer value: Int, width: Int, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        let digits = value < 0 ? put("-", in: &room, at: start) : start
        return put(UInt64(value.magnitude), min(20, width), in: &room, at: digits)
    }

    /// Stores the text of a number in `room` from `start`, in the format of
    /// `append(fixed:decimals:width:)`. Returns the index after it.
    package static func put(
        fixed value: Double, decimals: Int, width: Int, in room: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        let scaled = value.magnitude * Double(powerOfTen(decimals))
        guard scaled < 1e18 else { return start }
        // This gives the same result as `rounded()`, without calling the mathematics library.
        let floor = Int64(scaled)
        let all = UInt64(floor) &+ (scaled - Double(floor) >= 0.5 ? 1 : 0)
        let whole = value < 0 && all > 0 ? put("-", in: &room, at: start) : start
        return put(all, decimals, width, in: &room, at: whole)
    }

    /// Stores the digits of `all` in `room` from `start`, with a point before the last `decimals`
    /// digits. Returns the index after them.
    private static func put(
        _ all: UInt64, _ decimals: Int, _ width: Int, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        guard decimals > 0 else { return put(all, min(20, width), in: &room, at: start) }
        if decimals > 8 {
            let (before, last) = all.quotientAndRemainder(dividingBy: Digits.limit)
            let end = put(before, decimals &- 8, width, in: &room, at: start)
            room.storeBytes(
                of: Digits(last).last(8).littleEndian, toByteOffset: end, as: UInt64.self)
            return end &+ 8
        }
        guard decimals &+ width <= 8, all < Digits.limit else {
            let unit = UInt64(powerOfTen(decimals))
            let point = put(all / unit, min(20, width), in: &room, at: start)
            let fraction = put(".", in: &room, at: point)
            return put(all % unit, decimals, in: &room, at: fraction)
        }
        let digits = Digits(all)
        let count = max(digits.significant, decimals &+ width)
        let word = digits.last(count)
        let point = start &+ count &- decimals
        room.storeBytes(of: word.littleEndian, toByteOffset: start, as: UInt64.self)
        // Store the digits after the point again, one byte later, to make space for the point.
        let behind = word &>> UInt64(truncatingIfNeeded: 8 &* (count &- decimals))
        let fraction = behind << 8 | UInt64(UInt8(ascii: "."))
        room.storeBytes(of: fraction.littleEndian, toByteOffset: point, as: UInt64.self)
        return point &+ 1 &+ decimals
    }

    /// Stores the digits of a number in `room` from `start`, at least `width` of them. Returns the
    /// index after them.
    ///
    /// Eight bytes are stored at a time. The text that follows overwrites the excess bytes.
    private static func put(
        _ value: UInt64, _ width: Int, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        guard value < Digits.limit, width <= 8 else {
            let low = put(value / Digits.limit, width &- 8, in: &room, at: start)
            let word = Digits(value % Digits.limit).last(8)
            room.storeBytes(of: word.littleEndian, toByteOffset: low, as: UInt64.self)
            return low &+ 8
        }
        let digits = Digits(value)
        let count = max(digits.significant, width, 1)
        let word = digits.last(count)
        room.storeBytes(of: word.littleEndian, toByteOffset: start, as: UInt64.self)
        return start &+ count
    }
}

extension String {
    /// Creates the text of a number with `decimals` decimals, 0 to 9. NaN becomes `nan`. Infinity
    /// and numbers of about 18 or more digits become `huge` or `-huge`.
    package init(_ value: Double, decimals: Int) {
        let decimals = Swift.min(9, Swift.max(0, decimals))
        guard value.magnitude * Double(powerOfTen(decimals)) < 9e17 else {
            self = value.isNaN ? "nan" : value < 0 ? "-huge" : "huge"
            return
        }
        self = TextBuffer.text { $0.append(fixed: value, decimals: decimals) }
    }

    /// Creates the text of a direction in degrees with `decimals` decimals, 0 to 9. A direction that
    /// would be rounded to 360 becomes 0.
    package init(direction degrees: Double, decimals: Int) {
        let decimals = Swift.min(9, Swift.max(0, decimals))
        self.init(degrees.direction(decimals: decimals), decimals: decimals)
    }

    /// Creates the text of a number with at most `decimals` decimals, without trailing zeros.
    package init(_ value: Double, atMostDecimals decimals: Int) {
        self.init(value, decimals: decimals)
        guard contains(".") else { return }
        while hasSuffix("0") { removeLast() }
        if hasSuffix(".") { removeLast() }
    }

    /// Creates the text of an integer with at least `width` digits, padded with zeros.
    package init(_ value: Int, width: Int) {
        self = TextBuffer.text { $0.append(integer: value, width: width) }
    }
}

extension Double {
    /// Returns the direction in degrees to write with `decimals` decimals, 0 to 18: 0 if it would
    /// be rounded to 360, otherwise the number itself.
    package func direction(decimals: Int) -> Double {
        let limit = 360 - 0.5 / Double(powerOfTen(decimals))
        return limit...360 ~= self ? 0 : self
    }
}

extension TextBuffer {
    /// Appends a JSON string in quotes. Control characters and non-ASCII characters are escaped.
    package mutating func append(json text: String) {
        append(character: "\"")
        // Most strings need no escapes, and UTF-8 is read faster.
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
            append(text: text)
        } else {
            append(escapedJSON: text)
        }
        append(character: "\"")
    }

    private mutating func append(escapedJSON text: String) {
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C:
                append(character: "\\")
                append(UInt8(unit))
            case 0x20...0x7E:
                append(UInt8(unit))
            default:
                append("\\u")
                append(hexadecimal: UInt64(unit), width: 4)
            }
        }
    }

    /// Appends text for XML in one line. `&`, `<`, `>`, `"`, tabs and line ends are escaped. Other
    /// control characters and noncharacters are replaced by `?`.
    package mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\t": append("&#9;")
            case "\n": append("&#10;")
            case "\r": append("&#13;")
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE
                append(text: isAllowed ? String(scalar) : "?")
            }
        }
    }
}

extension String {
    /// Creates a JSON string in quotes.
    package init(json text: String) {
        self = TextBuffer.text { $0.append(json: text) }
    }

    /// Creates the XML text of an element or an attribute.
    package init(xml text: String) {
        self = TextBuffer.text { $0.append(xml: text) }
    }
}
