// SPDX-License-Identifier: MIT
import Glibc

/// Blocks threads until it is opened.
package final class Gate: Sendable {
    private let ends: (read: CInt, write: CInt)

    /// Creates a closed gate.
    package init() {
        var ends: [CInt] = [-1, -1]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        open()
        close(ends.read)
        close(ends.write)
    }

    /// Waits until the gate is open.
    package func pass() {
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
    }

    /// Opens the gate for all present and future threads.
    package func open() {
        shutdown(ends.write, CInt(SHUT_WR))
    }
}
