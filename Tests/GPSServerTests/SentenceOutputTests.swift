// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@testable import GPSServer

/// Sentences over TCP, by datagrams and through a tty.
@Suite(.timeLimit(.generous))
struct SentenceOutputTests {
    @Test(arguments: [
        ("10110", SentenceOutput(.clients(.loopback(port: 10110)))),
        ("*:2000", SentenceOutput(.clients(.any(port: 2000)))),
        ("[::1]:99", SentenceOutput(.clients(.host("::1", port: 99)))),
        (
            "/run/nmea.sock=gga,RMC",
            SentenceOutput(.clients(.unix("/run/nmea.sock")), formatters: ["GGA", "RMC"])
        ),
        ("udp://239.0.0.1", SentenceOutput(.datagrams(host: "239.0.0.1", port: 10110))),
        ("udp://localhost:99", SentenceOutput(.datagrams(host: "127.0.0.1", port: 99))),
        ("pty:/tmp/gps", SentenceOutput(.terminal(link: "/tmp/gps"))),
    ])
    func `outputs are parsed`(_ text: String, _ output: SentenceOutput) {
        #expect(SentenceOutput(text) == output)
    }

    @Test(arguments: [
        "", "pty:", "udp://", "udp://*:99", "udp://99", "host:port", "1=", "1=GGA,X", "a b:1",
    ])
    func `invalid outputs are rejected`(_ text: String) {
        #expect(SentenceOutput(text) == nil || text.isEmpty)
    }

    @Test func `clients get only sentences, with the requested formatters`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let address = ListenAddress.host("127.0.0.1", port: 0)
        let output = SentenceOutput(.clients(address), formatters: ["GGA"])
        try await Self.serve(receiver, output) { server in
            let client = try TestClient(port: server.sentencePort ?? 0)
            client.send("?WATCH={\"json\":true}\n$PMTK000*32\r\n")
            // Clients of sentences get no reply that shows when they are served.
            await receiver.sendEpochs {
                #expect(await client.line(with: "$")?.hasPrefix("$GNGGA,1200") == true)
                #expect(await client.line()?.hasPrefix("$GNGGA,1200") == true)
            }
        }
    }

    @Test func `a client that closes only its sending side is served until it disconnects`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let output = SentenceOutput(.clients(.host("127.0.0.1", port: 0)))
        try await Self.serve(receiver, output) { server in
            let client = try TestClient(port: server.sentencePort ?? 0)
            client.endSending()
            await receiver.sendEpochs {
                for _ in 0..<3 { #expect(await client.line(with: "RMC") != nil) }
                client.close()
                while server.clientCount > 0, !Task.isCancelled { await Task.yield() }
                #expect(server.clientCount == 0)
            }
        }
    }

    @Test func `datagrams contain whole sentences`() async throws {
        let receiver = try ScriptedReceiver()
        let reader = try DatagramReader()
        let output = SentenceOutput(.datagrams(host: "127.0.0.1", port: reader.port))
        try await Self.serve(receiver, output) { _ in
            await receiver.sendEpoch(7)
            let text = String(decoding: ScriptedReceiver.epoch(7), as: UTF8.self)
            var received = ""
            while received.utf8.count < text.utf8.count {
                let datagram = await reader.next()
                #expect(datagram.hasPrefix("$") && datagram.hasSuffix("\r\n"))
                received += datagram
            }
            #expect(received == text)
        }
    }

    @Test func `datagrams that cannot be sent are reported once`() async throws {
        let lines = Witness<String>()
        // No datagram can be sent to port 0.
        let sender = try await DatagramSender(
            host: "127.0.0.1", port: 0, log: MessageLog { text, _ in lines.note(text) })
        for second in 0..<3 { sender.send(reports: ScriptedReceiver.epoch(second)) }
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.hasPrefix("cannot send to udp://127.0.0.1:0: ") == true)
    }

    @Test func `sentences are not sent back to their source`() async throws {
        let reader = try DatagramReader()
        let port = reader.port
        reader.close()
        let source = UDPSource(host: "127.0.0.1", port: port)
        var configuration = ServerConfiguration.local
        configuration.sentences = [SentenceOutput(.datagrams(host: "127.0.0.1", port: port))]
        let server = try ReceiverServer(sources: [source], configuration: configuration)
        try await server.listen()
        let run = Task { await server.run() }
        let client = try TestClient(port: server.port ?? 0)
        #expect(await client.ask("?WATCH={\"nmea\":true}", for: "WATCH") != nil)
        let sender = try DatagramSocket()
        await sender.waitForListener(port)
        sender.send(ScriptedReceiver.epoch(2), to: port)
        sender.send(ScriptedReceiver.epoch(3), to: port)
        var seen = 0
        while let line = await client.line(with: "RMC") {
            if line.contains(",120002.") { seen += 1 }
            if line.contains(",120003.") { break }
        }
        #expect(seen == 1)
        run.cancel()
        await run.value
    }

    @Test(arguments: [
        ("udp://192.0.2.7", "udp://:10110", false), ("udp://192.0.2.7", "udp://[::]:10110", false),
        ("udp://plotter.example", "udp://:10110", false), ("udp://[::1]", "udp://:10110", true),
        ("udp://127.0.0.1", "udp://:10110", true), ("udp://127.0.0.1:99", "udp://:10110", false),
        ("udp://127.0.0.1", "udp://localhost:10110", true),
        ("udp://127.0.0.1", "udp://0.0.0.0:10110", true),
        ("udp://127.0.0.2", "udp://127.0.0.1:10110", false),
        ("udp://0.0.0.0", "udp://127.0.0.1:10110", true),
        ("udp://[::]", "udp://[::1]:10110", true),
        ("udp://0.0.0.0", "udp://192.0.2.7:10110", false),
        ("udp://[::1]", "udp://[::1]:10110", true),
        ("udp://255.255.255.255", "udp://:10110", true),
        ("udp://192.0.2.255", "udp://:10110", true), ("udp://239.2.1.1", "udp://:10110", true),
        ("udp://239.2.1.1", "udp://239.2.1.1:10110", true),
        ("udp://239.2.1.1", "udp://239.2.1.2:10110", false),
    ])
    func `datagrams return to a source only if their host can be this machine`(
        output: String, source: String, isLoop: Bool
    ) throws {
        #expect(try #require(SentenceOutput(output)).isLoop(for: source) == isLoop)
    }

    @Test func `datagrams to an own address of this machine return to a source`() {
        for host in SocketAddress.ownHosts {
            let output = SentenceOutput(.datagrams(host: host, port: 99))
            #expect(output.isLoop(for: "udp://:99"), "\(host)")
        }
    }

    @Test func `a program that reads serial lines can read a tty`() async throws {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let link = folder.path("out")
        try await Self.serve(receiver, SentenceOutput(.terminal(link: link))) { _ in
            let tty = try await SerialSource(link, baudRate: .default).open()
            defer { tty.close() }
            try await receiver.sendEpochs {
                guard case .bytes(let bytes) = try await tty.read(until: nil) else {
                    Issue.record("nothing came")
                    return
                }
                #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("$GN"))
            }
        }
    }

    @Test func `the tty of an output is refused as a receiver`() async throws {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        let link = folder.path("out")
        try await Self.serve(receiver, SentenceOutput(.terminal(link: link))) { server in
            await #expect(throws: ServerError.self) {
                try await server.setSources([SerialSource(link, baudRate: .default)])
            }
        }
    }

    @Test func `a tty gets the simultaneous sentences of a hundred receivers`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("out")
        let writer = try PseudoTerminal(link: link)
        let tty = try await SerialSource(link, baudRate: .default).open()
        let sentences = (0..<100).map { "$GPTXT,\($0)\r\n" }
        for sentence in sentences { writer.send(reports: Array(sentence.utf8)) }
        var text = ""
        while text.count < sentences.joined().count,
            case .bytes(let bytes) = try await tty.read(until: nil)
        { text += String(decoding: bytes, as: UTF8.self) }
        #expect(text == sentences.joined())
        tty.close()
    }

    private static func serve(
        _ receiver: ScriptedReceiver, _ output: SentenceOutput,
        _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.local
        configuration.sentences = [output]
        let source = SerialSource(receiver.path, baudRate: .default)
        let server = try ReceiverServer(sources: [source], configuration: configuration)
        try await server.whileRunning { server in
            await receiver.waitForReader()
            try await body(server)
        }
    }
}

/// Receives datagrams at a separate port.
private final class DatagramReader: Sendable {
    private let socket: DatagramSocket
    let port: UInt16

    init() throws {
        socket = try DatagramSocket()
        port = try socket.bind()
    }

    func next() async -> String {
        guard case .bytes(let bytes) = await socket.descriptor.read(atMost: 65_536, until: nil)
        else {
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func close() { socket.descriptor.close() }
}

private final class DatagramSocket: Sendable {
    let descriptor: Descriptor

    init() throws {
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd = socket(AF_INET, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        try #require(fd >= 0)
        descriptor = Descriptor(fd)
    }

    func bind() throws -> UInt16 {
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = descriptor.use { fd in
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.bind(fd, $0, size) | getsockname(fd, $0, &size)
                }
            }
        }
        try #require(status == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until a socket is bound to a port, because datagrams to an unbound port are refused.
    func waitForListener(_ port: UInt16) async {
        _ = descriptor.use { fd in
            withUnsafePointer(to: Self.address(port)) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var refusal: CInt?
        repeat {
            await Task.yield()
            refusal = descriptor.use { fd -> CInt in
                Glibc.send(fd, "\n", 1, 0)
                return Glibc.send(fd, "\n", 1, 0) < 0 ? errno : 0
            }
        } while refusal == ECONNREFUSED && !Task.isCancelled
    }

    func send(_ bytes: [UInt8], to port: UInt16) {
        _ = descriptor.use { fd in
            withUnsafePointer(to: Self.address(port)) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(fd, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// The pieces in which clients receive raw bytes.
@Suite(.timeLimit(.generous))
struct MessageBufferTests {
    /// UBX-MON-VER (a poll), a UBX frame whose payload contains a dollar sign and a line end, and
    /// an empty RTCM 3 frame.
    private static let frames: [[UInt8]] = [
        [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34],
        [0xB5, 0x62, 0x0A, 0x04, 0x03, 0x00, 0x24, 0x0A, 0x0D, 0x4C, 0xFA],
        [0xD3, 0x00, 0x00, 0x47, 0xEA, 0x4B],
    ]
    private static let text = Array("$GPHDT,274.07,T*03\r\n".utf8)
    private static let tagged = Array(
        "\\s:r003669945*09\\!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n".utf8)
    private static let messages: [[UInt8]] = [
        text, frames[0], frames[1], tagged, frames[2], Array("$GPHDT,274.07,T*03\n".utf8), text,
    ]

    @Test func `no piece ends within a message, wherever the bytes are divided`() {
        let bytes = Self.messages.flatMap { $0 }
        var ends: Set<Int> = [0]
        var end = 0
        for message in Self.messages {
            end += message.count
            ends.insert(end)
        }
        for first in 1..<bytes.count {
            for second in [first + 1, first + 9, bytes.count] where second <= bytes.count {
                var buffer = MessageBuffer()
                var received: [UInt8] = []
                for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    received += buffer.push(Array(piece))
                    #expect(ends.contains(received.count), "\(first), \(second)")
                }
                #expect(received == bytes)
                #expect(buffer.isEmpty)
            }
        }
    }

    @Test func `a complete sentence is not kept until the next one is complete`() {
        var buffer = MessageBuffer()
        #expect(buffer.push(Self.text + Self.text.prefix(9)) == Self.text)
        #expect(!buffer.isEmpty)
        #expect(buffer.push(Array(Self.text.dropFirst(9))) == Self.text)
    }

    @Test func `bytes that are not part of a message are returned at once`() {
        var buffer = MessageBuffer()
        let noise = Array("noise\r\n\0\u{1}".utf8) + [0xFF, 0xB5, 0x00]
        #expect(buffer.push(noise) == noise)
        #expect(buffer.isEmpty)
    }

    @Test func `after a silence, the beginning of a message is returned, later its rest`() {
        var buffer = MessageBuffer()
        #expect(buffer.push(Array(Self.text.prefix(9))).isEmpty)
        #expect(buffer.silence() == Array(Self.text.prefix(9)))
        #expect(buffer.push(Array(Self.text[9..<12])).isEmpty)
        #expect(buffer.push(Array(Self.text[12...])) == Array(Self.text[9...]))
        #expect(buffer.silence().isEmpty)
    }

    @Test func `noise like the header of a frame delays sentences only until a silence`() {
        var buffer = MessageBuffer()
        // An RTCM 3 header that announces 1023 bytes.
        #expect(buffer.push([0xD3, 0x03, 0xFF] + Self.text).isEmpty)
        #expect(buffer.silence() == [0xD3, 0x03, 0xFF] + Self.text)
        #expect(buffer.push(Self.text) == Self.text)
    }
}
