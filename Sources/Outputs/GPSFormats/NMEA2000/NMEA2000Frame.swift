// SPDX-License-Identifier: MIT

/// A frame of an NMEA 2000 bus: at most eight bytes of a message.
package struct NMEA2000Frame: Equatable, Sendable {
    /// The global address: the destination of a message to all devices.
    package static let globalAddress: UInt8 = 255
    /// The null address: the source of a message from a device that has no address.
    static let nullAddress: UInt8 = 254
    /// The highest address that a device can have.
    static let lastAddress: UInt8 = 251

    /// The priority, 0 (highest) to 7.
    package var priority: UInt8
    /// The parameter group number (PGN) of the message.
    package var group: UInt32
    /// The address of the sender.
    package var source: UInt8
    /// The address of the receiving device; ``globalAddress`` unless the group has a destination.
    package var destination: UInt8
    /// The data bytes of the frame, at most eight.
    package var bytes: [UInt8]

    package init(
        priority: UInt8, group: UInt32, source: UInt8, destination: UInt8, bytes: [UInt8]
    ) {
        (self.priority, self.group, self.source) = (priority, group, source)
        (self.destination, self.bytes) = (destination, bytes)
    }

    /// Creates a frame from its 29-bit identifier on the bus.
    package init(identifier: UInt32, bytes: [UInt8]) {
        let group = identifier >> 8 & 0x3FFFF
        let isAddressed = Self.isAddressed(group)
        self.init(
            priority: UInt8(identifier >> 26 & 7), group: isAddressed ? group & 0x3FF00 : group,
            source: UInt8(identifier & 0xFF),
            destination: isAddressed ? UInt8(group & 0xFF) : Self.globalAddress, bytes: bytes)
    }

    /// The 29-bit identifier on the bus.
    package var identifier: UInt32 {
        let low = Self.isAddressed(group) ? UInt32(destination) : 0
        return UInt32(priority & 7) << 26 | (group | low) << 8 | UInt32(source)
    }

    /// Returns whether the messages of a group have a destination (PDU1 format). The identifier
    /// then contains the destination in the lowest byte of the group number.
    private static func isAddressed(_ group: UInt32) -> Bool { group >> 8 & 0xFF < 240 }
}
