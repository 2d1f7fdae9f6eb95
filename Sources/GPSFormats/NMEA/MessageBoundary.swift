// SPDX-License-Identifier: MIT
import UBX

/// Finds the boundaries between messages: the ends of lines and of UBX frames.
struct MessageBoundary: Equatable {
    /// The size of a UBX header in bytes: sync characters, class, id and length.
    private static let headerLength = 6

    /// Whether the last message is complete, and the next one has not begun.
    private(set) var isBetweenMessages = true
    /// The number of bytes of a frame header received so far; 0 outside a header.
    private var headerCount = 0
    private var length = 0
    /// The number of bytes of the current frame that are still to be received; 0 outside a frame.
    private var rest = 0

    /// Whether the header of a frame was received, but not all of its payload and checksum.
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
        // The payload is followed by two bytes of checksum.
        if length <= UBXFrame.maximumPayload { rest = length + 2 }
    }
}
