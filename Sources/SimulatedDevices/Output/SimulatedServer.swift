// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// An output over the network: every TCP client reads the receiver.
///
/// A client that does not read loses whole pieces, which are counted, and delays no other.
public final class SimulatedServer: SimulationOutput {
    private struct Client {
        let descriptor: Descriptor
        /// What the kernel had no room for: the rest of one piece, at most.
        var rest: ArraySlice<UInt8> = []
    }

    private struct State {
        var clients: [Client] = []
        var isClosed = false
    }

    /// Further ones are disconnected.
    private static let mostClients = 64

    /// The port it listens on.
    public let port: UInt16
    private let listeners: [Descriptor]
    private let state = Mutex(State())
    private let dropped = Atomic<Int>(0)
    private let acceptors = Mutex<[Task<Void, Never>]>([])

    /// Listens; port 0 takes any that is free. Without a host it listens on this machine's own
    /// addresses, IPv4 and IPv6, and no other machine can connect.
    ///
    /// Throws a ``SimulationError``, as where the port is taken.
    public init(host: String? = nil, port: UInt16) throws(SimulationError) {
        let address = NetworkAddress(scheme: "tcp", host: host, port: port)
        (self.port, listeners) = try Self.listeners(at: address, attempts: port == 0 ? 8 : 1)
        acceptors.withLock { acceptors in
            acceptors = listeners.map { listener in
                Task(executorPreference: Poller.shared) { [weak self] in
                    while await listener.readable() == .ready {
                        guard await self?.accept(from: listener) == true else { return }
                    }
                }
            }
        }
    }

    deinit { close() }

    /// How many clients there are.
    public var clientCount: Int { state.withLock { $0.clients.count } }

    /// How many bytes were lost to clients that read too slowly.
    public var droppedByteCount: Int { dropped.load(ordering: .relaxed) }

    /// Sends to every client as much as its socket accepts.
    public func send(_ bytes: [UInt8]) {
        state.withLock { state in
            state.clients = state.clients.compactMap { send(bytes, to: $0) }
        }
    }

    /// Disconnects all clients.
    public func unplug() {
        let clients = state.withLock { state in
            defer { state.clients = [] }
            return state.clients
        }
        for client in clients { client.descriptor.close() }
    }

    /// Disconnects all clients and stops listening.
    public func close() {
        state.withLock { $0.isClosed = true }
        acceptors.withLock { acceptors in
            for acceptor in acceptors { acceptor.cancel() }
        }
        for listener in listeners { listener.close() }
        unplug()
    }

    /// Nil where the client has gone.
    private func send(_ bytes: [UInt8], to client: Client) -> Client? {
        var client = client
        guard Self.write(&client.rest, client.descriptor) else { return nil }
        guard client.rest.isEmpty else {
            dropped.add(bytes.count, ordering: .relaxed)
            return client
        }
        client.rest = bytes[...]
        return Self.write(&client.rest, client.descriptor) ? client : nil
    }

    /// Writes what there is room for; false where the client has gone.
    private static func write(_ rest: inout ArraySlice<UInt8>, _ descriptor: Descriptor) -> Bool {
        while !rest.isEmpty {
            let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
            let outcome = descriptor.use { [rest] fd in
                (rest.withUnsafeBytes { Glibc.send(fd, $0.baseAddress, $0.count, flags) }, errno)
            }
            guard let (count, error) = outcome else { return false }
            if count > 0 {
                rest.removeFirst(count)
            } else if error != EINTR {
                return error == EAGAIN
            }
        }
        return true
    }

    /// Accepts a client; false once the server is closed.
    private func accept(from listener: Descriptor) async -> Bool {
        let outcome = listener.use { fd in
            let client = Glibc.accept(fd, nil, nil)
            let error = errno
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            return (client, error)
        }
        guard let (fd, error) = outcome else { return false }
        guard fd >= 0 else {
            // Out of descriptors: the listener stays readable, which must not become a busy loop.
            let isOut = error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM
            guard isOut else { return true }
            return await Poller.shared.sleep(until: .now + .seconds(1)) == .timedOut
        }
        let client = Client(descriptor: Descriptor(fd))
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.clients.count < Self.mostClients else { return false }
            state.clients.append(client)
            return true
        }
        if !isTaken { client.descriptor.close() }
        return true
    }

    /// The port that the first address was given is used for the next, too; where it is in use
    /// there, another is tried.
    private static func listeners(
        at address: NetworkAddress, attempts: Int
    ) throws(SimulationError) -> (UInt16, [Descriptor]) {
        var port = address.port
        do throws(SimulationError) {
            let sockets = try address.sockets(to: "listen on", SOCK_STREAM) { fd, address in
                guard listen(fd, address.with(port: port)) else { return false }
                port = Self.port(of: fd) ?? port
                return true
            }
            return (port, sockets)
        } catch {
            guard error.errno == EADDRINUSE, attempts > 1 else { throw error }
            return try listeners(at: address, attempts: attempts - 1)
        }
    }

    private static func listen(_ fd: CInt, _ address: SocketAddress) -> Bool {
        var yes: CInt = 1
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        // IPv4 and IPv6 have a socket each.
        if address.family == AF_INET6 {
            setsockopt(
                fd, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes,
                socklen_t(MemoryLayout<CInt>.size))
        }
        return address.use { bind(fd, $0, $1) } == 0 && Glibc.listen(fd, 16) == 0
    }

    private static func port(of fd: CInt) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes -> UInt16? in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(fd, address, &size) == 0
            else { return nil }
            // The port stands behind the family in both kinds of address, high byte first.
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }
}
