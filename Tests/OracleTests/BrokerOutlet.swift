// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc

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
