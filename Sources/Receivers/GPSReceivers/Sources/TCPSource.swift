// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A receiver's sentences from a TCP server. Nothing is ever sent to the server.
public struct TCPSource: DeviceSource {
    /// The name or the address of the host.
    public let host: String
    /// The port on which the server listens.
    public let port: UInt16

    package var poller = Poller.shared

    /// The maximum time for connecting to each of the host's addresses.
    private static let connectTimeout = Duration.seconds(10)

    /// Creates a source; `open()` connects.
    public init(host: String, port: UInt16) {
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
        throw DeviceError(.unreachable, device: name, errno: reason)
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
