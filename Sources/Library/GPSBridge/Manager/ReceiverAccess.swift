// SPDX-License-Identifier: MIT
package import GPSReceivers
import Glibc

/// Checks whether a receiver may be opened, without opening it.
package enum ReceiverAccess {
    /// Returns the error of the first device file if the source has device files, and the file
    /// permissions allow reading none of them; otherwise, and for a receiver that is not plugged
    /// in, returns `nil`.
    package static func refusal(of source: any DeviceSource) -> DeviceError? {
        var first: DeviceError?
        for part in source.parts {
            let paths = paths(of: part)
            guard !paths.isEmpty else { return nil }
            for path in paths {
                guard let error = refusal(toRead: path) else { return nil }
                first = first ?? error
            }
        }
        return first
    }

    private static func paths(of source: any DeviceSource) -> [String] {
        if source.identity == .anyReceiver { return DeviceDiscovery.receivers().map(\.path) }
        let name = source.ttyPath ?? source.name
        // Other names, such as that of a server, are not paths.
        let isPath = name.hasPrefix("/") || source is FileSource || source is PipeSource
        return isPath ? [name] : []
    }

    private static func refusal(toRead path: String) -> DeviceError? {
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else { return nil }
        let number = errno
        guard number == EACCES || number == EPERM else { return nil }
        return DeviceError.opening(path, errno: number)
    }
}
