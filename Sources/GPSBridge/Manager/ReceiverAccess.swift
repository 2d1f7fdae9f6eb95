// SPDX-License-Identifier: MIT
package import GPSReceivers
import Glibc

/// Checks whether a receiver may be opened, without opening it.
package enum ReceiverAccess {
    /// Returns `true` if the source has device files, and the file permissions allow reading none
    /// of them. Returns `false` for a receiver that is not plugged in.
    package static func isDenied(to source: any DeviceSource) -> Bool {
        let paths = source.parts.flatMap(paths(of:))
        return !paths.isEmpty && paths.allSatisfy(isForbidden)
    }

    private static func paths(of source: any DeviceSource) -> [String] {
        source.identity == .anyReceiver
            ? DeviceDiscovery.receivers().map(\.path)
            : [source.ttyPath ?? source.name]
    }

    private static func isForbidden(_ path: String) -> Bool {
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else { return false }
        return errno == EACCES || errno == EPERM
    }
}
