// SPDX-License-Identifier: MIT
import CGPSRelay
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// Removes files at the end of a process that has given up the rights to do so: its sockets, and links to its pseudo
/// terminals. Another process, which keeps the rights, does that, also where this one is killed.
package final class FileRemoval: Sendable {
    /// The maximum time for which the end of the server waits for it.
    private static let timeout = Duration.seconds(1)

    private let descriptor: Descriptor

    /// Begins, before the rights are given up, with what is at the paths then.
    ///
    /// Throws a ``ServerError`` if the other process cannot be started.
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
        // Its own end follows. This task may be cancelled by now; one of its own is not.
        let descriptor = descriptor
        _ = await Task(executorPreference: descriptor.poller) {
            await descriptor.readable(until: descriptor.poller.now + Self.timeout)
        }.value
    }
}
