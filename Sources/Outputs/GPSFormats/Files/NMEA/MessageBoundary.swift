// SPDX-License-Identifier: MIT
import NMEA
import UBX

/// Finds the boundaries between messages: the ends of lines, of sentences with a correct checksum,
/// UBX frames and RTCM 3 frames.
///
/// Datagrams often contain a sentence without a line end. A line end after a sentence belongs to it.
/// Other text after its checksum continues its line.
struct MessageBoundary: Equatable {
    /// The size of a UBX header in bytes: sync characters, class, id and length.
    private static let ubxHeaderLength = 6
    /// The size of an RTCM 3 header in bytes: preamble, six zero bits and length.
    private static let rtcmHeaderLength = 3

    /// The part of a text to which the last byte belongs.
    private enum Text: Equatable {
        case other
        /// A line that begins with `#`. Sentences in it are not messages.
        case comment
        /// A sentence before its `*`, with the checksum of its bytes.
        case body(UInt8)
        /// The `*` of a sentence, with the expected checksum.
        case star(UInt8)
        /// The first digit of a checksum, with the expected second one.
        case digit(UInt8)
        /// The end of a sentence with a correct checksum.
        case end
    }

    /// Whether the last message is complete, and the next one has not begun.
    private(set) var isBetweenMessages = true
    /// The protocol of the current frame.
    private var kind = BinaryFrame.ubx
    /// The number of bytes of a frame header received so far; 0 outside a header.
    private var headerCount = 0
    /// The last two bytes of a frame header, which contain the length of the payload.
    private var lengthBytes: UInt16 = 0
    /// The number of bytes of the current frame that are still to be received; 0 outside a frame.
    private var rest = 0
    private var text = Text.other

    /// Whether the header of a frame was received, but not all of its payload and checksum.
    var isInFrame: Bool { rest > 0 }

    /// Returns the protocol whose frames begin with a byte; `nil` if there is none.
    private static func frame(beginningWith byte: UInt8) -> BinaryFrame? {
        switch byte {
        case 0xB5: .ubx
        case 0xD3: .rtcm3
        default: nil
        }
    }

    /// Processes the next byte.
    mutating func push(_ byte: UInt8) {
        if rest > 0 {
            rest -= 1
            isBetweenMessages = rest == 0
        } else if headerCount > 0, headerCount > 1 || isSecondOfHeader(byte) {
            pushHeader(byte)
        } else if isBetweenMessages, let kind = Self.frame(beginningWith: byte) {
            self.kind = kind
            headerCount = 1
            isBetweenMessages = false
            text = .other
        } else {
            headerCount = 0
            text = text(with: byte)
            isBetweenMessages = byte == 0x0A || text == .end
        }
    }

    /// Returns the part of the text to which the next byte belongs.
    private func text(with byte: UInt8) -> Text {
        switch (text, byte) {
        case (_, 0x0A): .other
        case (.comment, _): .comment
        case (_, UInt8(ascii: "#")) where isBetweenMessages: .comment
        // `$` is not allowed in a sentence, so the beginning of another one was lost.
        case (_, UInt8(ascii: "$")): .body(0)
        case (.other, UInt8(ascii: "!")), (.end, UInt8(ascii: "!")): .body(0)
        case (.end, 0x0D): .end
        case (.body(let sum), UInt8(ascii: "*")): .star(sum)
        case (.body(let sum), 0x20...0x7E): .body(sum ^ byte)
        case (.star(let sum), _) where Hexadecimal.value(byte) == sum >> 4: .digit(sum & 0x0F)
        case (.digit(let low), _) where Hexadecimal.value(byte) == low: .end
        default: .other
        }
    }

    /// Returns whether bytes that begin after a message are the beginning of a frame.
    static func isFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
        var boundary = MessageBoundary()
        for byte in bytes.prefix(ubxHeaderLength) { boundary.push(byte) }
        return boundary.headerCount > 0 || boundary.isInFrame
    }

    private func isSecondOfHeader(_ byte: UInt8) -> Bool {
        switch kind {
        case .ubx: byte == 0x62
        case .rtcm3: byte & 0xFC == 0
        }
    }

    private mutating func pushHeader(_ byte: UInt8) {
        headerCount += 1
        lengthBytes = lengthBytes << 8 | UInt16(byte)
        switch kind {
        case .ubx where headerCount == Self.ubxHeaderLength:
            headerCount = 0
            let length = Int(lengthBytes.byteSwapped)
            // The payload is followed by two bytes of checksum.
            if length <= UBXFrame.maximumPayload { rest = length + 2 }
        case .rtcm3 where headerCount == Self.rtcmHeaderLength:
            headerCount = 0
            // The payload is followed by three bytes of CRC.
            rest = Int(lengthBytes) + 3
        case .ubx, .rtcm3: break
        }
    }
}
