// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc

/// A signal that resumes one waiting task, now or at its next wait.
package final class WakeUp: Sendable {
    private let descriptor: Descriptor

    /// Creates a signal. Throws if the process has no descriptors left.
    ///
    /// The corresponding C function is `eventfd`.
    package init() throws(IOError) {
        let fd = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard fd >= 0 else { throw IOError(.create, "eventfd") }
        descriptor = Descriptor(fd)
    }

    /// Resumes the waiting task, or lets the next wait return at once.
    package func signal() {
        _ = descriptor.use { eventfd_write($0, 1) }
    }

    /// Waits for a signal since the last wait; returns `false` at the deadline and on cancellation.
    package func wait(until deadline: MonotonicInstant? = nil) async -> Bool {
        guard await descriptor.readable(until: deadline) == .ready else { return false }
        return descriptor.use { fd in
            var count: eventfd_t = 0
            return eventfd_read(fd, &count) == 0
        } ?? false
    }
}
