// SPDX-License-Identifier: MIT
import UBX

/// Finds the places between messages: after a line, and after a UBX frame.
struct MessageBoundary: Equatable {
    /// The number of bytes of a UBX header: sync characters, class, id and length.
    private static let headerLength = 6

    /// Whether no message has begun.
    private(set) var isBetweenMessages = true
    /// The number of bytes received of a frame's header.
    private var headerCount = 0
    private var length = 0
    /// The number of bytes that follow the header of the current frame.
    private var rest = 0

    /// Whether a frame of known length is incomplete.
    var isInFrame: Bool { rest > 0 }

    /// Processes the next byte.
    mutating func push(_ byte: UInt8) {
        if rest > 0 {
            rest -= 1
            isBetweenMessages = rest == 0
        } else if headerCount > 0, headerCount > 1 || byte == 0x62 {
            pushHeader(byte)
        } else if isBetweenMessages, byte == 0xB5 {
            headerCount = 1
            isBetweenMessages = false
        } else {
            headerCount = 0
            isBetweenMessages = byte == 0x0A
        }
    }

    private mutating func pushHeader(_ byte: UInt8) {
        headerCount += 1
        if headerCount == Self.headerLength - 1 { length = Int(byte) }
        guard headerCount == Self.headerLength else { return }
        headerCount = 0
        length |= Int(byte) << 8
        // The checksum follows.
        if length <= UBXFrame.maximumPayload { rest = length + 2 }
    }
}
