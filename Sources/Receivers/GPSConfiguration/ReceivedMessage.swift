// SPDX-License-Identifier: MIT
import GNSS
package import UBX

/// Finds complete messages in the byte stream of a serial line. Pass it chunks of any size.
///
/// `NMEA.Framer` does this for fixes, but rejects the replies of some manufacturers, which this
/// scanner also recognises.
struct MessageScanner: Sendable {
    private var unread: [UInt8] = []
    private var waitsSince: MonotonicInstant?

    /// The maximum time until a message is complete. After that, its first byte is skipped as
    /// noise.
    private static let maximumWait = Duration.seconds(2)

    /// Returns the messages that are completed by `bytes`.
    mutating func messages(in bytes: [UInt8], at now: MonotonicInstant) -> [ReceivedMessage] {
        unread += bytes
        var messages: [ReceivedMessage] = []
        var position = 0
        if let waitsSince, now - waitsSince > Self.maximumWait {
            position = 1
            self.waitsSince = nil
        }
        scan: while position < unread.count {
            switch recognise(at: position) {
            case .message(let message, let count):
                messages.append(message)
                position += count
                waitsSince = nil
            case .incomplete:
                if waitsSince == nil { waitsSince = now }
                break scan
            case .none: position += 1
            }
        }
        unread.removeFirst(position)
        if unread.isEmpty { waitsSince = nil }
        return messages
    }

    private func recognise(at start: Int) -> FrameRecognition {
        switch unread[start] {
        case 0xB5:
            switch UBXFrame.recognise(unread.span, at: start) {
            case .frame(let count):
                guard let (id, payload) = Array(unread[start..<start + count]).ubxMessage else {
                    return .none
                }
                return .message(.ubx(id, payload), count: count)
            case .incomplete: return .incomplete
            case .none: return .none
            }
        case CASICFrame.start:
            switch CASICFrame.recognise(unread[start...]) {
            case .frame(let frame, let count):
                return .message(.casic(frame.id, frame.payload), count: count)
            case .incomplete: return .incomplete
            case .none: return .none
            }
        case 0xAA: return UnicoreFrame.recognise(unread[start...])
        case UInt8(ascii: "$"), UInt8(ascii: "#"): return TextLine.recognise(unread[start...])
        default: return .none
        }
    }
}

/// The result of looking for a message at the start of a byte sequence.
package enum FrameRecognition {
    /// A complete message of `count` bytes.
    case message(ReceivedMessage, count: Int)
    /// The beginning of a possible message whose end has not been received.
    case incomplete
    /// The bytes do not begin with a message.
    case none
}

/// A complete message from a receiver, in any of the protocols that are used for replies. Its
/// checksum is valid.
package enum ReceivedMessage: Hashable, Sendable {
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

/// Lines of text: sentences with a checksum, and plain commands. Some manufacturers include the `$`
/// in the checksum of their answers.
package enum TextLine {
    /// Returns a sentence with its checksum, which may include the start, and its line end.
    package static func sentence(
        _ body: String, start: Character = "$", includesStart: Bool = false
    ) -> [UInt8] {
        let sum = (includesStart ? "\(start)\(body)" : body).utf8.reduce(0, ^)
        return Array("\(start)\(body)*\(hexadecimal(sum))\r\n".utf8)
    }

    /// Returns a line without a checksum, with its line end.
    static func plain(_ text: String) -> [UInt8] { Array("\(text)\r\n".utf8) }

    /// Recognises a line with a checksum at the start of the bytes, which begin with `$` or `#`.
    package static func recognise(_ bytes: ArraySlice<UInt8>) -> FrameRecognition {
        var end = bytes.startIndex + 1
        while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\r"),
            bytes[end] != UInt8(ascii: "\n")
        {
            guard 0x20...0x7E ~= bytes[end], bytes[end] != UInt8(ascii: "$"),
                end - bytes.startIndex < 512
            else { return .none }
            end += 1
        }
        guard end < bytes.endIndex else { return .incomplete }
        let line = bytes[bytes.startIndex..<end]
        guard line.count > 4, line[end - 3] == UInt8(ascii: "*"),
            let sent = Hexadecimal.value(line[end - 2], line[end - 1])
        else { return .none }
        let sum = line.dropFirst().dropLast(3).reduce(0, ^)
        guard sent == sum || sent == sum ^ UInt8(ascii: "$") else { return .none }
        return .message(
            .line(String(decoding: line.dropLast(3), as: UTF8.self)), count: line.count)
    }

    /// Returns a byte as two upper-case hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        String(hexadecimal: UInt64(byte), width: 2, isUppercase: true)
    }
}

/// The binary messages of Unicore's UM98x.
///
///     AA 44 B5, idle time, id (2 bytes), length (2 bytes), 16 more bytes of header, payload, CRC-32
package enum UnicoreFrame {
    private static let headerCount = 24

    /// Recognises the message at the start of the bytes.
    fileprivate static func recognise(_ bytes: ArraySlice<UInt8>) -> FrameRecognition {
        let bytes = Array(bytes)
        for (byte, expected) in zip(bytes, [0xAA, 0x44, 0xB5] as [UInt8]) where byte != expected {
            return .none
        }
        guard let id = bytes.number(at: 4, count: 2), let length = bytes.number(at: 6, count: 2)
        else { return .incomplete }
        guard length <= 8192 else { return .none }
        let end = headerCount + Int(length)
        guard let sent = bytes.number(at: end, count: 4) else { return .incomplete }
        guard sent == checksum(bytes[..<end]) else { return .none }
        return .message(
            .unicore(UInt16(truncatingIfNeeded: id), Array(bytes[headerCount..<end])),
            count: end + 4)
    }

    /// Returns the CRC-32 of a message, which starts at 0 and is not inverted.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var crc: UInt32 = 0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return crc
    }
}
