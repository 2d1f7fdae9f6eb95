// SPDX-License-Identifier: MIT
import CSerial
import Glibc

/// Wakes one who waits, now or later.
package final class Bell: Sendable {
    private let descriptor: Descriptor

    /// Makes a silent one. Throws `.ioFailed` where the process has no descriptors left.
    ///
    /// The corresponding C function is `eventfd`.
    package init() throws(DeviceError) {
        let fd = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard fd >= 0 else { throw DeviceError(.ioFailed, device: "eventfd", errno: errno) }
        descriptor = Descriptor(fd)
    }

    /// Rings: who waits goes on, or else the next one who would wait.
    package func ring() {
        _ = descriptor.use { eventfd_write($0, 1) }
    }

    /// Waits until it has rung since the last time; false at the deadline and on cancellation.
    package func wait(until deadline: ContinuousClock.Instant? = nil) async -> Bool {
        guard await descriptor.readable(until: deadline) == .ready else { return false }
        return descriptor.use { fd in
            var count: eventfd_t = 0
            return eventfd_read(fd, &count) == 0
        } ?? false
    }
}
