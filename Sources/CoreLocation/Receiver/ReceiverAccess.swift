// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import Glibc

/// Checks whether a receiver may be opened, without opening it.
enum ReceiverAccess {
    /// Returns `.denied` if the file permissions allow reading none of the source's device files.
    /// Otherwise returns `.granted`, also if no receiver is plugged in.
    static func permission(of source: any DeviceSource) -> Authorization.Permission {
        let paths = paths(of: source)
        return !paths.isEmpty && paths.allSatisfy(isForbidden) ? .denied : .granted
    }

    private static func paths(of source: any DeviceSource) -> [String] {
        source.identity == .anyReceiver
            ? DeviceDiscovery.receivers().map(\.path)
            : [source.ttyPath ?? source.name].filter { $0.hasPrefix("/") }
    }

    private static func isForbidden(_ path: String) -> Bool {
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else { return false }
        return errno == EACCES || errno == EPERM
    }
}
