// SPDX-License-Identifier: MIT
import GPSIO
import Glibc
import Synchronization

/// An output over the network: every TCP client reads the receiver.
///
/// A client that does not read loses whole pieces, which are counted, and delays no other.
public final class SimulatedServer: SimulationOutput {
    private struct Client {
        let descriptor: Descriptor
        let outbox: Outbox
    }

    private struct State {
        var clients: [ObjectIdentifier: Client] = [:]
        /// Bytes lost to clients that are gone.
        var droppedByteCount = 0
        var isClosed = false
    }

    /// Further ones are disconnected.
    private static let mostClients = 64

    /// The port it listens on.
    public let port: UInt16
    private let listeners: [ListeningSocket]
    private let state = Mutex(State())
    private let acceptors = Mutex<[Task<Void, any Error>]>([])

    /// Listens; port 0 takes any that is free. Without a host it listens on the loopback addresses, IPv4 and
    /// IPv6, where other machines cannot connect.
    ///
    /// Throws a ``SimulationError``, as where the port is taken.
    public init(host: String? = nil, port: UInt16) throws(SimulationError) {
        let address = NetworkAddress(scheme: "tcp", host: host, port: port)
        let addresses = try address.addresses(to: "listen on")
        var failure = EADDRNOTAVAIL
        var listeners: [ListeningSocket] = []
        // Of those of a host the first that can be had.
        for group in host == nil ? [addresses] : addresses.map({ [$0] }) where listeners.isEmpty {
            do throws(IOError) {
                listeners = try ListeningSocket.listen(
                    at: group, name: address.name, poller: .shared)
            } catch {
                failure = error.errno
            }
        }
        guard let port = listeners.first?.address?.port else {
            throw SimulationError("cannot listen on \(address.name)", errno: failure)
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

    /// How many clients there are.
    public var clientCount: Int { state.withLock { $0.clients.count } }

    /// How many bytes were lost to clients that read too slowly.
    public var droppedByteCount: Int {
        state.withLock { state in
            state.clients.values.reduce(state.droppedByteCount) { $0 + $1.outbox.droppedByteCount }
        }
    }

    /// Sends to every client as much as its socket accepts. The newest piece waits for room, and the rest of one that was
    /// sent in part.
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
            guard !state.isClosed, state.clients.count < Self.mostClients else { return false }
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
