// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// When to try again to open a device of which nothing tells that it has become ready.
struct ReopenBackoff {
    private var delay = Duration.milliseconds(100)

    /// The next try; `nil` where the device's appearance will be told.
    mutating func next(
        after error: DeviceError?, at now: MonotonicInstant
    ) -> MonotonicInstant? {
        if error?.isAbsence == true { return nil }
        defer { delay = min(delay * 2, .seconds(30)) }
        return now + delay
    }
}

extension DeviceError {
    /// Whether there is no device.
    package var isMissing: Bool { code == .notFound || code == .noReceiver }

    /// Whether there is nothing to be opened, and its coming will be reported.
    package var isAbsence: Bool {
        switch code {
        // A container's node stays there when its device goes, and nothing tells when it is back.
        case .notFound: errno != ENXIO && errno != ENODEV
        case .noReceiver: true
        default: false
        }
    }
}
