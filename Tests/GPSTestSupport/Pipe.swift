// SPDX-License-Identifier: MIT
package import GPSIO
import Glibc

/// A pipe whose ends are never inherited by a child process: the writer's end would then not be
/// the last one. (The Glibc module has no `pipe2`.)
package struct Pipe {
    package let reader: CInt
    package let writer: CInt

    /// Opens a pipe with the same flags for both ends, for example `O_NONBLOCK`.
    package init(_ flags: CInt = 0) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        mkfifo(path, 0o600)
        reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard reader >= 0, writer >= 0 else { throw POSIXError(errno) }
        for end in [reader, writer] { _ = fcntl(end, F_SETFL, flags) }
        withExtendedLifetime(folder) {}
    }
}

/// A pipe, both ends non-blocking.
package func pipe(_ poller: Poller = .shared) throws -> (Descriptor, Descriptor) {
    let pipe = try Pipe(O_NONBLOCK)
    return (Descriptor(pipe.reader, poller: poller), Descriptor(pipe.writer, poller: poller))
}

/// Writes a byte to each end, so that all are ready when the poller's thread polls.
package func writeTogether(to ends: [Descriptor], _ poller: Poller) async {
    await withTaskExecutorPreference(poller) {
        for end in ends { _ = end.use { write($0, "x", 1) } }
    }
}

/// Yields until a condition that other tasks change is met.
package func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
