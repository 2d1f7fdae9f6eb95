// SPDX-License-Identifier: MIT
import Glibc

/// Sets options of sockets.
package enum SocketOption {
    /// Sets an option whose value is a number. A failure is ignored.
    ///
    /// The corresponding C function is `setsockopt`.
    package static func set(_ fd: CInt, _ level: CInt, _ option: CInt, to value: CInt = 1) {
        var value = value
        setsockopt(fd, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
