// SPDX-License-Identifier: MIT
package import GPSReceivers
import Glibc

/// Checks whether a receiver may be opened, without opening it.
package enum ReceiverAccess {
    /// Returns `true` if the source has device files, and the file permissions allow reading none
    /// of them. Returns `false` for a receiver that is not plugged in.
    package static func isDenied(to source: any DeviceSource) -> Bool {
        let parts = source.parts.map(paths(of:))
        return !parts.isEmpty && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isForbidden) }
    }

    private static func paths(of source: any DeviceSource) -> [String] {
        if source.identity == .anyReceiver { return DeviceDiscovery.receivers().map(\.path) }
        let name = source.ttyPath ?? source.name
        // Other names, such as that of a server, are not paths.
        let isPath = name.hasPrefix("/") || source is FileSource || source is PipeSource
        return isPath ? [name] : []
    }

    private static func isForbidden(_ path: String) -> Bool {
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else { return false }
        return errno == EACCES || errno == EPERM
    }
}
