// SPDX-License-Identifier: MIT
import CGPSSerial

/// Functions for raw SocketCAN sockets that send and receive frames with 29-bit identifiers.
///
/// Each read returns one frame. The kernel queues only a few frames to send; when its queue is
/// full, a write fails with `EAGAIN`.
package enum CANSocket {
    /// The flag for a 29-bit identifier (`CAN_EFF_FLAG`).
    private static let extended: UInt32 = 0x8000_0000
    /// The size in bytes of the kernel's `can_frame`: identifier (4), data length (1), unused (3),
    /// data (8).
    package static let frameSize = 16

    /// Opens a socket on an interface, such as `can0`. It receives the frames that match a filter:
    /// the identifiers are equal in all bits that are set in `mask`.
    ///
    /// Throws an ``IOError`` with `ENODEV` if the interface does not exist, `EPROTOTYPE` if it is
    /// not a CAN interface, `ENETDOWN` if it is down, and `EAFNOSUPPORT` or `EPROTONOSUPPORT` if
    /// the process cannot use CAN sockets.
    package static func open(
        _ interface: String, filters: [(identifier: UInt32, mask: UInt32)],
        poller: Poller = .shared
    ) throws(IOError) -> Descriptor {
        let filters = filters.map {
            ccan_filter(id: $0.identifier | extended, mask: $0.mask | extended)
        }
        let fd = ccan_open(interface, filters, CUnsignedInt(filters.count))
        guard fd >= 0 else { throw IOError(.open, interface) }
        return Descriptor(fd, poller: poller)
    }

    /// Returns a descriptor that becomes readable when network interfaces change; `nil` if the
    /// kernel refuses it.
    package static func interfaceChanges(poller: Poller = .shared) -> Descriptor? {
        let fd = ccan_watch_interfaces()
        return fd >= 0 ? Descriptor(fd, poller: poller) : nil
    }

    /// Returns the bytes to write for a frame. Only the first eight bytes of `data` are sent.
    package static func frame(_ identifier: UInt32, _ data: [UInt8]) -> [UInt8] {
        let data = data.prefix(8)
        let head = withUnsafeBytes(of: identifier | extended) { Array($0) }
        let padding = [UInt8](repeating: 0, count: 8 - data.count)
        return head + [UInt8(data.count), 0, 0, 0] + data + padding
    }

    /// Parses the bytes of a received frame. Returns its identifier and data; `nil` if it is not a
    /// data frame with a 29-bit identifier.
    package static func content(of frame: [UInt8]) -> (identifier: UInt32, data: [UInt8])? {
        guard frame.count == frameSize, frame[4] <= 8 else { return nil }
        var identifier: UInt32 = 0
        withUnsafeMutableBytes(of: &identifier) { $0.copyBytes(from: frame[..<4]) }
        // Reject remote frames (`CAN_RTR_FLAG`) and error frames (`CAN_ERR_FLAG`).
        guard identifier & 0xE000_0000 == extended else { return nil }
        return (identifier & 0x1FFF_FFFF, Array(frame[8..<8 + Int(frame[4])]))
    }
}
