// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc

/// A stream socket that listens for connections (TCP or Unix).
package final class ListeningSocket: Sendable {
    /// The maximum number of connections that wait to be accepted (`listen`).
    private static let backlog: CInt = 1024

    private let descriptor: Descriptor
    /// The file of a Unix socket, which `close()` removes.
    private let file: SocketFile?
    /// The address to which the socket is bound; `nil` for a descriptor that is not a socket.
    package let address: SocketAddress?

    private init(_ fd: CInt, _ poller: Poller, file: SocketFile? = nil) {
        descriptor = Descriptor(fd, poller: poller)
        address = SocketAddress(of: fd)
        self.file = file
    }

    /// Wraps a socket that is already listening, such as one passed by systemd. Makes it
    /// non-blocking.
    package convenience init(inherited fd: CInt, poller: Poller) {
        self.init(fd, poller)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    }

    /// Listens on the path of a Unix socket. Replaces the socket of a process that has ended. By
    /// default, the folder's permissions decide which users can connect.
    ///
    /// Throws an ``IOError`` if the path is in use or cannot be created.
    package convenience init(
        path: String, mode: UInt32 = 0o666, poller: Poller
    ) throws(IOError) {
        let (fd, file) = try SocketFile.listen(path, mode: mode, backlog: Self.backlog)
        self.init(fd, poller, file: file)
    }

    /// Listens on all of the addresses that can be bound, one socket for each. `name` is the
    /// address for error messages. Port 0 selects a port that is free on all addresses.
    ///
    /// Throws an ``IOError`` if no address can be bound. Also throws an ``IOError`` if any address
    /// is in use, because another program would then receive some of the connections.
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
                } else if reason != EADDRINUSE {
                    // Keep `EADDRINUSE`: a later address may fail only because there is no IPv6.
                    reason = errno
                }
            }
            if !sockets.isEmpty, reason != EADDRINUSE { return sockets }
        }
        throw IOError(.listen, name, errno: reason)
    }

    /// The poller of the socket and of its connections.
    package var poller: Poller { descriptor.poller }

    /// Waits for the next connection and returns its non-blocking descriptor. Returns `nil` if the
    /// socket is closed or the task is cancelled.
    ///
    /// Throws an ``IOError`` if the descriptor is not a listening socket. After other errors, tries
    /// again.
    package func accept() async throws(IOError) -> Descriptor? {
        while !Task.isCancelled {
            let outcome = descriptor.use { fd in (clinux_accept(fd), errno) }
            guard let (fd, error) = outcome else { return nil }
            if fd >= 0 { return Descriptor(fd, poller: poller) }
            switch error {
            case EAGAIN:
                guard await descriptor.readable() == .ready else { return nil }
            case EINTR, ECONNABORTED: continue
            case EBADF, EINVAL, ENOTSOCK:
                throw IOError(.accept, address?.text ?? "", errno: error)
            default:
                // The process has no free descriptors, or the connection had a network error: retry
                // after 0.1 s.
                guard await poller.sleep(until: poller.now + .milliseconds(100)) == .timedOut
                else { return nil }
            }
        }
        return nil
    }

    /// Returns another descriptor for the socket, which the caller must close; `nil` if the socket
    /// is closed or the process has no free descriptors.
    package func duplicate() -> CInt? {
        let fd = descriptor.use { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
        return fd >= 0 ? fd : nil
    }

    /// The path of the socket's file; `nil` unless it is a Unix socket created by this process.
    package var path: String? { file?.path }

    deinit { close() }

    /// Stops listening, and removes the file of a Unix socket. Further calls have no effect.
    package func close() {
        // The file is removed before closing, so that another process cannot mistake it for an
        // abandoned one and replace it.
        descriptor.close { _ in file?.remove() }
    }

    private static func bound(_ address: SocketAddress) -> CInt? {
        let fd = address.socketNumber(SOCK_STREAM)
        guard fd >= 0 else { return nil }
        SocketOption.set(fd, SOL_SOCKET, SO_REUSEADDR)
        // Each address has its own socket, so the one for IPv6 must not accept IPv4 too.
        if address.family == AF_INET6 { SocketOption.set(fd, CInt(IPPROTO_IPV6), IPV6_V6ONLY) }
        if address.use({ bind(fd, $0, $1) }) == 0, Glibc.listen(fd, backlog) == 0 { return fd }
        let error = errno
        Glibc.close(fd)
        errno = error
        return nil
    }
}
