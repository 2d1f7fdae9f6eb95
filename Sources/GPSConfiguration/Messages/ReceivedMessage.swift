// SPDX-License-Identifier: MIT
import UBX

/// A whole message from a receiver with a valid check value, in any protocol that answers requests.
enum ReceivedMessage: Hashable, Sendable {
    /// u-blox.
    case ubx(UBXMessageID, [UInt8])
    /// CASIC, whose classes and ids resemble u-blox's.
    case casic(UBXMessageID, [UInt8])
    /// Unicore's binary messages, with the bytes behind the header.
    case unicore(UInt16, [UInt8])
    /// A line from its start character, `$` or `#`, to the character before `*`.
    case line(String)
}

extension [UInt8] {
    /// The frame's class, id and payload; `nil` if the bytes are not one whole UBX frame.
    var ubxMessage: (id: UBXMessageID, payload: [UInt8])? {
        guard let frame = UBXFrame(span) else { return nil }
        let payload = frame.payload
        return (frame.id, payload.indices.map { payload[$0] })
    }

    /// The little-endian number of `count` bytes at an index; `nil` beyond the end.
    func number(at index: Int, count: Int) -> UInt32? {
        guard index >= 0, index + count <= self.count else { return nil }
        return (0..<count).reduce(0) { $0 | UInt32(self[index + $1]) << UInt32($1 * 8) }
    }

    /// The text of fixed length at an index, without the zero bytes at its end.
    func text(at index: Int, count: Int) -> String {
        let bytes = dropFirst(index).prefix(count).prefix { $0 != 0 }
        return String(decoding: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
