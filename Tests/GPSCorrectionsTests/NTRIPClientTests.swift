// SPDX-License-Identifier: MIT
import GNSS
import GPSCorrections
import GPSTestSupport
import GPSTestTraits
import NMEA
import RTCM
import Testing

/// A client of a caster that a test plays, by a clock that the test sets.
private struct Scene {
    var client: NTRIPClient
    var now = MonotonicInstant.now
    private let start: MonotonicInstant
    private(set) var requests: [String] = []
    private(set) var delivered: [CorrectionMessage] = []
    private(set) var table: SourceTable?
    /// When each connection was opened, in seconds from the start.
    private(set) var openings: [Double] = []
    private(set) var isOpen = false
    /// Whether a connection was opened while another one was open.
    private(set) var hadTwoConnections = false

    init(
        _ address: String = "ntrip://me@caster/BASE", needsPosition: Bool = false, seed: UInt64 = 1
    ) throws {
        start = now
        client = NTRIPClient(
            try NTRIPAddress(address), password: "secret", needsPosition: needsPosition,
            seed: seed, at: now)
        execute()
    }

    private mutating func execute() {
        while let action = client.next() {
            switch action {
            case .open:
                hadTwoConnections = hadTwoConnections || isOpen
                isOpen = true
                openings.append(now.seconds(since: start))
            case .send(let bytes): requests.append(String(decoding: bytes, as: UTF8.self))
            case .close: isOpen = false
            case .deliver(let message): delivered.append(message)
            case .table(let table): self.table = table
            }
        }
    }

    mutating func receive(_ event: NTRIPClient.Event) {
        client.receive(event, at: now)
        execute()
    }

    mutating func receive(_ text: String) { receive(.bytes(Array(text.utf8))) }

    /// Lets time pass. The client is woken whenever it wants.
    mutating func wait(_ seconds: Double) {
        let end = now + .seconds(seconds)
        while let next = client.wakeAt, next <= end {
            now = max(now, next)
            receive(.woke)
        }
        now = end
    }

    /// Lets messages flow, one each second.
    mutating func flow(seconds: Int) {
        for _ in 0..<seconds {
            wait(1)
            receive(.bytes(Specimen.biases))
        }
    }

    /// Opens the connection, and accepts the request.
    mutating func connect(_ reply: String = "ICY 200 OK\r\n\r\n") {
        receive(.opened)
        receive(reply)
    }
}

extension Specimen {
    static let fix: Fix = {
        var fix = Fix()
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.4)
        fix.timeOfDay = TimeOfDay(hour: 12, minute: 34, second: 56)
        fix.quality = .autonomous
        fix.satellitesUsed = 9
        fix.altitude = 170
        fix.geoidSeparation = 44
        return fix
    }()
}

@Suite(.timeLimit(.generous))
struct NTRIPClientTests {
    @Test func `asks for a stream as version 2 requires`() throws {
        var scene = try Scene()
        #expect(scene.client.condition == .connecting)
        scene.receive(.opened)
        let lines = try #require(scene.requests.first).components("\r\n")
        #expect(lines.first == "GET /BASE HTTP/1.1")
        #expect(lines.contains("Host: caster:2101"))
        #expect(lines.contains("Ntrip-Version: Ntrip/2.0"))
        #expect(lines.contains { $0.hasPrefix("User-Agent: NTRIP gpsbridge/") })
        #expect(lines.contains("Authorization: Basic bWU6c2VjcmV0"))
        #expect(!lines.contains { $0.hasPrefix("Ntrip-GGA") })
        #expect(lines.suffix(2) == ["", ""])
    }

    @Test(
        arguments: [
            "ICY 200 OK\r\n", "ICY 200 OK\r\n\r\n", "ICY 200 OK\r\nServer: x\r\nDate: y\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\n", "HTTP/1.0 200 OK\n\n",
            "HTTP/1.1 200 OKNtrip-Version: Ntrip/2.0\r\nContent-Type: gnss/data\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\n\r\n",
        ], [1, 5, .max])
    func `messages follow any accepted reply`(reply: String, size: Int) throws {
        var scene = try Scene()
        scene.receive(.opened)
        var bytes = (Array(reply.utf8) + Specimen.biases + [0x0D, 0x0A] + Specimen.position)[...]
        while !bytes.isEmpty {
            scene.receive(.bytes(Array(bytes.prefix(size))))
            bytes = bytes.dropFirst(size)
        }
        #expect(scene.delivered.map(\.bytes) == [Specimen.biases, Specimen.position])
        #expect(scene.client.condition == .flowing)
    }

    @Test(arguments: [1, 3, 10, .max])
    func `chunks may cut messages, and have extensions`(size: Int) throws {
        var scene = try Scene()
        scene.receive(.opened)
        var body: [UInt8] = []
        for (index, part) in [Specimen.position, Specimen.biases].joined().chunks(of: 11)
            .enumerated()
        {
            let length = String(part.count, radix: 16, uppercase: true)
            body += Array(
                "\(index == 1 ? "00" : "")\(length)\(index == 2 ? ";ext=1" : "")\r\n".utf8)
            body += part + [0x0D, 0x0A]
        }
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for piece in (Array(head.utf8) + body).chunks(of: size) { scene.receive(.bytes(piece)) }
        #expect(scene.delivered.map(\.bytes) == [Specimen.position, Specimen.biases])
        #expect(scene.isOpen)
        scene.receive("0\r\n\r\n")
        #expect(!scene.isOpen)
        #expect(scene.client.condition == .waiting(reason: "the caster ended the stream"))
    }

    @Test(
        arguments: [
            ("HTTP/1.0 401 Unauthorized\r\n", .unauthorized),
            ("HTTP/1.1 404 Not Found\r\n\r\n", .unknownMount(suggestion: nil)),
            ("ERROR - Bad Password\r\n", .unauthorized),
            ("ERROR - Mount Point Taken\r\n", .other("ERROR - Mount Point Taken")),
            ("HTTP/1.1 403 Forbidden\r\n\r\n", .other("status 403")),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", .notACaster),
            ("<html><body>", .notACaster), ("220 smtp ready\r\n", .notACaster),
            (
                "SOURCETABLE 200 OK\r\n\r\nSTR;BASES;x\r\nENDSOURCETABLE\r\n",
                .unknownMount(suggestion: "; did you mean 'BASES'?")
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\nENDSOURCETABLE\r\n",
                .unknownMount(suggestion: nil)
            ),
        ] as [(String, CorrectionRefusal)])
    func `a refusal is final`(reply: String, refusal: CorrectionRefusal) throws {
        var scene = try Scene()
        scene.connect(reply)
        #expect(scene.client.condition == .refused(refusal))
        #expect(!scene.isOpen)
        scene.receive(.closed("later"))
        scene.wait(3600)
        #expect(scene.openings.count == 1)
        #expect(scene.delivered == [])
    }

    @Test(arguments: [("429 Too Many Requests", 299), ("409 Conflict", 299), ("408 Timeout", 0)])
    func `a refusal for some time is not final`(status: String, pause: Double) throws {
        var scene = try Scene()
        scene.connect("HTTP/1.1 \(status)\r\n\r\n")
        scene.wait(pause)
        #expect(scene.openings.count == 1)
        scene.wait(3)
        #expect(scene.openings.count == 2)
    }

    @Test func `the source table is read if no mount point is given`() throws {
        var scene = try Scene("ntrip://caster")
        scene.connect("SOURCETABLE 200 OK\r\n\r\nSTR;A;x\r\nSTR;B;y\r\nENDSOURCE")
        #expect(scene.table == nil)
        scene.receive("TABLE\r\n")
        #expect(scene.table?.mounts.map(\.name) == ["A", "B"])
        #expect(!scene.isOpen)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.0 501 x\r\n\r\n", nil])
    func `version 1 is tried at once if the caster does not know version 2`(
        reply: String?
    ) throws {
        var scene = try Scene()
        scene.receive(.opened)
        if let reply { scene.receive(reply) } else { scene.receive(.closed("end of file")) }
        scene.wait(0)
        #expect(scene.openings == [0, 0])
        scene.connect()
        #expect(scene.requests.last?.hasPrefix("GET /BASE HTTP/1.0\r\nUser-Agent: NTRIP") == true)
        scene.receive(.bytes(Specimen.biases))
        #expect(scene.delivered.count == 1)
        #expect(!scene.hadTwoConnections)
    }

    @Test func `pauses between attempts double up to a minute, and vary`() throws {
        var pauses: [[Double]] = []
        for seed in 1...2 as ClosedRange<UInt64> {
            var scene = try Scene(seed: seed)
            for _ in 0..<10 {
                scene.receive(.closed("refused"))
                scene.wait(60)
            }
            let opened = scene.openings
            pauses.append(zip(opened.dropFirst(), opened).map { max(0, $0 - $1) })
        }
        #expect(pauses[0] != pauses[1])
        var scene = try Scene()
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] as [Double] {
            scene.receive(.closed("refused"))
            let before = scene.openings.count
            scene.wait(expected * 0.79)
            #expect(scene.openings.count == before)
            scene.wait(expected * 0.42)
            #expect(scene.openings.count == before + 1)
        }
        #expect(!scene.hadTwoConnections)
    }

    @Test func `a steady stream that is lost is opened again at once`() throws {
        var scene = try Scene()
        scene.connect()
        scene.flow(seconds: 62)
        scene.receive(.closed("reset"))
        scene.wait(0)
        #expect(scene.openings.count == 2)
        // A stream that was not steady is not.
        scene.connect()
        scene.flow(seconds: 30)
        scene.receive(.closed("reset"))
        scene.wait(0.5)
        #expect(scene.openings.count == 2)
    }

    @Test func `a caster that flaps is not called more often than allowed`() throws {
        var scene = try Scene()
        for _ in 0..<500 {
            if scene.isOpen {
                scene.connect()
                scene.receive(.bytes(Specimen.biases + Specimen.position.prefix(9)))
                scene.receive(.closed("reset"))
            }
            scene.wait(10)
        }
        #expect(scene.openings.count < 100)
        #expect(scene.delivered.count == scene.client.connectionCount)
        #expect(!scene.hadTwoConnections)
    }

    @Test func `a connection that sends no messages is stale, then opened again`() throws {
        var scene = try Scene()
        scene.connect()
        scene.flow(seconds: 5)
        scene.wait(9)
        #expect(scene.client.condition == .flowing)
        for _ in 0..<12 {
            scene.wait(1)
            scene.receive("noise")
        }
        #expect(scene.client.condition == .stale)
        scene.wait(38)
        #expect(scene.openings.count == 1)
        scene.wait(3)
        #expect(scene.openings.count == 2)
    }

    @Test func `a caster that does not reply is left after 30 seconds`() throws {
        var scene = try Scene()
        scene.receive(.opened)
        scene.receive("HTTP/1.1 200")
        scene.wait(29)
        #expect(scene.openings.count == 1)
        scene.wait(3)
        #expect(scene.openings.count == 2)
    }

    @Test func `the position is sent only to a caster that sends nothing without it`() throws {
        var scene = try Scene()
        scene.client.setPosition(Specimen.fix)
        scene.connect()
        scene.flow(seconds: 30)
        #expect(scene.requests.count == 1)

        var silent = try Scene()
        silent.connect()
        silent.wait(6)
        #expect(silent.client.condition == .waitingForPosition)
        silent.client.setPosition(Fix())
        silent.wait(1)
        #expect(silent.requests.count == 1)
        silent.client.setPosition(Specimen.fix)
        silent.wait(0)
        #expect(
            silent.requests.last
                == "$GPGGA,123456.00,4812.00000,N,01624.00000,E,1,09,,170.0,M,44.0,M,,*44\r\n")
        // Then every ten seconds, and from the beginning of the next connection.
        silent.flow(seconds: 61)
        #expect(silent.requests.count == 8)
        silent.receive(.closed("reset"))
        silent.wait(0)
        silent.receive(.opened)
        #expect(silent.requests.last?.contains("Ntrip-GGA: $GPGGA,123456.00,") == true)
    }

    @Test func `what the receiver does not report is empty in the position`() throws {
        var scene = try Scene(needsPosition: true)
        var fix = Fix()
        (fix.coordinate, fix.quality) = (Coordinate(latitude: -1.5, longitude: -0.5), .invalid)
        fix.timeOfDay = TimeOfDay(hour: 1, minute: 2, second: 3)
        scene.client.setPosition(fix)
        scene.connect()
        scene.wait(20)
        #expect(scene.requests.count == 1)
        fix.quality = .rtkFloat
        scene.client.setPosition(fix)
        scene.wait(0)
        #expect(
            scene.requests.last?.hasPrefix(
                "$GPGGA,010203.00,0130.00000,S,00030.00000,W,5,,,,M,,M,,*") == true)
    }

    @Test func `a caster that closes the stream at once gets the position with the next request`()
        throws
    {
        var scene = try Scene()
        scene.client.setPosition(Specimen.fix)
        scene.connect()
        scene.receive(.closed("end of file"))
        scene.wait(2)
        scene.receive(.opened)
        #expect(scene.requests.last?.contains("Ntrip-GGA: $GPGGA,123456.00,") == true)
    }

    @Test func `a stream that is listed but not sent is asked for again`() throws {
        var scene = try Scene()
        scene.connect("SOURCETABLE 200 OK\r\n\r\nSTR;BASE;x\r\nENDSOURCETABLE\r\n")
        guard case .waiting = scene.client.condition else {
            Issue.record("\(scene.client.condition)")
            return
        }
        scene.wait(2)
        #expect(scene.openings.count == 2)
    }

    @Test(arguments: ["HTTP/1.1 401 Unauthorized\r\n\r\n", "HTTP/1.1 404 Not Found\r\n\r\n"])
    func `a refusal by a caster that has served the stream is not final`(reply: String) throws {
        var scene = try Scene()
        scene.connect()
        scene.flow(seconds: 5)
        scene.receive(.closed("reset"))
        scene.wait(2)
        scene.connect(reply)
        #expect(!scene.isOpen)
        scene.wait(299)
        #expect(scene.openings.count == 2)
        scene.wait(2)
        #expect(scene.openings.count == 3)
        scene.connect()
        scene.receive(.bytes(Specimen.biases))
        #expect(scene.client.condition == .flowing)
    }

    @Test func `a first line without an end is a reply when the caster has closed`() throws {
        var scene = try Scene()
        scene.receive(.opened)
        scene.receive("HTTP/1.0 401 Unauthorized")
        scene.receive(.closed("end of file"))
        #expect(scene.client.condition == .refused(.unauthorized))
    }

    @Test func `a table without an end is complete after 30 seconds`() throws {
        var scene = try Scene("ntrip://caster")
        scene.connect("HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\nSTR;A;x\r\n")
        #expect(scene.table == nil)
        scene.wait(31)
        #expect(scene.table?.mounts.map(\.name) == ["A"])
    }
}

@Suite(.timeLimit(.generous))
struct CorrectionQueueTests {
    private func message(_ type: Int, _ count: Int = 100) throws -> CorrectionMessage {
        var framer = CorrectionFramer()
        var found: CorrectionMessage?
        framer.push(Specimen.rtcm([(type, 12), (0, 12), (0, count * 8 - 24)])) { found = $0 }
        return try #require(found)
    }

    @Test func `the oldest observations are dropped first, then ephemerides`() throws {
        var queue = CorrectionQueue(limit: 400)
        for type in [1005, 1077, 1019, 1087, 1230] { queue.add(try message(type)) }
        #expect(queue.droppedCount == 2)
        var types: [CorrectionMessage.Kind] = []
        while let next = queue.next() { types.append(next.kind) }
        #expect(
            types == [
                .rtcm(type: 1005, station: 0), .rtcm(type: 1019, station: nil),
                .rtcm(type: 1230, station: 0),
            ])
    }

    @Test func `outdated corrections are removed`() throws {
        var queue = CorrectionQueue(limit: 400)
        queue.add(try message(1077))
        queue.removeOutdated()
        #expect(queue.isEmpty)
        #expect(queue.droppedCount == 1)
        queue.add(try message(1077, 380))
        #expect(queue.next() != nil)
    }

    @Test func `messages that wait for a slower line are dropped when its rate is known`() throws {
        var queue = CorrectionQueue(limit: 16_384)
        for type in [1077, 1087, 1005, 1097] { queue.add(try message(type)) }
        queue.limit = 250
        #expect(queue.droppedCount == 2)
        #expect(queue.next()?.kind == .rtcm(type: 1005, station: 0))
        #expect(queue.next()?.kind == .rtcm(type: 1097, station: 0))
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

extension Sequence<UInt8> {
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        reduce(into: []) { chunks, byte in
            if chunks.last.map({ $0.count < size }) == true {
                chunks[chunks.count - 1].append(byte)
            } else {
                chunks.append([byte])
            }
        }
    }
}
