// SPDX-License-Identifier: MIT
import NMEA

/// A buffer of JSON objects, one a line, that keeps its room.
struct JSONLines {
    var room: [UInt8] = []
    /// How many bytes of the room are written.
    var count = 0

    /// What was written since the last `removeAll`.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { room.span.extracting(0..<count) }
    }

    mutating func removeAll() {
        count = 0
    }

    /// Writes one line of at most that many bytes.
    @inline(__always)
    mutating func line(atMost length: Int, _ write: (inout TextWriter) -> Void) {
        makeRoom(length)
        count = Self.write(&room, from: count, write)
    }

    /// Makes sure of room for a line of at most that many bytes, for who writes into it from `count` on.
    @inline(__always)
    mutating func makeRoom(_ length: Int) {
        let needed = count + length + TextWriter.slack + 1
        if needed > room.count { room += [UInt8](repeating: 0, count: needed + room.count) }
    }

    @inline(__always)
    private static func write(
        _ room: inout [UInt8], from start: Int, _ write: (inout TextWriter) -> Void
    ) -> Int {
        var span = room.mutableSpan
        var writer = TextWriter(span.mutableBytes, count: start)
        write(&writer)
        writer.put(character: "\n")
        return writer.count
    }

    /// A string between quotes; lines stay ASCII.
    static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C:
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(unit))
            case 0x20...0x7E:
                bytes.append(UInt8(unit))
            default:
                bytes.append("\\u")
                for shift in [12, 8, 4, 0] {
                    let digit = UInt8(unit >> UInt16(shift) & 15)
                    bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return bytes
    }
}
