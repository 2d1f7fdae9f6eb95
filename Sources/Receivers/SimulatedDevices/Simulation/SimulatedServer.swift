// SPDX-License-Identifier: MIT
import GPSIO
import Glibc
import Synchronization

/// An output to TCP clients. Each client receives all data.
///
/// A client that reads too slowly loses complete chunks, which are counted. It does not delay other
/// clients.
public final class SimulatedServer: SimulationOutput {
    private struct Client {
        let descriptor: Descriptor
        let outbox: Outbox
    }

    private struct State {
        var clients: [ObjectIdentifier: Client] = [:]
        /// The number of bytes lost by clients that have disconnected.
        var droppedByteCount = 0
        var isClosed = false
    }

    /// The maximum number of clients. Further clients are disconnected.
    private static let clientLimit = 64

    /// The port on which the server listens.
    public let port: UInt16
    private let listeners: [ListeningSocket]
    private let state = Mutex(State())
    private let acceptors = Mutex<[Task<Void, any Error>]>([])

    /// Listens on a port, or on any free port if it is 0. Without a host, it listens on the
    /// loopback addresses, IPv4 and IPv6, to which other machines cannot connect.
    ///
    /// Throws a ``SimulationError``, for example if the port is in use.
    public init(host: String? = nil, port: UInt16) throws(SimulationError) {
        let address = NetworkAddress(scheme: "tcp", host: host, port: port)
        let addresses = try address.addresses(to: "listen on")
        var failure = EADDRNOTAVAIL
        var listeners: [ListeningSocket] = []
        // With a host, use its first usable address; without a host, use all loopback addresses.
        for group in host == nil ? [addresses] : addresses.map({ [$0] }) where listeners.isEmpty {
            do throws(IOError) {
                listeners = try ListeningSocket.listen(
                    at: group, name: address.name, poller: .shared)
            } catch {
                failure = error.errno
            }
        }
        guard let port = listeners.first?.address?.port else {
            throw SimulationError(
                "cannot listen on \(address.name)", errno: failure,
                IOError.reasonOfListening(failure))
        }
        (self.port, self.listeners) = (port, listeners)
        acceptors.withLock { acceptors in
            acceptors = listeners.map { listener in
                Task(executorPreference: Poller.shared) { [weak self] in
                    while let client = try await listener.accept() { self?.add(client) }
                }
            }
        }
    }

    deinit { close() }

    /// The number of clients.
    public var clientCount: Int { state.withLock { $0.clients.count } }

    /// The number of bytes lost because clients read too slowly.
    public var droppedByteCount: Int {
        state.withLock { state in
            state.clients.values.reduce(state.droppedByteCount) { $0 + $1.outbox.droppedByteCount }
        }
    }

    /// Sends bytes to every client. For a slow client, only a partly sent chunk and the newest
    /// chunk are kept; others are dropped.
    public func send(_ bytes: [UInt8]) {
        for client in state.withLock(\.clients).values { client.outbox.send(droppable: bytes) }
    }

    /// Disconnects all clients.
    public func unplug() {
        for id in state.withLock(\.clients).keys { remove(id) }
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

    private func add(_ descriptor: Descriptor) {
        let id = ObjectIdentifier(descriptor)
        let outbox = Outbox(
            .descriptor(descriptor, by: .send), limit: 0,
            events: Outbox.Events { [weak self] _ in self?.remove(id) })
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.clients.count < Self.clientLimit else { return false }
            state.clients[id] = Client(descriptor: descriptor, outbox: outbox)
            return true
        }
        if !isTaken { descriptor.close() }
    }

    private func remove(_ id: ObjectIdentifier) {
        let client = state.withLock { state in
            let client = state.clients.removeValue(forKey: id)
            state.droppedByteCount += client?.outbox.droppedByteCount ?? 0
            return client
        }
        client?.descriptor.close()
    }
}
