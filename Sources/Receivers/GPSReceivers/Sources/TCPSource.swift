// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A receiver's sentences from a TCP server. Nothing is ever sent to the server.
public struct TCPSource: DeviceSource {
    /// The name or the address of the host.
    package let host: String
    /// The port on which the server listens.
    package let port: UInt16

    package var poller = Poller.shared

    /// The maximum time for connecting to each of the host's addresses.
    private static let connectTimeout = Duration.seconds(10)

    /// Creates a source; `open()` connects.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The name on the command line: `tcp://localhost:10110`.
    public var name: String { "tcp://\(SocketAddress.text(host, port))" }
    /// The kind of source: a TCP server.
    public var kind: SourceKind { .tcp }
    /// The server's host and port.
    public var endpoint: NetworkEndpoint? { NetworkEndpoint(host: host, port: port) }

    /// Connects to the first of the host's addresses that answers.
    ///
    /// Throws `.hostUnknown`, `.unreachable` (with the `errno` of the last attempt), or
    /// `.cancelled`. If the server is gpsd, which sends sentences only on request, reading its
    /// greeting throws `.gpsd`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        TCPConnection(
            DescriptorConnection(
                try await connect(as: name), name: name, chunk: 65_536, end: .disconnected))
    }

    /// Connects to the first of the host's addresses that answers. Errors contain `name` as the
    /// device.
    package func connect(as name: String) async throws(DeviceError) -> Descriptor {
        let lookup = HostLookup(host: host, port: port, name: name)
        var reason = EADDRNOTAVAIL
        for address in try await lookup.find(passive: false) {
            guard let descriptor = address.socket(SOCK_STREAM, poller: poller) else {
                reason = errno
                continue
            }
            reason = try await connect(descriptor, to: address)
            guard reason != 0 else {
                descriptor.keepAlive()
                return descriptor
            }
        }
        throw DeviceError(of: .unreachable, device: name, errno: reason)
    }

    /// Returns an object that ends each wait after 30 seconds, because a server cannot be watched.
    /// A session tries to open the source again at growing intervals of at most 30 seconds.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    /// Connects to one address; returns 0 or an `errno`.
    private func connect(
        _ descriptor: Descriptor, to address: SocketAddress
    ) async throws(DeviceError) -> CInt {
        let status = descriptor.use { fd in
            (address.use { Glibc.connect(fd, $0, $1) }) == 0 ? 0 : errno
        }
        guard status == EINPROGRESS else { return status ?? ECANCELED }
        switch await descriptor.writable(until: poller.now + Self.connectTimeout) {
        case .ready, .hungUp: return descriptor.use { Self.error(of: $0) } ?? ECANCELED
        case .timedOut: return ETIMEDOUT
        case .failed(let error): return error
        case .cancelled, .closed: throw DeviceError(.cancelled, device: name)
        }
    }

    private static func error(of fd: CInt) -> CInt {
        var error: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }
}

/// A TCP connection. If its first bytes are gpsd's greeting, `read` throws `.gpsd`.
private final class TCPConnection: DeviceConnection {
    private let connection: DescriptorConnection
    /// The part of gpsd's greeting that has not been received yet; `nil` if the server's first
    /// bytes are not that greeting.
    private let greeting = Mutex<ArraySlice<UInt8>?>(Array("{\"class\":\"VERSION\"".utf8)[...])

    var name: String { connection.name }

    init(_ connection: DescriptorConnection) {
        self.connection = connection
    }

    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        let input = try await connection.read(until: deadline)
        guard case .bytes(let bytes) = input, isGreeting(bytes) else { return input }
        close()
        throw DeviceError(.gpsd, device: name)
    }

    /// Returns whether the bytes complete gpsd's greeting.
    private func isGreeting(_ bytes: [UInt8]) -> Bool {
        greeting.withLock { rest in
            guard let expected = rest else { return false }
            rest = expected.starts(with: bytes) ? expected.dropFirst(bytes.count) : nil
            return bytes.starts(with: expected)
        }
    }

    func close() {
        connection.close()
    }
}

extension Descriptor {
    /// Enables TCP keep-alive, which probes a silent peer about once a minute.
    fileprivate func keepAlive() {
        _ = use { fd in
            SocketOption.set(fd, SOL_SOCKET, SO_KEEPALIVE)
            SocketOption.set(fd, CInt(IPPROTO_TCP), TCP_KEEPIDLE, to: 30)
            SocketOption.set(fd, CInt(IPPROTO_TCP), TCP_KEEPINTVL, to: 10)
            SocketOption.set(fd, CInt(IPPROTO_TCP), TCP_KEEPCNT, to: 3)
        }
    }
}

extension DeviceSource where Self == TCPSource {
    /// A receiver's sentences from a TCP server.
    public static func tcp(host: String, port: UInt16) -> TCPSource {
        TCPSource(host: host, port: port)
    }
}

/// The names of a server and of all servers that read its data, directly or through other servers.
/// They reveal a ring of servers, in which each one would receive its own data again, endlessly.
///
/// A server sends these names when it connects to another server. That server does not learn of
/// readers that connect later, so some rings of three or more servers are not detected.
package final class ServerChain: Sendable {
    /// The maximum number of names. Each takes 13 bytes of a request, which has at most 4096.
    private static let maximumCount = 64

    /// The server's random name.
    package let name = String(hexadecimal: .random(in: 0..<1 << 48), width: 12)
    /// The names that each client has sent.
    private let readers = Mutex<[ObjectIdentifier: Set<String>]>([:])

    /// Returns whether a text has the form of a server's name: at most twelve hexadecimal digits.
    /// Other texts must not become part of a request.
    package static func isName(_ text: Substring) -> Bool {
        text.utf8.count <= 12 && text.allSatisfy(\.isHexDigit)
    }

    /// Creates the chain of a server without readers.
    package init() {}

    /// The names of the server and of all servers that read it.
    package var names: Set<String> {
        readers.withLock { readers in
            readers.values.reduce(into: Set([name])) { names, others in
                names.formUnion(others.prefix(max(0, Self.maximumCount - names.count)))
            }
        }
    }

    /// Stores the names that a client has sent. `names` is empty for a client that is not a server.
    package func set(_ names: Set<String>, of client: ObjectIdentifier) {
        readers.withLock { $0[client] = names.isEmpty ? nil : names }
    }
}

extension DeviceSource {
    /// Returns this source with the chain of the server that reads it. The source sends the names
    /// in the chain to the servers that it reads.
    package func read(by chain: ServerChain) -> any DeviceSource {
        if var server = self as? GPSDSource {
            server.chain = chain
            return server
        }
        guard let vote = self as? ConsensusSource else { return self }
        return ConsensusSource(
            vote.members.map { member in
                var member = member
                member.source = member.source.read(by: chain)
                return member
            })
    }
}

/// The bytes that a connection received while it was being opened. The first read returns them.
struct EarlyBytes: ~Copyable, Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
        self.bytes = Mutex(bytes)
    }

    /// Removes and returns the bytes; `nil` if there are none.
    func take() -> DeviceInput? {
        let taken = bytes.withLock { exchange(&$0, with: []) }
        return taken.isEmpty ? nil : .bytes(taken)
    }
}

/// A receiver's sentences from UDP datagrams that are sent to this machine or to a multicast group.
public struct UDPSource: DeviceSource {
    /// The local address to listen on, or the multicast group to join; `nil` for every local
    /// address.
    package let host: String?
    /// The port to listen on.
    package let port: UInt16
    package var poller = Poller.shared

    /// Creates a source; `open()` starts to listen.
    package init(host: String? = nil, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The name on the command line: `udp://:10110`.
    public var name: String {
        "udp://\(SocketAddress.text(host ?? "", port))"
    }
    /// The kind of source: UDP datagrams.
    public var kind: SourceKind { .udp }

    /// Listens for datagrams from any sender.
    ///
    /// Throws `.hostUnknown`, `.busy` if another program uses the port, `.permissionDenied` for a
    /// privileged port, `.unreachable` if the address does not belong to this machine, or
    /// `.cancelled`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        let lookup = HostLookup(host: host, port: port, name: name)
        let addresses = try await lookup.find(passive: true)
        var reason = EADDRNOTAVAIL
        // IPv6 comes first, because its sockets also receive IPv4.
        for address in addresses.filter({ $0.family == AF_INET6 })
            + addresses.filter({ $0.family != AF_INET6 })
        {
            guard let descriptor = address.socket(SOCK_DGRAM, poller: poller) else {
                reason = errno
                continue
            }
            reason = descriptor.use { bind($0, to: address) } ?? ECANCELED
            guard reason != 0 else {
                return DescriptorConnection(
                    descriptor, name: name, chunk: 65_536, end: .emptyDatagram)
            }
        }
        let code: DeviceError.Code =
            switch reason {
            case EADDRINUSE: .busy
            case EACCES: .permissionDenied
            default: .unreachable
            }
        throw DeviceError(of: code, device: name, errno: reason)
    }

    /// Returns an object that ends each wait after 30 seconds, because an address cannot be
    /// watched. A session tries to open the source again at growing intervals of at most 30
    /// seconds.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    /// Binds the socket and joins a multicast group; returns 0 or an `errno`.
    private func bind(_ fd: CInt, to address: SocketAddress) -> CInt {
        if address.family == AF_INET6, host == nil {
            SocketOption.set(fd, CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        // Each multicast datagram is delivered to all sockets of its group, so they can share the
        // port. Other datagrams are delivered to one socket only.
        if address.isMulticast { SocketOption.set(fd, SOL_SOCKET, SO_REUSEADDR) }
        guard address.use({ Glibc.bind(fd, $0, $1) }) == 0 else { return errno }
        return address.isMulticast ? address.join(fd) : 0
    }
}

extension DeviceSource where Self == UDPSource {
    /// A receiver's sentences from UDP datagrams that are sent to a port of this machine, or to a
    /// multicast group.
    public static func udp(host: String? = nil, port: UInt16) -> UDPSource {
        UDPSource(host: host, port: port)
    }
}
