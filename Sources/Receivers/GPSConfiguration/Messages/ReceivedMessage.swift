// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// A complete message from a receiver, in any of the protocols that are used for replies. Its
/// checksum is valid.
enum ReceivedMessage: Hashable, Sendable {
    /// A u-blox message.
    case ubx(UBXMessageID, [UInt8])
    /// A CASIC message. Its class and ID have the same form as in a u-blox message.
    case casic(UBXMessageID, [UInt8])
    /// A binary message from Unicore, with its ID and the bytes after the header.
    case unicore(UInt16, [UInt8])
    /// A line from its start character, `$` or `#`, to the character before `*`.
    case line(String)

    /// The number of bytes on the line, including the frame.
    var size: Int {
        switch self {
        case .ubx(_, let payload): payload.count + 8
        case .casic(_, let payload): payload.count + 10
        case .unicore(_, let payload): payload.count + 28
        case .line(let line): line.utf8.count + 5
        }
    }
}

extension [UInt8] {
    /// The class, ID and payload of a UBX frame; `nil` unless the bytes are exactly one complete
    /// frame.
    var ubxMessage: (id: UBXMessageID, payload: [UInt8])? {
        guard let frame = UBXFrame(span) else { return nil }
        let payload = frame.payload
        return (frame.id, payload.indices.map { payload[$0] })
    }

    /// Returns the little-endian number in `count` bytes at an index; `nil` if they extend beyond
    /// the end.
    func number(at index: Int, count: Int) -> UInt32? {
        guard index >= 0, index + count <= self.count else { return nil }
        return UInt32(littleEndianBytes: self[index..<index + count])
    }

    /// Returns the text in `count` bytes at an index, up to the first zero byte. Bytes that are not
    /// ASCII become `?`.
    func text(at index: Int, count: Int) -> String {
        let bytes = dropFirst(index).prefix(count).prefix { $0 != 0 }
        return String(decoding: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension String {
    /// Returns the fields of a sentence after `prefix`; `nil` if it begins with something else.
    func fields(after prefix: String) -> [String]? {
        guard hasPrefix(prefix) else { return nil }
        return dropFirst(prefix.count).split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
    }
}
