// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Schedules attempts to open a device whose return is not announced.
struct ReopenBackoff {
    private var delay = Duration.milliseconds(100)

    /// Returns the time of the next attempt; `nil` if the device's appearance is announced.
    mutating func next(
        after error: DeviceError?, at now: MonotonicInstant
    ) -> MonotonicInstant? {
        if error?.isAbsence == true { return nil }
        defer { delay = min(delay * 2, .seconds(30)) }
        return now + delay
    }
}

extension DeviceError {
    /// Whether the device is missing.
    package var isMissing: Bool { code == .notFound || code == .noReceiver }

    /// Whether the device is absent and its appearance will be announced.
    package var isAbsence: Bool {
        switch code {
        // A container's node remains when its device goes; its return is not announced.
        case .notFound: errno != ENXIO && errno != ENODEV
        case .noReceiver: true
        default: false
        }
    }
}
