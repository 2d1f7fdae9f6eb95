// SPDX-License-Identifier: MIT
import GPSReceivers

/// The error for a receiver that cannot be monitored: one line, which may refer to `doctor`.
struct MonitorFailure: Error, CustomStringConvertible {
    private let cause: DeviceError

    init(_ cause: DeviceError) {
        self.cause = cause
    }

    var description: String {
        let hasMore = [.permissionDenied, .busy, .configurationFailed].contains(cause.code)
        guard hasMore, Program.names.contains("doctor") else { return cause.description }
        // Without a name, doctor may examine another receiver.
        let device = cause.device.contains(" ") ? "'\(cause.device)'" : cause.device
        return "\(cause) For details: gpsbridge doctor \(device)"
    }
}
