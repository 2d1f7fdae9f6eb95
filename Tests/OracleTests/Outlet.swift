// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc

/// An output of a consumer.
protocol Outlet: AnyObject {
    /// The label of its lines.
    var name: String { get }
    /// Returns the lines since the last call; an incomplete one ends with "…".
    func takeLines() -> [String]
    /// Whether the last call sent a response to the consumer.
    var hasAnswered: Bool { get }
}

extension Outlet {
    /// Default: `false`.
    var hasAnswered: Bool { false }
}

/// A file that grows.
final class FileOutlet: Outlet {
    let name: String
    private let path: String
    private var descriptor: CInt = -1

    init(_ name: String, _ path: String) { (self.name, self.path) = (name, path) }

    deinit { close(descriptor) }

    func takeLines() -> [String] {
        if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
        return Transcript.lines { read(descriptor, $0, $1) }
    }
}

/// A client of a server.
final class ClientOutlet: Outlet {
    let name: String
    private let socket: UnixSocket

    /// Connects and sends a request.
    init(_ name: String, _ path: String, _ request: String) throws {
        self.name = name
        socket = try UnixSocket(connectingTo: path)
        let bytes = Array(request.utf8)
        guard send(socket.descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw POSIXError(errno)
        }
    }

    func takeLines() -> [String] {
        Transcript.lines { recv(socket.descriptor, $0, $1, CInt(MSG_DONTWAIT)) }
            // The date is from libmicrohttpd, which uses the kernel's clock.
            .filter { $0 != "\\r" && !$0.isEmpty && !$0.hasPrefix("Date: ") }
    }
}

/// A terminal: the changed rows of its screen.
///
/// A frame may show only some of the events of a time, and the next frame the others, so read its
/// lines when the next event happens.
final class TerminalOutlet: Outlet {
    let name = "screen"
    let terminal: PseudoTerminal
    private var picture = TerminalPicture()
    private var rows: [String] = []

    init() throws { terminal = try PseudoTerminal() }

    func takeLines() -> [String] {
        let bytes = terminal.takeHostBytes()
        guard !bytes.isEmpty else { return [] }
        picture.show(bytes)
        let new = picture.rows
        defer { rows = new }
        return new.indices.filter { !rows.indices.contains($0) || rows[$0] != new[$0] }
            // The number may have any length. The text after it is cut off.
            .map { "\($0) " + new[$0].replacing(/process [0-9]+.*/, with: "process PID…") }
    }
}

/// An MQTT 3.1.1 broker with one client: shows each published message and acknowledges it.
final class BrokerOutlet: Outlet {
    let name = "mqtt"
    /// The port on the loopback interface.
    let port: UInt16
    private(set) var hasAnswered = false
    private let listener = socket(
        AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    private var connection: CInt = -1
    /// The bytes of an incomplete packet.
    private var received: [UInt8] = []

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { [listener] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) | listen(listener, 1)
                    | getsockname(listener, address, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard status == 0 else { throw POSIXError(errno) }
    }

    deinit {
        close(connection)
        close(listener)
    }

    func takeLines() -> [String] {
        hasAnswered = false
        if connection < 0 {
            connection = accept(listener, nil, nil)
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        }
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(connection, &piece, piece.count, CInt(MSG_DONTWAIT))
            guard count > 0 else { break }
            received += piece.prefix(count)
        }
        var lines: [UInt8] = []
        while let packet = takePacket() { lines += handle(packet.kind, packet.body) }
        return Transcript.lines(of: lines)
    }

    /// Removes and returns the first packet; `nil` if it is incomplete.
    private func takePacket() -> (kind: UInt8, body: ArraySlice<UInt8>)? {
        guard let kind = received.first,
            let end = received.dropFirst().firstIndex(where: { $0 < 0x80 })
        else { return nil }
        let count = received[1...end].reversed().reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        guard received.count > end + count else { return nil }
        let body = received[(end + 1)...].prefix(count)
        received = Array(received[body.endIndex...])
        return (kind, body)
    }

    /// Answers a packet; returns the line that shows it.
    private func handle(_ kind: UInt8, _ body: ArraySlice<UInt8>) -> [UInt8] {
        switch kind >> 4 {
        case 1:  // CONNECT
            answer([0x20, 2, 0, 0])
        case 3:  // PUBLISH
            let text = body.dropFirst(2)
            let topic = text.prefix(
                Int(body[body.startIndex]) << 8 | Int(body[text.startIndex - 1]))
            var payload = body[topic.endIndex...]
            if kind & 6 != 0 {
                answer([0x40, 2] + payload.prefix(2))
                payload = payload.dropFirst(2)
            }
            return Array(topic + " ".utf8 + payload + "\n".utf8)
        case 12:  // PINGREQ
            answer([0xD0, 0])
        default: break
        }
        return []
    }

    private func answer(_ bytes: [UInt8]) {
        hasAnswered = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }
}

/// A Unix stream socket, closed with its last reference.
final class UnixSocket: Sendable {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)

    /// Listens at a path.
    init(listeningAt path: String) throws {
        guard Self.call(bind, descriptor, path) == 0, listen(descriptor, 1) == 0 else {
            throw POSIXError(errno)
        }
    }

    /// Connects to a path.
    init(connectingTo path: String) throws {
        guard Self.call(connect, descriptor, path) == 0 else { throw POSIXError(errno) }
    }

    deinit { close(descriptor) }

    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt,
        _ path: String
    ) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
