// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc
import Synchronization

/// The sentences of a receiver that gpsd or `gpsbridge serve` serves.
///
/// gpsd creates sentences, satellites included, for receivers that send binary messages.
public struct GPSDSource: DeviceSource {
    /// The port of gpsd's protocol.
    public static let port: UInt16 = 2947

    /// The host's name or address.
    public let host: String
    /// The port it listens on.
    public let port: UInt16
    /// The path of the device on the server; `nil` for all devices.
    public let device: String?
    package var poller = Poller.shared

    /// Creates a source; `open()` connects.
    public init(host: String, port: UInt16 = GPSDSource.port, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// The name on the command line: `gpsd://localhost:2947/dev/ttyACM0`.
    public var name: String {
        "gpsd://\(SocketAddress.text(host, port))\(device ?? "")"
    }
    /// Unknown until a position is received, which shows whether it is simulated.
    public var origin: DataOrigin { .unknown }
    /// A server of gpsd's protocol.
    public var kind: SourceKind { .gpsd }
    /// The server's host and port.
    public var endpoint: NetworkEndpoint? { NetworkEndpoint(host: host, port: port) }
    /// Equal for the same host name, port and device.
    public var identity: SourceIdentity { SourceIdentity(name) }

    /// Connects and requests sentences.
    ///
    /// Throws `.hostUnknown`, `.unreachable` (with the last `errno`), or `.cancelled`. If the
    /// server does not have the device, the first read throws `.notFound`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        var server = TCPSource(host: host, port: port)
        server.poller = poller
        let descriptor = try await server.connect(as: name)
        let request = Array(watch.utf8)
        let status = descriptor.use { fd in
            Glibc.send(fd, request, request.count, CInt(MSG_NOSIGNAL)) == request.count ? 0 : errno
        }
        guard status == 0 else {
            throw DeviceError(.unreachable, device: name, errno: status ?? ECANCELED)
        }
        return GPSDConnection(
            DescriptorConnection(descriptor, name: name, chunk: 65_536, end: .disconnected))
    }

    /// Retries at growing intervals of at most 30 seconds.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    private var watch: String {
        let choice = device.map { path in
            let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return ",\"device\":\"\(escaped)\""
        }
        return "?WATCH={\"enable\":true,\"nmea\":true\(choice ?? "")};\n"
    }
}

/// A connection to gpsd that removes its JSON objects.
private final class GPSDConnection: DeviceConnection {
    private let connection: DescriptorConnection
    private let objects = Mutex(ObjectFilter())

    var name: String { connection.name }

    init(_ connection: DescriptorConnection) {
        self.connection = connection
    }

    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        while true {
            guard case .bytes(let bytes) = try await connection.read(until: deadline) else {
                return .silence
            }
            let (rest, isRefused) = objects.withLock { objects in
                (objects.remove(from: bytes), objects.hasError)
            }
            guard !isRefused else {
                close()
                throw DeviceError(.notFound, device: name)
            }
            if !rest.isEmpty { return .bytes(rest) }
        }
    }

    func close() {
        connection.close()
    }
}

/// Removes lines that are JSON objects from a stream, in any chunking.
struct ObjectFilter {
    private static let error = Array(#"{"class":"ERROR""#.utf8)

    /// Whether one of the objects was an error.
    private(set) var hasError = false
    private var isAtStart = true
    /// The beginning of the object being removed; `nil` outside an object.
    private var head: [UInt8]?

    /// Returns the bytes that are not part of an object.
    mutating func remove(from bytes: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        for byte in bytes {
            if isAtStart, byte == UInt8(ascii: "{") { head = [] }
            isAtStart = byte == 0x0A
            guard let begun = head else {
                rest.append(byte)
                continue
            }
            if begun.count < Self.error.count { head = begun + [byte] }
            if head == Self.error { hasError = true }
            if byte == 0x0A { head = nil }
        }
        return rest
    }
}

extension DeviceSource where Self == GPSDSource {
    /// A receiver that gpsd serves.
    public static func gpsd(
        host: String, port: UInt16 = GPSDSource.port, device: String? = nil
    ) -> GPSDSource {
        GPSDSource(host: host, port: port, device: device)
    }
}
