// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A socket that accepts connections.
package final class ListeningSocket: Sendable {
    /// Connections that wait to be accepted.
    private static let backlog: CInt = 1024

    private let descriptor: Descriptor
    /// The file of a Unix socket, which `close()` removes.
    private let file: SocketFile?
    /// Where it listens; `nil` for a descriptor of another kind.
    package let address: SocketAddress?

    private init(_ fd: CInt, _ poller: Poller, file: SocketFile? = nil) {
        descriptor = Descriptor(fd, poller: poller)
        address = SocketAddress(of: fd)
        self.file = file
    }

    /// Takes over a socket that listens already.
    package convenience init(inherited fd: CInt, poller: Poller) {
        self.init(fd, poller)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    }

    /// Listens on a path; a socket that an earlier process has left is replaced.
    package convenience init(path: String, poller: Poller) throws(IOError) {
        let (fd, file) = try SocketFile.listen(path, backlog: Self.backlog)
        self.init(fd, poller, file: file)
    }

    /// Listens at every address that can be bound, which messages call `name`; port 0 takes one that is free at all of them.
    ///
    /// Throws where none can be bound, or one is in use: half of the addresses would be another program's.
    package static func listen(
        at addresses: [SocketAddress], name: String, poller: Poller
    ) throws(IOError) -> [ListeningSocket] {
        var reason = EADDRNOTAVAIL
        // A port that is free at the first address may be in use at the next.
        for _ in 0..<(addresses.first?.port == 0 ? 8 : 1) {
            var sockets: [ListeningSocket] = []
            reason = EADDRNOTAVAIL
            for address in addresses {
                let port = sockets.first?.address?.port ?? address.port ?? 0
                if let fd = bound(address.with(port: port)) {
                    sockets.append(ListeningSocket(fd, poller))
                } else {
                    reason = errno
                }
            }
            if !sockets.isEmpty, reason != EADDRINUSE { return sockets }
        }
        throw IOError(.listen, name, errno: reason)
    }

    /// The poller of its connections.
    package var poller: Poller { descriptor.poller }

    /// Waits for the next connection; `nil` once closed or cancelled.
    ///
    /// Throws where the descriptor does not listen.
    package func accept() async throws(IOError) -> Descriptor? {
        while !Task.isCancelled {
            let outcome = descriptor.use { fd in (Glibc.accept(fd, nil, nil), errno) }
            guard let (fd, error) = outcome else { return nil }
            if fd >= 0 {
                _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
                _ = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK)
                return Descriptor(fd, poller: poller)
            }
            switch error {
            case EAGAIN:
                guard await descriptor.readable() == .ready else { return nil }
            case EINTR, ECONNABORTED: continue
            case EBADF, EINVAL, ENOTSOCK:
                throw IOError(.accept, address?.text ?? "", errno: error)
            default:
                // No descriptors are left, or the error is one of the network that the connection met.
                guard await poller.sleep(until: poller.now + .milliseconds(100)) == .timedOut
                else { return nil }
            }
        }
        return nil
    }

    /// Another descriptor of the socket, to be closed by its user; `nil` where there are none left.
    package func duplicate() -> CInt? {
        let fd = descriptor.use { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
        return fd >= 0 ? fd : nil
    }

    /// The path of its file, if it is a Unix socket that this process has made.
    package var path: String? { file?.path }

    deinit { close() }

    /// Accepts no more. Closing again does nothing.
    package func close() {
        // While it is open no other process takes the file for an abandoned one and replaces it.
        descriptor.close { _ in file?.remove() }
    }

    private static func bound(_ address: SocketAddress) -> CInt? {
        let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let fd = socket(address.family, CInt(SOCK_STREAM.rawValue) | flags, 0)
        guard fd >= 0 else { return nil }
        var yes: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        // IPv4 and IPv6 have a socket each.
        if address.family == AF_INET6 {
            setsockopt(fd, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
        }
        if address.use({ bind(fd, $0, $1) }) == 0, Glibc.listen(fd, backlog) == 0 { return fd }
        let error = errno
        Glibc.close(fd)
        errno = error
        return nil
    }
}
