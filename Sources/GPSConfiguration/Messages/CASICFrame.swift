// SPDX-License-Identifier: MIT
package import UBX

/// The frames of CASIC chips. The checksum is the sum of 32-bit words.
///
///     BA CE, length (2 bytes), class, id, payload (multiple of 4 bytes), checksum (4 bytes)
package enum CASICFrame {
    /// The ID of the message that configures a port.
    package static let port = UBXMessageID(0x06, 0x00)
    /// The ID of the message that sets the output rate of a message.
    package static let message = UBXMessageID(0x06, 0x01)
    /// The ID of the message that sets the period between fixes.
    package static let rate = UBXMessageID(0x06, 0x04)
    /// The ID of the message that contains the versions of firmware and hardware.
    package static let version = UBXMessageID(0x0A, 0x04)

    /// Returns a complete frame. The payload is padded with zeros to a multiple of 4 bytes.
    package static func bytes(_ id: UBXMessageID, payload: [UInt8]) -> [UInt8] {
        var payload = payload
        while !payload.count.isMultiple(of: 4) { payload.append(0) }
        let sum = checksum(id, payload)
        return [
            0xBA, 0xCE, UInt8(truncatingIfNeeded: payload.count),
            UInt8(truncatingIfNeeded: payload.count >> 8), id.messageClass, id.number,
        ] + payload + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32($0 * 8)) }
    }

    /// Recognises a CASIC frame at the start of the bytes.
    static func recognise(_ bytes: ArraySlice<UInt8>) -> FrameRecognition {
        let bytes = Array(bytes)
        guard bytes.count < 2 || bytes[1] == 0xCE else { return .none }
        guard bytes.count >= 6, let length = bytes.number(at: 2, count: 2) else {
            return .incomplete
        }
        guard length <= 2048, length.isMultiple(of: 4) else { return .none }
        let end = 6 + Int(length)
        guard let sum = bytes.number(at: end, count: 4) else { return .incomplete }
        let id = UBXMessageID(bytes[4], bytes[5])
        let payload = Array(bytes[6..<end])
        return sum == checksum(id, payload)
            ? .message(.casic(id, payload), count: end + 4) : .none
    }

    private static func checksum(_ id: UBXMessageID, _ payload: [UInt8]) -> UInt32 {
        var sum =
            UInt32(id.number) << 24 &+ UInt32(id.messageClass) << 16 &+ UInt32(payload.count)
        for index in stride(from: 0, to: payload.count, by: 4) {
            sum &+= payload.number(at: index, count: 4) ?? 0
        }
        return sum
    }
}

/// The result of looking for a message at the start of a byte sequence.
enum FrameRecognition {
    /// A complete message of `count` bytes.
    case message(ReceivedMessage, count: Int)
    /// The beginning of a possible message whose end has not been received.
    case incomplete
    /// The bytes do not begin with a message.
    case none
}
