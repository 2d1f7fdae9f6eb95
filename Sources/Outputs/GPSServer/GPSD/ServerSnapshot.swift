// SPDX-License-Identifier: MIT
package import GNSS

/// The server's devices at one time, from which requests are answered.
package struct ServerSnapshot: Sendable {
    /// All devices that have ever been open or whose path is known.
    package let devices: [ServedDevice]
    /// The system's time when the snapshot was requested; `nil` if it cannot be represented.
    package let time: UTCTime?

    /// Creates a snapshot.
    package init(devices: [ServedDevice], time: UTCTime?) {
        self.devices = devices
        self.time = time
    }

    /// Returns the device with a path; `nil` if there is none. If no path matches, an additional
    /// slash at the beginning is ignored: a client with the source `gpsd://HOST/NAME` requests the
    /// device `/NAME`, even if the device is not a file and its name has no slash.
    func device(at path: String) -> ServedDevice? {
        devices.first { $0.path == path } ?? devices.first { "/\($0.path)" == path }
    }
}
