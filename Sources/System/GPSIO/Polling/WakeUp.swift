// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc

/// A signal to one task. It resumes the task if the task waits. Otherwise, the next wait returns
/// immediately.
package final class WakeUp: Sendable {
    /// The longest wait if the poller cannot watch the descriptor.
    private static let retryInterval = Duration.milliseconds(100)

    private let descriptor: Descriptor

    /// Creates a signal. Throws an ``IOError`` if the process has no free descriptors.
    ///
    /// The corresponding C function is `eventfd`.
    package init(poller: Poller = .shared) throws(IOError) {
        let fd = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard fd >= 0 else { throw IOError(.create, "eventfd") }
        descriptor = Descriptor(fd, poller: poller)
    }

    /// Resumes the waiting task. If no task waits, the next wait returns immediately.
    package func signal() {
        _ = descriptor.use { eventfd_write($0, 1) }
    }

    /// Waits for a signal. Returns at once if one has been sent since the last wait. Returns `true`
    /// for a signal; `false` if the deadline passes or the task is cancelled, and after 0.1 s if the
    /// poller cannot watch the descriptor.
    package func wait(until deadline: MonotonicInstant? = nil) async -> Bool {
        switch await descriptor.readable(until: deadline) {
        case .ready: break
        case .failed:
            // A caller that repeats this would otherwise keep a processor busy.
            let latest = descriptor.poller.now + Self.retryInterval
            _ = await descriptor.poller.sleep(until: min(deadline ?? latest, latest))
        default: return false
        }
        return descriptor.use { fd in
            var count: eventfd_t = 0
            return eventfd_read(fd, &count) == 0
        } ?? false
    }
}
