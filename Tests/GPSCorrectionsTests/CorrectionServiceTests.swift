// SPDX-License-Identifier: MIT
import GNSS
import GPSCorrections
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import RTCM
import Synchronization
import Testing

/// A caster on loopback, which a test plays.
private struct Caster {
    private let socket: ListeningSocket
    let port: UInt16

    init() async throws {
        let addresses = try await HostLookup(host: "127.0.0.1", port: 0, name: "caster").addresses(
            passive: true)
        socket = try #require(
            try ListeningSocket.listen(at: addresses, name: "caster", poller: .shared).first)
        port = try #require(socket.address?.port)
    }

    func feed(user: String = "", password: String? = nil) throws -> CorrectionFeed {
        let address = try NTRIPAddress("ntrip://\(user)127.0.0.1:\(port)/BASE")
        return CorrectionFeed(.caster(address, password: password))
    }

    /// Accepts the next connection, and returns it with its request.
    func accept() async throws -> (connection: Descriptor, request: String) {
        let connection = try #require(try await socket.accept())
        var request = ""
        while !request.hasSuffix("\r\n\r\n") {
            guard case .bytes(let bytes) = await connection.read(atMost: 4096, until: nil) else {
                break
            }
            request += String(decoding: bytes, as: UTF8.self)
        }
        return (connection, request)
    }
}

@Suite(.timeLimit(.generous))
struct CorrectionServiceTests {
    @Test func `a caster's messages reach the receiver whole, also after a lost connection`()
        async throws
    {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal(link: folder.path("gps"))
        let caster = try await Caster()
        let pool = ReceiverPool()
        let session = pool.session(for: SerialSource(folder.path("gps"), baudRate: .default))
        let texts = Mutex<[String]>([])
        let service = CorrectionService(
            try caster.feed(), in: pool,
            log: MessageLog { text, _ in texts.withLock { $0.append(text) } }
        )
        let run = Task { try await service.run(for: [session]) }
        defer { run.cancel() }
        let first = try await caster.accept()
        #expect(first.request.hasPrefix("GET /BASE HTTP/1.1\r\n"))
        await terminal.waitForReader()
        // Nothing is written to a line before a sentence has shown that its rate is right.
        await terminal.write(ScriptedReceiver.epoch(0))
        await until { session.knownBaudRate != nil }
        let stream =
            Array("ICY 200 OK\r\n".utf8) + Specimen.position + Array("$PUBX,41\r\n".utf8)
            + Specimen.equipment + Specimen.beiDou.prefix(20)
        #expect(await first.connection.write(all: stream) == 0)
        var received: [UInt8] = []
        func receive(_ expected: [UInt8]) async {
            while received.count < expected.count, await terminal.waitForHostBytes() {
                received += terminal.takeHostBytes()
            }
            #expect(received == expected)
        }
        await receive(Specimen.position + Specimen.equipment)
        first.connection.close()
        let second = try await caster.accept()
        #expect(
            await second.connection.write(all: Array("ICY 200 OK\r\n".utf8) + Specimen.biases) == 0)
        await receive(Specimen.position + Specimen.equipment + Specimen.biases)
        #expect(service.feed.counts.count == 3)
        #expect(service.feed.reference?.station == 0)
        #expect(texts.withLock { $0.contains { $0.hasSuffix("/BASE: receiving corrections") } })
    }

    @Test func `assistance data waits until an epoch shows that the receiver's line is open`()
        async throws
    {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal(link: folder.path("gps"))
        let caster = try await Caster()
        let pool = ReceiverPool()
        let session = pool.session(for: SerialSource(folder.path("gps"), baudRate: .default))
        let service = CorrectionService(try caster.feed(), in: pool, log: MessageLog { _, _ in })
        let run = Task { try await service.run(for: [session]) }
        defer { run.cancel() }
        let connection = try await caster.accept().connection
        await terminal.waitForReader()
        let assistance: [UInt8] = [0xB5, 0x62, 0x13, 0x40, 0x00, 0x00, 0x53, 0x0C]
        #expect(await connection.write(all: Array("ICY 200 OK\r\n".utf8) + assistance) == 0)
        await until { service.feed.counts.count == 1 }
        #expect(terminal.takeHostBytes().isEmpty)
        await terminal.write((0..<4).flatMap { ScriptedReceiver.epoch($0) })
        var received: [UInt8] = []
        while received.count < assistance.count, await terminal.waitForHostBytes() {
            received += terminal.takeHostBytes()
        }
        #expect(received == assistance)
    }

    @Test func `a wrong password ends the service, and is in no message`() async throws {
        let caster = try await Caster()
        let texts = Mutex<[String]>([])
        let service = CorrectionService(
            try caster.feed(user: "me@", password: "secret"), in: ReceiverPool(),
            log: MessageLog { text, _ in texts.withLock { $0.append(text) } })
        async let refusal = service.run(for: [])
        let (connection, request) = try await caster.accept()
        #expect(request.contains("Authorization: Basic bWU6c2VjcmV0\r\n"))
        #expect(await connection.write(all: Array("HTTP/1.0 401 Unauthorized\r\n".utf8)) == 0)
        #expect(try await refusal == .unauthorized)
        #expect(texts.withLock { $0.allSatisfy { !$0.contains("secret") } })
    }

    @Test func `a receiver's bytes are a stream of corrections, too`() async throws {
        let bytes = Specimen.position + ScriptedReceiver.epoch(0) + Specimen.biases
        let feed = CorrectionFeed(.receiver(BytesSource(bytes)))
        #expect(await feed.run(in: ReceiverPool()) == nil)
        #expect(feed.counts.count == 2)
    }
}
