// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
import GPSReceivers
import Glibc

/// A socket that accepts connections.
package final class ListeningSocket: Sendable {
    /// Connections that wait to be accepted.
    private static let backlog: CInt = 1024

    private let descriptor: Descriptor
    /// The file of a Unix socket, which `close()` removes.
    private let file: SocketFile?

    private init(_ fd: CInt, file: SocketFile? = nil) {
        descriptor = Descriptor(fd, poller: .clients)
        self.file = file
    }

    /// Takes over a socket that listens already.
    package init(inherited fd: CInt) {
        descriptor = Descriptor(fd, poller: .clients)
        file = nil
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    }

    /// Listens on every address that can be bound; port 0 takes any that is free.
    ///
    /// Throws a ``ServerError`` where none can be bound, or one is in use.
    package static func listen(
        on address: ListenAddress
    ) async throws -> [ListeningSocket] {
        if case .unix(let path) = address {
            let (fd, file) = try SocketFile.listen(path, backlog: backlog)
            return [ListeningSocket(fd, file: file)]
        }
        var sockets: [ListeningSocket] = []
        var port = address.port
        var reason = EADDRNOTAVAIL
        for host in address.hosts {
            let lookup = HostLookup(host: host, port: port, name: address.description)
            let addresses = try await DeviceError.converted { () async throws(IOError) in
                try await lookup.addresses(passive: true)
            }
            for found in addresses {
                guard let fd = bound(found) else {
                    reason = errno
                    continue
                }
                let socket = ListeningSocket(fd)
                sockets.append(socket)
                if port == 0 { port = socket.port ?? 0 }
            }
        }
        // Half of the addresses would be another program's.
        guard !sockets.isEmpty, reason != EADDRINUSE else {
            throw ServerError("cannot listen on \(address)", errno: reason)
        }
        return sockets
    }

    /// Whether only programs of this machine can connect.
    package var isLocal: Bool {
        withAddress { bytes, family in
            switch CInt(family) {
            case AF_UNIX: true
            case AF_INET: bytes[4] == 127
            case AF_INET6: bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
            default: false
            }
        } ?? false
    }

    /// The port it listens on; `nil` for a Unix socket.
    package var port: UInt16? {
        withAddress { bytes, family in
            guard family != AF_UNIX, bytes.count >= 4 else { return nil }
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    /// Where it listens: an address and its port, or the path of a Unix socket.
    ///
    /// The corresponding C functions are `getsockname` and `getnameinfo`.
    var name: String {
        let name = withAddress { bytes, family -> String? in
            guard bytes.count >= 4 else { return nil }
            if family == AF_UNIX {
                let path = bytes.dropFirst(2).prefix { $0 != 0 }
                return path.isEmpty ? nil : FileName.string(path)
            }
            var host = [CChar](repeating: 0, count: 256)
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard
                getnameinfo(
                    address, socklen_t(bytes.count), &host, socklen_t(host.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { return nil }
            let text = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            return "\(ListenAddress.host(String(decoding: text, as: UTF8.self), port: port))"
        }
        return name ?? "a socket without a name"
    }

    /// The corresponding C function is `getsockname`.
    private func withAddress<Result: Sendable>(
        _ body: (UnsafeRawBufferPointer, _ family: CInt) -> Result?
    ) -> Result? {
        descriptor.use { fd -> Result? in
            var storage = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return withUnsafeMutableBytes(of: &storage) { bytes -> Result? in
                guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    getsockname(fd, address, &size) == 0
                else { return nil }
                let used = bytes.prefix(Int(size))
                return body(UnsafeRawBufferPointer(rebasing: used), CInt(address.pointee.sa_family))
            }
        } ?? nil
    }

    /// What its connections are waited for by.
    package var poller: Poller { descriptor.poller }

    /// Waits for the next connection; `nil` once closed or cancelled.
    ///
    /// Throws a ``ServerError`` where the descriptor does not listen.
    package func accept() async throws(ServerError) -> Descriptor? {
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
                throw ServerError("cannot accept connections", errno: error)
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
    var path: String? { file?.path }

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
