// SPDX-License-Identifier: MIT
import CGPSRelay
import GNSS
package import GPSIO
import Glibc

/// Removes the server's sockets and pseudo terminal links after the process has dropped the
/// necessary privileges. A helper process keeps these privileges. It removes the files even if
/// this process is killed.
package final class FileRemoval: Sendable {
    /// The maximum time to wait for the helper process to exit.
    private static let timeout = Duration.seconds(1)

    private let descriptor: Descriptor

    /// Starts the helper process for the files that exist at these paths. Call this before dropping
    /// privileges. `finish()` measures its time limit with the clock of `poller`.
    ///
    /// Throws a ``ServerError`` if no process can be started.
    package init(of paths: [String], poller: Poller = .shared) throws(ServerError) {
        let names = paths.map { strdup($0) }
        defer { for name in names { free(name) } }
        let fd = names.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            crelay_remove_at_end($0.baseAddress, $0.count)
        }
        guard fd >= 0 else {
            throw ServerError(
                cannot: "prepare to remove \(paths.joined(separator: ", "))", errno: errno)
        }
        descriptor = Descriptor(fd, poller: poller)
    }

    /// Lets the helper process remove the files, and waits until it exits, for at most a second.
    package func finish() async {
        _ = descriptor.use { shutdown($0, CInt(SHUT_WR)) }
        // The socket becomes readable when the helper exits. A new task waits for it, because the
        // current one may be cancelled.
        let descriptor = descriptor
        _ = await Task(executorPreference: descriptor.poller) {
            await descriptor.readable(until: descriptor.poller.now + Self.timeout)
        }.value
    }
}
