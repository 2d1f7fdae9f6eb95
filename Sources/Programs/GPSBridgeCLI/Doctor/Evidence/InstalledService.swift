// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// Checks the installed systemd units for a conflict between gpsbridge and gpsd.
enum InstalledService {
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]

    /// Whether gpsbridge's socket unit does not start because gpsd is enabled, and not masked. The
    /// unit file contains the same conditions.
    static var isYieldingToGPSD: Bool {
        unitFolders.contains { exists("\($0)/gpsbridge.socket") }
            && exists("/etc/systemd/system/sockets.target.wants/gpsd.socket")
            && !exists("/etc/gpsbridge/instead-of-gpsd")
            && Node("/etc/systemd/system/gpsd.socket").linkTarget == nil
    }

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
