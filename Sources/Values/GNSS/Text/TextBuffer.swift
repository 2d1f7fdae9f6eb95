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

    /// The bytes of the text.
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

    /// Appends a byte.
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

    /// Appends a string.
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
