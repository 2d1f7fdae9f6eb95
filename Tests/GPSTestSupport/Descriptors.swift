// SPDX-License-Identifier: MIT
package import GPSIO
import Glibc

/// An open file that is not among the descriptors of any process, so that `/proc` does not show
/// its owner: it is in a socket, on its way to this process (`SCM_RIGHTS`).
package final class DescriptorInTransit {
    private let ends: (CInt, CInt)

    /// Opens a tty and sends its descriptor.
    package init(tty path: String) throws {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(errno) }
        self.ends = (ends[0], ends[1])
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(errno) }
        defer { close(descriptor) }
        var message = Message()
        message.descriptor = descriptor
        guard message.pass({ sendmsg(ends[0], $0, 0) }) == 1 else { throw POSIXError(errno) }
    }

    deinit {
        close(ends.0)
        close(ends.1)
    }

    /// Receives the descriptor into this process; the caller closes it.
    package func receive() throws -> CInt {
        var message = Message()
        let flags = CInt(MSG_CMSG_CLOEXEC)
        guard message.pass({ recvmsg(ends.1, $0, flags) }) == 1, message.descriptor >= 0 else {
            throw POSIXError(errno)
        }
        return message.descriptor
    }

    /// One byte, and a descriptor in the layout of `CMSG_DATA`.
    private struct Message {
        private var header = cmsghdr()
        var descriptor: CInt = -1
        private var padding: CInt = 0

        init() {
            header.cmsg_len = MemoryLayout<cmsghdr>.size + MemoryLayout<CInt>.size
            header.cmsg_level = SOL_SOCKET
            header.cmsg_type = CInt(SCM_RIGHTS)
        }

        mutating func pass(_ call: (UnsafeMutablePointer<msghdr>) -> Int) -> Int {
            var byte: UInt8 = 0
            return withUnsafeMutableBytes(of: &byte) { byte in
                var vector = iovec(iov_base: byte.baseAddress, iov_len: 1)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    withUnsafeMutableBytes(of: &self) { control in
                        var message = msghdr()
                        message.msg_iov = vector
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                        return call(&message)
                    }
                }
            }
        }
    }
}

/// The open ttys and inotify queues, but not the pipes of a sanitizer's symbolizer.
package func openDescriptorCount() -> Int {
    (0..<1024).count { (fd: CInt) in
        var status = stat()
        guard fstat(fd, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFIFO && status.st_mode & S_IFMT != S_IFSOCK
    }
}

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
