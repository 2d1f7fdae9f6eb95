// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A socket that accepts connections.
package final class ListeningSocket: Sendable {
    /// The maximum number of connections not yet accepted.
    private static let backlog: CInt = 1024

    private let descriptor: Descriptor
    /// The file of a Unix socket, which `close()` removes.
    private let file: SocketFile?
    /// The address; `nil` for a descriptor that is not a socket.
    package let address: SocketAddress?

    private init(_ fd: CInt, _ poller: Poller, file: SocketFile? = nil) {
        descriptor = Descriptor(fd, poller: poller)
        address = SocketAddress(of: fd)
        self.file = file
    }

    /// Creates an object for a socket that already listens.
    package convenience init(inherited fd: CInt, poller: Poller) {
        self.init(fd, poller)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    }

    /// Listens on a path; replaces a socket left by an earlier process.
    package convenience init(path: String, poller: Poller) throws(IOError) {
        let (fd, file) = try SocketFile.listen(path, backlog: Self.backlog)
        self.init(fd, poller, file: file)
    }

    /// Listens on every address that can be bound. Messages call it `name`; port 0 uses a port that
    /// is free on all addresses.
    ///
    /// Throws if no address can be bound, or one is in use: another program would receive part of
    /// the connections.
    package static func listen(
        at addresses: [SocketAddress], name: String, poller: Poller
    ) throws(IOError) -> [ListeningSocket] {
        var reason = EADDRNOTAVAIL
        // A port that is free on the first address may be in use on the next.
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

    /// Waits for the next connection; returns `nil` once closed or cancelled.
    ///
    /// Throws if the descriptor does not listen.
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
                // No descriptors are left, or the connection had a network error.
                guard await poller.sleep(until: poller.now + .milliseconds(100)) == .timedOut
                else { return nil }
            }
        }
        return nil
    }

    /// Returns another descriptor of the socket, which the caller closes; `nil` if none are left.
    package func duplicate() -> CInt? {
        let fd = descriptor.use { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
        return fd >= 0 ? fd : nil
    }

    /// The path of its file, if it is a Unix socket created by this process.
    package var path: String? { file?.path }

    deinit { close() }

    /// Stops listening. Closing again has no effect.
    package func close() {
        // Remove the file before closing: another process cannot take it for an abandoned one and
        // replace it.
        descriptor.close { _ in file?.remove() }
    }

    private static func bound(_ address: SocketAddress) -> CInt? {
        let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let fd = socket(address.family, CInt(SOCK_STREAM.rawValue) | flags, 0)
        guard fd >= 0 else { return nil }
        var yes: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        // IPv4 and IPv6 use separate sockets.
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
