// SPDX-License-Identifier: MIT
import CGPSRelay
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// Removes the server's sockets and pseudo terminal links after the process has given up the rights
/// to do so. A helper process keeps the rights; it removes the files even if this process is
/// killed.
package final class FileRemoval: Sendable {
    /// The longest wait for the helper process.
    private static let timeout = Duration.seconds(1)

    private let descriptor: Descriptor

    /// Starts the helper process for the files now at these paths; call it before giving up the
    /// rights.
    ///
    /// Throws a ``ServerError`` if no process can be started.
    package init(of paths: [String]) throws(ServerError) {
        let names = paths.map { strdup($0) }
        defer { for name in names { free(name) } }
        let fd = names.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            crelay_remove_at_end($0.baseAddress, $0.count)
        }
        guard fd >= 0 else {
            throw ServerError("cannot have \(paths.joined(separator: ", ")) removed", errno: errno)
        }
        descriptor = Descriptor(fd)
    }

    /// Removes the files.
    package func finish() async {
        _ = descriptor.use { shutdown($0, CInt(SHUT_WR)) }
        // Wait for the helper to exit. Use a new task, since this one may be cancelled.
        let descriptor = descriptor
        _ = await Task(executorPreference: descriptor.poller) {
            await descriptor.readable(until: descriptor.poller.now + Self.timeout)
        }.value
    }
}
