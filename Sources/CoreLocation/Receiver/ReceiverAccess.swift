// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import Glibc

/// Whether a receiver may be opened, as far as that can be known without opening it.
enum ReceiverAccess {
    /// `.denied` if there is evidence of it, else `.granted`: a receiver that is not there
    /// refuses nothing.
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
