// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// When to try again to open a device whose return is not announced.
struct ReopenBackoff {
    private var delay = Duration.milliseconds(100)

    /// The next try; `nil` where the device's appearance is announced.
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

    /// Whether there is nothing to be opened, and its coming will be reported.
    package var isAbsence: Bool {
        switch code {
        // A container's node stays there when its device goes, and its return is not announced.
        case .notFound: errno != ENXIO && errno != ENODEV
        case .noReceiver: true
        default: false
        }
    }
}
