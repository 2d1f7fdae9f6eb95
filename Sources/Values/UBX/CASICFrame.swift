// SPDX-License-Identifier: MIT
import GNSS

/// A frame of CASIC, the binary protocol of Zhongke's chips. The class and the ID of its message
/// have the same form as in a UBX frame. The checksum is the sum of 32-bit words.
///
///     BA CE, length (2 bytes), class, id, payload (multiple of 4 bytes), checksum (4 bytes)
package struct CASICFrame: Hashable, Sendable {
    /// The first byte of a frame.
    package static let start: UInt8 = 0xBA
    /// The ID of the message that configures a port.
    package static let port = UBXMessageID(0x06, 0x00)
    /// The ID of the message that sets the output rate of a message.
    package static let message = UBXMessageID(0x06, 0x01)
    /// The ID of the message that sets the period between fixes.
    package static let rate = UBXMessageID(0x06, 0x04)
    /// The ID of the message that contains the versions of firmware and hardware.
    package static let version = UBXMessageID(0x0A, 0x04)

    /// The class and ID of the message.
    package let id: UBXMessageID
    /// The bytes between the ID and the checksum.
    package let payload: [UInt8]

    /// The result of checking for a frame at the start of a byte sequence.
    package enum Recognition {
        /// A complete frame of `count` bytes with a valid checksum.
        case frame(CASICFrame, count: Int)
        /// Bytes that may be the beginning of a frame. More bytes are needed.
        case incomplete
        /// No frame begins here.
        case none
    }

    /// Returns a complete frame. The payload is padded with zeros to a multiple of 4 bytes.
    package static func bytes(_ id: UBXMessageID, payload: [UInt8]) -> [UInt8] {
        var payload = payload
        while !payload.count.isMultiple(of: 4) { payload.append(0) }
        let length = UInt16(truncatingIfNeeded: payload.count).littleEndianBytes
        let head: [UInt8] = [start, 0xCE] + length + [id.messageClass, id.number]
        return head + payload + checksum(id, payload).littleEndianBytes
    }

    /// Checks whether a frame begins at the start of the bytes.
    package static func recognise(_ bytes: ArraySlice<UInt8>) -> Recognition {
        let bytes = Array(bytes)
        guard bytes.count < 2 || bytes[1] == 0xCE else { return .none }
        guard bytes.count >= 6 else { return .incomplete }
        let length = Int(bytes[2]) | Int(bytes[3]) << 8
        guard length <= 2048, length.isMultiple(of: 4) else { return .none }
        let end = 6 + length
        guard bytes.count >= end + 4 else { return .incomplete }
        let frame = CASICFrame(
            id: UBXMessageID(bytes[4], bytes[5]), payload: Array(bytes[6..<end]))
        let sum = checksum(frame.id, frame.payload)
        return Array(bytes[end..<end + 4]) == sum.littleEndianBytes
            ? .frame(frame, count: end + 4) : .none
    }

    private static func checksum(_ id: UBXMessageID, _ payload: [UInt8]) -> UInt32 {
        var sum =
            UInt32(id.number) << 24 &+ UInt32(id.messageClass) << 16 &+ UInt32(payload.count)
        for index in stride(from: 0, to: payload.count, by: 4) {
            sum &+= UInt32(littleEndianBytes: payload[index..<index + 4])
        }
        return sum
    }
}
