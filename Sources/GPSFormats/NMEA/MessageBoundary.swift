// SPDX-License-Identifier: MIT
import NMEA
import UBX

/// Finds the boundaries between messages: the ends of lines, UBX frames and RTCM 3 frames.
struct MessageBoundary: Equatable {
    /// The size of a UBX header in bytes: sync characters, class, id and length.
    private static let ubxHeaderLength = 6
    /// The size of an RTCM 3 header in bytes: preamble, six zero bits and length.
    private static let rtcmHeaderLength = 3

    /// Whether the last message is complete, and the next one has not begun.
    private(set) var isBetweenMessages = true
    /// The protocol of the current frame.
    private var kind = BinaryFrame.ubx
    /// The number of bytes of a frame header received so far; 0 outside a header.
    private var headerCount = 0
    private var length = 0
    /// The number of bytes of the current frame that are still to be received; 0 outside a frame.
    private var rest = 0

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
        } else {
            headerCount = 0
            isBetweenMessages = byte == 0x0A
        }
    }

    private func isSecondOfHeader(_ byte: UInt8) -> Bool {
        switch kind {
        case .ubx: byte == 0x62
        case .rtcm3: byte & 0xFC == 0
        }
    }

    private mutating func pushHeader(_ byte: UInt8) {
        headerCount += 1
        switch kind {
        case .ubx: pushUBXHeader(byte)
        case .rtcm3: pushRTCMHeader(byte)
        }
    }

    private mutating func pushUBXHeader(_ byte: UInt8) {
        if headerCount == Self.ubxHeaderLength - 1 { length = Int(byte) }
        guard headerCount == Self.ubxHeaderLength else { return }
        headerCount = 0
        length |= Int(byte) << 8
        // The payload is followed by two bytes of checksum.
        if length <= UBXFrame.maximumPayload { rest = length + 2 }
    }

    private mutating func pushRTCMHeader(_ byte: UInt8) {
        if headerCount == Self.rtcmHeaderLength - 1 { length = Int(byte) << 8 }
        guard headerCount == Self.rtcmHeaderLength else { return }
        headerCount = 0
        // The payload is followed by three bytes of CRC.
        rest = length + Int(byte) + 3
    }
}
