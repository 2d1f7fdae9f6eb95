// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
public import GPSReceivers
import Glibc
import Synchronization

/// An output to TCP clients. Each client receives all data.
///
/// A client that reads too slowly loses complete chunks, which are counted. It does not delay other
/// clients.
package final class SimulatedServer: SimulationOutput {
    private struct Client {
        let descriptor: Descriptor
        let outbox: Outbox
    }

    private struct State {
        var clients: [ObjectIdentifier: Client] = [:]
        /// The number of bytes lost by clients that have disconnected.
        var droppedByteCount = 0
        var isClosed = false
        var acceptors: [Task<Void, any Error>] = []
    }

    /// The maximum number of clients. Further clients are disconnected.
    private static let clientLimit = 64

    /// The port on which the server listens.
    package let port: UInt16
    private let listeners: [ListeningSocket]
    private let state = Mutex(State())

    /// Listens on a port, or on any free port if it is 0. Without a host, it listens on the
    /// loopback addresses, IPv4 and IPv6, to which other machines cannot connect.
    ///
    /// Throws a ``SimulationError``, for example if the port is in use.
    package init(host: String? = nil, port: UInt16) throws(SimulationError) {
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
        state.withLock { state in
            state.acceptors = listeners.map { listener in
                Task(executorPreference: Poller.shared) { [weak self] in
                    while let client = try await listener.accept() { self?.add(client) }
                }
            }
        }
    }

    deinit { close() }

    package var clientCount: Int { state.withLock { $0.clients.count } }

    /// The number of bytes lost because clients read too slowly.
    package var droppedByteCount: Int {
        state.withLock { state in
            state.clients.values.reduce(state.droppedByteCount) { $0 + $1.outbox.droppedByteCount }
        }
    }

    /// Sends bytes to every client. For a slow client, only a partly sent chunk and the newest
    /// chunk are kept; others are dropped.
    package func send(_ bytes: [UInt8]) {
        for client in state.withLock(\.clients).values { client.outbox.send(droppable: bytes) }
    }

    /// Disconnects all clients.
    package func unplug() {
        for id in state.withLock(\.clients).keys { remove(id) }
    }

    /// Disconnects all clients and stops listening.
    package func close() {
        let acceptors = state.withLock { state in
            state.isClosed = true
            return state.acceptors
        }
        for acceptor in acceptors { acceptor.cancel() }
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

/// The host and port of an output.
private struct NetworkAddress {
    let host: String?
    let port: UInt16
    /// The address for error messages, such as `tcp://localhost:2947`.
    let name: String

    init(scheme: String, host: String?, port: UInt16) {
        self.host = host
        self.port = port
        name = "\(scheme)://\(SocketAddress.text(host ?? "localhost", port))"
    }

    /// Returns the addresses of the host or, if it is `nil`, the loopback addresses (IPv6 and
    /// IPv4). `purpose` is a verb for the error message, such as `listen on`.
    func addresses(to purpose: String) throws(SimulationError) -> [SocketAddress] {
        do throws(SocketAddress.LookupFailure) {
            return try SocketAddress.addresses(of: host, port: port)
        } catch {
            throw SimulationError(
                "cannot \(purpose) \(name)", errno: error.errno ?? EADDRNOTAVAIL,
                error.errno == nil ? error.reason : nil)
        }
    }
}

/// An output that sends sentences as UDP datagrams to one address, which may be a broadcast
/// address.
///
/// Each datagram contains complete sentences and UBX frames; only a frame that is longer than a
/// datagram is split. Data that cannot be sent, for example because no program listens, is dropped
/// and counted.
package final class SimulatedDatagrams: SimulationOutput {
    /// The maximum size of a datagram in bytes. It fits into an Ethernet frame.
    private static let maximumSize = 1400

    private let descriptor: Descriptor
    private let unsent = Mutex<[UInt8]>([])
    private let dropped = Atomic<Int>(0)

    /// Creates a socket that sends to a host.
    ///
    /// Throws a ``SimulationError``, for example if the host does not exist.
    package init(host: String, port: UInt16) throws(SimulationError) {
        let address = NetworkAddress(scheme: "udp", host: host, port: port)
        guard port > 0 else {
            throw SimulationError("cannot send to \(address.name)", errno: EADDRNOTAVAIL)
        }
        var failure = EADDRNOTAVAIL
        for found in try address.addresses(to: "send to") {
            if let descriptor = found.socket(SOCK_DGRAM), Self.connect(descriptor, to: found) {
                self.descriptor = descriptor
                return
            }
            failure = errno
        }
        throw SimulationError("cannot send to \(address.name)", errno: failure)
    }

    /// Connects a socket. On failure, returns `false` and sets `errno`.
    private static func connect(_ descriptor: Descriptor, to address: SocketAddress) -> Bool {
        let status = descriptor.use { fd in
            SocketOption.set(fd, SOL_SOCKET, SO_BROADCAST)
            return address.use { Glibc.connect(fd, $0, $1) }
        }
        return status == 0
    }

    /// The number of bytes that could not be sent.
    package var droppedByteCount: Int { dropped.load(ordering: .relaxed) }

    /// Sends all complete sentences and frames. An incomplete one is kept and sent after the next
    /// call.
    package func send(_ bytes: [UInt8]) {
        unsent.withLock { unsent in
            unsent += bytes
            while let end = Self.end(of: unsent) {
                send(unsent[..<end])
                unsent.removeFirst(end)
            }
        }
    }

    /// Closes the socket.
    package func close() {
        descriptor.close()
    }

    /// Returns the size of the next datagram: as many complete sentences and frames as fit, or the
    /// maximum size if the first one does not fit. Returns `nil` if more bytes are needed.
    private static func end(of bytes: [UInt8]) -> Int? {
        var end = 0
        while let next = MessageBoundaries.end(of: bytes, from: end), next <= maximumSize {
            end = next
        }
        if end > 0 { return end }
        return bytes.count >= maximumSize ? maximumSize : nil
    }

    private func send(_ datagram: ArraySlice<UInt8>) {
        let (_, error) = descriptor.write(datagram, by: .send)
        if error != 0 { dropped.add(datagram.count, ordering: .relaxed) }
    }
}

/// An output to the tty of a pseudo terminal, which programs can open like a receiver.
public final class SimulatedTerminal: SimulationOutput {
    private struct State {
        var terminal: PseudoTerminal?
        var link: String?
        var insertionCount = 1
        var droppedByteCount = 0
        var isClosed = false
        /// The baud rate of the receiver; `nil` for USB.
        var rate: BaudRate?
        /// The baud rate that the program had set when bytes were last sent or received.
        var hostRate: Int?

        /// Removes and returns the terminal, which the caller must close.
        mutating func takeTerminal() -> PseudoTerminal? {
            droppedByteCount += terminal?.droppedByteCount ?? 0
            return exchange(&terminal, with: nil)
        }
    }

    private let state: Mutex<State>
    private let overflow: PseudoTerminal.Overflow
    private let onPlug: @Sendable (String?) -> Void

    /// Creates a pseudo terminal and, if `link` is given, a symbolic link to its tty.
    ///
    /// If a baud rate is configured, a program that sets a different rate reads noise. `onPlug` is
    /// called with the path when the device is plugged in again, and with `nil` when it is
    /// unplugged.
    ///
    /// Throws `.noPseudoTerminal` if the system has no free pseudo terminal, and `.nameTaken` if
    /// `link` exists and is not a link to a pseudo terminal.
    public init(
        _ configuration: SimulatedReceiver.Configuration, link: String? = nil,
        onPlug: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(DeviceError) {
        // With a manual clock, the simulation waits for the reader, so that tests do not depend on
        // the reader's speed.
        overflow = configuration.pace.isStepped ? .wait : .drop
        self.onPlug = onPlug
        state = Mutex(
            State(
                terminal: try Self.terminal(link: link), link: link, rate: configuration.baudRate))
    }

    deinit { close() }

    /// The path for programs to open: the link or, without a link, the tty; `nil` while unplugged.
    public var path: String? { terminal.map { $0.link ?? $0.path } }

    /// The number of bytes lost because no program read them, or read them too slowly.
    public var droppedByteCount: Int {
        state.withLock { $0.droppedByteCount + ($0.terminal?.droppedByteCount ?? 0) }
    }

    /// The number of times that the device was plugged in, including its creation.
    var insertionCount: Int { state.withLock { $0.insertionCount } }

    private var terminal: PseudoTerminal? { state.withLock { $0.terminal } }

    /// Sends bytes. If the reader has set another baud rate than the receiver's, it receives the
    /// bytes that a UART would read at that rate.
    public func send(_ bytes: [UInt8]) async {
        guard let terminal else { return }
        var received = bytes
        let hostRate = terminal.hostRate
        let rate = state.withLock { state in
            state.hostRate = hostRate
            return state.rate
        }
        if let sent = rate?.rawValue, let read = hostRate {
            received = MisreadLine.read(bytes, sentAt: sent, readAt: read)
        }
        await terminal.write(received, whenFull: overflow)
    }

    /// Waits until a program reads the tty. Returns immediately while unplugged.
    package func waitForReader() async { await terminal?.waitForReader() }

    /// Waits until a program writes to the tty, and returns `true`. Returns `false` at the
    /// deadline, or immediately while unplugged.
    public func waitForInput(until deadline: MonotonicInstant) async -> Bool {
        await terminal?.waitForHostBytes(until: deadline) ?? false
    }

    /// Returns the bytes that programs have written to the tty since the last call, as the receiver
    /// reads them at its baud rate.
    public func takeInput() -> [UInt8] {
        guard let terminal else { return [] }
        let bytes = terminal.takeHostBytes()
        let now = terminal.hostRate
        let (rate, earlier) = state.withLock {
            ($0.rate?.rawValue, exchange(&$0.hostRate, with: now))
        }
        // A program may change its baud rate immediately after writing, so its bytes may have been
        // sent at the earlier rate. Misread them only if both rates are wrong.
        guard !bytes.isEmpty, let rate, let now, earlier != rate else { return bytes }
        return MisreadLine.read(bytes, sentAt: now, readAt: rate)
    }

    /// Changes the baud rate of the receiver; `nil` for USB.
    public func setRate(_ rate: BaudRate?) { state.withLock { $0.rate = rate } }

    /// Hangs up the tty and removes its link.
    public func unplug() {
        guard let terminal = state.withLock({ $0.takeTerminal() }) else { return }
        terminal.close()
        onPlug(nil)
    }

    /// Creates another pseudo terminal, and a link to it with the given name or, if that is `nil`,
    /// the original one. Does nothing if the device is plugged in.
    public func plug(as name: String?) throws {
        let link = state.withLock { state -> String?? in
            state.terminal == nil && !state.isClosed ? .some(state.link) : nil
        }
        guard let link else { return }
        let terminal = try Self.terminal(link: Self.link(link, named: name))
        let isTooLate = state.withLock { state in
            if !state.isClosed {
                state.terminal = terminal
                state.insertionCount += 1
            }
            return state.isClosed
        }
        guard !isTooLate else { return terminal.close() }
        onPlug(terminal.link ?? terminal.path)
    }

    /// Closes the tty and removes the link.
    public func close() {
        let terminal = state.withLock { state in
            state.isClosed = true
            return state.takeTerminal()
        }
        terminal?.close()
    }

    private static func terminal(link: String?) throws(DeviceError) -> PseudoTerminal {
        try DeviceError.converted { () throws(IOError) in try PseudoTerminal(link: link) }
    }

    /// Returns the path of the link for a new name: in the folder of `link`, unless the name is
    /// itself a path. Returns `link` without a new name.
    private static func link(_ link: String?, named name: String?) -> String? {
        guard let link, let name else { return link }
        guard !name.contains("/"), let slash = link.lastIndex(of: "/") else { return name }
        return String(link[...slash]) + name
    }
}
