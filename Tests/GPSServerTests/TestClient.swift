// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import Testing

/// A program that connects to a server.
final class TestClient: Sendable {
    private let descriptor: Descriptor
    private let lines: LineBuffer
    /// The port to which it is connected; `nil` for a Unix socket.
    let port: UInt16?

    /// Connects to a port of this machine.
    convenience init(port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try self.init(AF_INET, address, port: port)
    }

    /// Connects to a Unix socket.
    convenience init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try self.init(AF_UNIX, address)
    }

    /// Creates a client that is connected to `socket`, the end of a server.
    static func pair() throws -> (client: TestClient, socket: CInt) {
        var pair: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        return (TestClient(connected: pair[1]), pair[0])
    }

    private init(connected fd: CInt) {
        port = nil
        descriptor = Descriptor(fd)
        lines = LineBuffer(descriptor)
    }

    private init<Address>(_ family: CInt, _ address: Address, port: UInt16? = nil) throws {
        self.port = port
        let fd = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fd, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        try #require(status == 0)
        _ = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK)
        descriptor = Descriptor(fd)
        lines = LineBuffer(descriptor)
    }

    /// Sends a request.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = descriptor.use { Glibc.send($0, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
    }

    /// The next line; `nil` once the server has closed the connection.
    func line() async -> String? { await lines.next() }

    /// The next line that contains a text.
    func line(with text: String) async -> String? {
        while let line = await lines.next() {
            if line.contains(text) { return line }
        }
        return nil
    }

    /// Sends a request and returns the next line that contains a text.
    func ask(_ request: String, for text: String) async -> String? {
        send(request)
        return await line(with: text)
    }

    /// Ends sending; bytes from the server can still be read.
    func endSending() {
        _ = descriptor.use { shutdown($0, CInt(SHUT_WR)) }
    }

    func close() {
        descriptor.close()
    }
}

private actor LineBuffer {
    private let descriptor: Descriptor
    private var bytes: [UInt8] = []

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    func next() async -> String? {
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end].filter { $0 != 0x0D }, as: UTF8.self)
            }
            guard case .bytes(let more) = await descriptor.read(atMost: 65_536, until: nil) else {
                return nil
            }
            bytes += more
        }
    }
}
