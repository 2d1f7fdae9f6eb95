// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// The outputs over the network.
@Suite(.timeLimit(.generous))
struct NetworkTests {
    /// A socket on the loopback interface.
    private final class Socket {
        let fd: CInt

        init(_ type: __socket_type) throws {
            fd = socket(AF_INET, CInt(type.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            var timeout = timeval(tv_sec: 300, tv_usec: 0)
            setsockopt(
                fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(fd) }

        /// Calls `body` with an address of the loopback interface.
        func with(
            port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> CInt
        ) -> CInt {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withUnsafeMutableBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                    addresses.baseAddress.map {
                        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    } ?? -1
                }
            }
        }

        func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = recv(fd, &bytes, count, 0)
            return Array(bytes.prefix(max(0, read)))
        }

        /// Reads a number of bytes, or fewer if no more arrive.
        func readAll(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let more = read(count - bytes.count)
                guard !more.isEmpty else { break }
                bytes += more
            }
            return bytes
        }
    }

    private func client(of server: SimulatedServer) async throws -> Socket {
        let count = server.clientCount
        let client = try Socket(SOCK_STREAM)
        let status = client.with(port: server.port) { connect(client.fd, $0, $1) }
        try #require(status == 0)
        while server.clientCount == count, !Task.isCancelled { await Task.yield() }
        return client
    }

    @Test func `every client reads everything from when it connected`() async throws {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let first = try await client(of: server)
        server.send(Array("one\n".utf8))
        let second = try await client(of: server)
        server.send(Array("two\n".utf8))
        #expect(first.readAll(8) == Array("one\ntwo\n".utf8))
        #expect(second.readAll(4) == Array("two\n".utf8))
        server.close()
        #expect(first.read(1) == [])
    }

    @Test func `a client that does not read loses whole pieces, and delays no other`()
        async throws
    {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let stalled = try await client(of: server)
        let reading = try await client(of: server)
        let piece = [UInt8](repeating: 0x41, count: 65_535) + [0x0A]
        var sent = 0
        while server.droppedByteCount < 10 * piece.count {
            server.send(piece)
            sent += 1
            #expect(reading.readAll(piece.count) == piece)
        }
        // The kernel's buffer for the stalled client ends with a complete chunk.
        let kept = sent - server.droppedByteCount / piece.count
        server.send([])
        var received = 0
        while received < (kept - 1) * piece.count {
            let bytes = stalled.read(1 << 20)
            try #require(!bytes.isEmpty)
            received += bytes.count
        }
        server.send(piece)
        #expect(server.droppedByteCount % piece.count == 0)
    }

    @Test func `a client that has disconnected is removed`() async throws {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        var gone: Socket? = try await client(of: server)
        _ = gone
        gone = nil
        while server.clientCount > 0 { server.send([0x0A]) }
        #expect(server.clientCount == 0)
    }

    @Test func `unplugging disconnects clients, and new ones may connect`() async throws {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let before = try await client(of: server)
        server.unplug()
        #expect(before.read(1) == [])
        let after = try await client(of: server)
        server.send([0x0A])
        #expect(after.read(1) == [0x0A])
    }

    @Test func `a port in use is reported on one line`() throws {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let error = #expect(throws: SimulationError.self) {
            _ = try SimulatedServer(host: "127.0.0.1", port: server.port)
        }
        #expect(
            error?.description
                == "cannot listen on tcp://127.0.0.1:\(server.port): another program is already "
                + "listening on this address: stop it, or give another port")
    }

    // The address is reserved for documentation (RFC 5737).
    @Test func `an address of another machine is reported with advice`() {
        let error = #expect(throws: SimulationError.self) {
            _ = try SimulatedServer(host: "192.0.2.1", port: 0)
        }
        let reason = "this machine does not have this address: `ip address` lists its addresses"
        #expect(error?.description.hasSuffix(reason) == true)
    }

    @Test func `without a host the port is reachable by IPv4 and, if available, by IPv6`() throws {
        let server = try SimulatedServer(port: 0)
        let client = try Socket(SOCK_STREAM)
        #expect(client.with(port: server.port) { connect(client.fd, $0, $1) } == 0)
        let other = socket(AF_INET6, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(other) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = server.port.bigEndian
        address.sin6_addr = in6addr_loopback
        let status = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                connect(other, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        #expect(status == 0 || errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT || errno == EBADF)
        let error = #expect(throws: SimulationError.self) {
            _ = try SimulatedServer(port: server.port)
        }
        #expect(error?.errno == EADDRINUSE)
    }

    @Test func `an unknown host, and port 0, are reported on one line`() {
        let server = #expect(throws: SimulationError.self) {
            _ = try SimulatedServer(host: "1.2.3.4.5", port: 1)
        }
        let said = server?.description ?? ""
        #expect(said.hasPrefix("cannot listen on tcp://1.2.3.4.5:1: "))
        #expect(!said.contains("assign"), "\(said)")
        let datagrams = #expect(throws: SimulationError.self) {
            _ = try SimulatedDatagrams(host: "127.0.0.1", port: 0)
        }
        #expect(datagrams?.description.hasPrefix("cannot send to udp://127.0.0.1:0: ") == true)
    }

    @Test(arguments: OutputProtocols.allCases)
    func `datagrams contain whole sentences and frames`(_ protocols: OutputProtocols) throws {
        let reader = try Socket(SOCK_DGRAM)
        #expect(reader.with(port: 0) { bind(reader.fd, $0, $1) } == 0)
        var port: UInt16 = 0
        _ = reader.with(port: 0) { address, size in
            var size = size
            let status = getsockname(reader.fd, address, &size)
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                port = UInt16(bigEndian: $0.pointee.sin_port)
            }
            return status
        }
        let way = try SimulatedDatagrams(host: "127.0.0.1", port: port)
        let epoch = SimulatedReceiver(.ubx(.ublox9, [], protocols)).bytes(of: 1)
        // Sends two chunks, which divide a sentence.
        way.send(Array(epoch[..<100]))
        way.send(Array(epoch[100...]))
        var received: [UInt8] = []
        while received.count < epoch.count {
            let datagram = reader.read(65_536)
            try #require(!datagram.isEmpty)
            let sentences = UBXRun.frames(in: datagram).rest
            #expect(sentences.first == (sentences.isEmpty ? nil : UInt8(ascii: "$")))
            #expect(sentences.suffix(2) == (sentences.isEmpty ? [] : [0x0D, 0x0A]))
            #expect(datagram.count <= 1400)
            received += datagram
        }
        #expect(received == epoch)
    }
}
