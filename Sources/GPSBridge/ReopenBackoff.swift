// SPDX-License-Identifier: MIT
import Devices
import Glibc

/// When to try again to open a device of which nothing tells that it has become ready.
struct ReopenBackoff {
    private var delay = Duration.milliseconds(100)

    /// The next try; `nil` where the device's appearance will be told.
    mutating func next(after error: DeviceError?) -> ContinuousClock.Instant? {
        switch error?.code {
        // A container's node stays there when its device goes, and nothing tells when it is back.
        case .notFound? where error?.errno == ENXIO || error?.errno == ENODEV: break
        case .notFound?, .noReceiver?: return nil
        default: break
        }
        defer { delay = min(delay * 2, .seconds(30)) }
        return .now + delay
    }
}
