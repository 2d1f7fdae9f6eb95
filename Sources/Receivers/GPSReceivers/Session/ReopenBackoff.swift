// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Schedules repeated attempts to open a device, at growing intervals of at most 30 seconds.
struct ReopenBackoff {
    private var delay = Duration.milliseconds(100)

    /// Returns the time of the next attempt; `nil` if the device is absent and an event will report
    /// when it appears.
    mutating func next(
        after error: DeviceError, at now: MonotonicInstant
    ) -> MonotonicInstant? {
        if error.isAbsence { return nil }
        defer { delay = min(delay * 2, .seconds(30)) }
        return now + delay
    }
}

extension DeviceError {
    /// Whether the error means that the device is not connected or, for a source that reads any
    /// receiver, that no receiver is connected.
    package var isMissing: Bool { code == .notFound || code == .noReceiver }

    /// Whether the device is absent and an event will report when it appears.
    package var isAbsence: Bool {
        switch code {
        // In a container, the device node remains when its device is unplugged, so its return is
        // not announced.
        case .notFound: errno != ENXIO && errno != ENODEV
        case .noReceiver: true
        default: false
        }
    }
}
