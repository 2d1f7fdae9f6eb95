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

/// Functions for raw SocketCAN sockets that send and receive frames with 29-bit identifiers.
///
/// Each read returns one frame. The kernel queues only a few frames to send; when its queue is
/// full, a write fails with `EAGAIN`.
package enum CANSocket {
    /// The flag for a 29-bit identifier (`CAN_EFF_FLAG`).
    private static let extended: UInt32 = 0x8000_0000
    /// The size in bytes of the kernel's `can_frame`: identifier (4), data length (1), unused (3),
    /// data (8).
    package static let frameSize = 16

    /// Opens a socket on an interface, such as `can0`. It receives the frames that match a filter:
    /// the identifiers are equal in all bits that are set in `mask`.
    ///
    /// Throws an ``IOError`` with `ENODEV` if the interface does not exist, `EPROTOTYPE` if it is
    /// not a CAN interface, `ENETDOWN` if it is down, and `EAFNOSUPPORT` or `EPROTONOSUPPORT` if
    /// the process cannot use CAN sockets.
    package static func open(
        _ interface: String, filters: [(identifier: UInt32, mask: UInt32)],
        poller: Poller = .shared
    ) throws(IOError) -> Descriptor {
        let filters = filters.map {
            ccan_filter(id: $0.identifier | extended, mask: $0.mask | extended)
        }
        let fd = ccan_open(interface, filters, CUnsignedInt(filters.count))
        guard fd >= 0 else { throw IOError(.open, interface) }
        return Descriptor(fd, poller: poller)
    }

    /// Returns a descriptor that becomes readable when network interfaces change; `nil` if the
    /// kernel refuses it.
    package static func interfaceChanges(poller: Poller = .shared) -> Descriptor? {
        let fd = ccan_watch_interfaces()
        return fd >= 0 ? Descriptor(fd, poller: poller) : nil
    }

    /// Returns the bytes to write for a frame. Only the first eight bytes of `data` are sent.
    package static func frame(_ identifier: UInt32, _ data: [UInt8]) -> [UInt8] {
        let data = data.prefix(8)
        let head = withUnsafeBytes(of: identifier | extended) { Array($0) }
        let padding = [UInt8](repeating: 0, count: 8 - data.count)
        return head + [UInt8(data.count), 0, 0, 0] + data + padding
    }

    /// Parses the bytes of a received frame. Returns its identifier and data; `nil` if it is not a
    /// data frame with a 29-bit identifier.
    package static func content(of frame: [UInt8]) -> (identifier: UInt32, data: [UInt8])? {
        guard frame.count == frameSize, frame[4] <= 8 else { return nil }
        var identifier: UInt32 = 0
        withUnsafeMutableBytes(of: &identifier) { $0.copyBytes(from: frame[..<4]) }
        // Reject remote frames (`CAN_RTR_FLAG`) and error frames (`CAN_ERR_FLAG`).
        guard identifier & 0xE000_0000 == extended else { return nil }
        return (identifier & 0x1FFF_FFFF, Array(frame[8..<8 + Int(frame[4])]))
    }
}

/// The file of a Unix socket on which this process listens.
private struct SocketFile: Sendable {
    let path: String
    private let file: Node.File

    /// Creates a Unix socket that listens on a path. Returns its descriptor and its file.
    ///
    /// Replaces the socket of a process that has ended. Throws an ``IOError`` if the path is
    /// another kind of file (`EEXIST`) or a socket in use (`EADDRINUSE`), or if the socket cannot
    /// be created.
    static func listen(
        _ path: String, mode: mode_t, backlog: CInt
    ) throws(IOError) -> (descriptor: CInt, file: SocketFile) {
        func failed(_ error: CInt) -> IOError { IOError(.listen, path, errno: error) }
        guard let address = SocketAddress(unix: path) else { throw failed(ENAMETOOLONG) }
        let fd = address.socketNumber(SOCK_STREAM)
        guard fd >= 0 else { throw failed(errno) }
        var error = bind(fd, to: address)
        if error == EADDRINUSE, let old = status(of: path) {
            if old.st_mode & S_IFMT != S_IFSOCK {
                error = EEXIST
            } else if isAbandoned(address), unlink(FileName.native(path)) == 0 {
                error = bind(fd, to: address)
            }
        }
        // No program can connect before the socket listens.
        if error == 0, chmod(FileName.native(path), mode) != 0 { error = errno }
        if error == 0, Glibc.listen(fd, backlog) != 0 { error = errno }
        guard error == 0, let status = status(of: path) else {
            Glibc.close(fd)
            throw failed(error == 0 ? ENOENT : error)
        }
        return (fd, SocketFile(path: path, file: Node.File(status)))
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        guard let status = Self.status(of: path), Node.File(status) == file else { return }
        unlink(FileName.native(path))
    }

    /// Binds a socket. Returns 0 or the `errno`.
    private static func bind(_ fd: CInt, to address: SocketAddress) -> CInt {
        address.use { Glibc.bind(fd, $0, $1) } == 0 ? 0 : errno
    }

    /// Returns the status of the path itself, without following a symbolic link.
    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(FileName.native(path), &status) == 0 ? status : nil
    }

    /// Whether the process that created a Unix socket has ended, so that connections are refused.
    private static func isAbandoned(_ address: SocketAddress) -> Bool {
        let fd = address.socketNumber(SOCK_STREAM)
        guard fd >= 0 else { return false }
        defer { Glibc.close(fd) }
        return address.use { connect(fd, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}

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
