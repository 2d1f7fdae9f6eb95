// SPDX-License-Identifier: MIT
import Glibc

/// The installed service of gpsbridge, and gpsd's beside it.
enum InstalledService {
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]

    /// Whether gpsbridge's socket stays idle because gpsd is enabled: the conditions of its unit.
    static var isYieldingToGPSD: Bool {
        unitFolders.contains { exists("\($0)/gpsbridge.socket") }
            && exists("/etc/systemd/system/sockets.target.wants/gpsd.socket")
            && !exists("/etc/gpsbridge/instead-of-gpsd")
    }

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
