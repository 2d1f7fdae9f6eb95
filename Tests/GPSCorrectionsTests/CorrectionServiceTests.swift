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
            [try caster.feed()], in: pool,
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
        #expect(service.feed?.counts.count == 3)
        #expect(service.feed?.reference?.station == 0)
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
        let service = CorrectionService([try caster.feed()], in: pool, log: MessageLog { _, _ in })
        let run = Task { try await service.run(for: [session]) }
        defer { run.cancel() }
        let connection = try await caster.accept().connection
        await terminal.waitForReader()
        let assistance: [UInt8] = [0xB5, 0x62, 0x13, 0x40, 0x00, 0x00, 0x53, 0x0C]
        #expect(await connection.write(all: Array("ICY 200 OK\r\n".utf8) + assistance) == 0)
        await until { service.feed?.counts.count == 1 }
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
            [try caster.feed(user: "me@", password: "secret")], in: ReceiverPool(),
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

    @Test func `another source is used while the preferred caster refuses`() async throws {
        let (first, second) = (try await Caster(), try await Caster())
        let texts = Mutex<[String]>([])
        let service = CorrectionService(
            [try first.feed(), try second.feed()], in: ReceiverPool(),
            log: MessageLog { text, _ in texts.withLock { $0.append(text) } })
        let run = Task { try await service.run(for: []) }
        let refused = try await first.accept().connection
        #expect(await refused.write(all: Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8)) == 0)
        let used = try await second.accept().connection
        #expect(await used.write(all: Array("ICY 200 OK\r\n".utf8) + Specimen.position) == 0)
        await until { service.feed?.counts.count == 1 }
        #expect(service.feed === service.feeds[1])
        #expect(texts.withLock { $0.contains { $0.contains("no such mount point") } })
        run.cancel()
        #expect(try await run.value != nil)
    }
}

extension CorrectionServiceTests {
    @Test
    func
        `a receiver that is added gets corrections, and none when it or the last source is removed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal(link: folder.path("gps"))
        let caster = try await Caster()
        let pool = ReceiverPool()
        let feed = try caster.feed()
        let service = CorrectionService(
            [feed], canChange: true, in: pool, log: MessageLog { _, _ in })
        let run = Task { try await service.run(for: []) }
        defer { run.cancel() }
        let connection = try await caster.accept().connection
        #expect(
            await connection.write(all: Array("ICY 200 OK\r\n".utf8) + Specimen.position) == 0)
        await until { feed.counts.count == 1 }
        let session = pool.session(for: SerialSource(folder.path("gps"), baudRate: .default))
        service.change(to: [feed], for: [session])
        await terminal.waitForReader()
        await terminal.write(ScriptedReceiver.epoch(0))
        await until { session.knownBaudRate != nil && session.correctionSender != nil }
        #expect(await connection.write(all: Specimen.biases) == 0)
        var received: [UInt8] = []
        while received.count < Specimen.biases.count, await terminal.waitForHostBytes() {
            received += terminal.takeHostBytes()
        }
        #expect(received == Specimen.biases)
        service.change(to: [feed], for: [])
        await until { session.correctionSender == nil }
        #expect(feed.condition == .flowing)
        service.change(to: [feed], for: [session])
        await until { session.correctionSender != nil }
        service.change(to: [], for: [session])
        await until { session.correctionSender == nil }
    }

    @Test func `a change closes one caster, opens another, and leaves the rest connected`()
        async throws
    {
        let (first, second, third) = (try await Caster(), try await Caster(), try await Caster())
        let kept = try second.feed()
        let service = CorrectionService(
            [try first.feed(), kept], canChange: true, in: ReceiverPool(),
            log: MessageLog { _, _ in })
        let run = Task { try await service.run(for: []) }
        let removed = try await first.accept().connection
        let busy = Array("HTTP/1.1 503 Busy\r\n\r\n".utf8)
        #expect(await removed.write(all: busy) == 0)
        let connection = try await second.accept().connection
        #expect(
            await connection.write(all: Array("ICY 200 OK\r\n".utf8) + Specimen.position) == 0)
        await until { kept.counts.count == 1 }
        service.change(to: [kept, try third.feed()], for: [])
        await until { service.feeds.count == 2 && service.feed === kept }
        #expect(await connection.write(all: Specimen.biases) == 0)
        await until { kept.counts.count == 2 }
        // The third one is opened when the second one has ended.
        connection.close()
        service.change(to: [try third.feed()], for: [])
        let new = try await third.accept().connection
        #expect(await new.write(all: Array("ICY 200 OK\r\n".utf8) + Specimen.position) == 0)
        await until { service.feed?.counts.count == 1 }
        service.change(to: [], for: [])
        guard case .bytes(let bytes) = await new.read(atMost: 64, until: nil) else { return }
        #expect(bytes.isEmpty)
        run.cancel()
        #expect(try await run.value == nil)
    }
}

/// Sources of corrections, by a clock that the test sets.
private struct Choice {
    var preference: SourcePreference
    private let start: MonotonicInstant
    private(set) var now: MonotonicInstant

    init(_ accounts: [String?], at start: MonotonicInstant = .now) {
        (self.start, now) = (start, start)
        preference = SourcePreference(accounts: accounts, at: start)
    }

    var open: [Int] { (0..<3).filter { preference.isOpen($0) } }

    mutating func receive(_ condition: CorrectionCondition, _ index: Int) {
        preference.receive(condition, from: index, at: now)
    }

    mutating func wait(_ seconds: Double) {
        let end = now + .seconds(seconds)
        while let next = preference.wakeAt, next <= end {
            now = max(now, next)
            preference.update(at: now)
        }
        now = end
    }
}

@Suite(.timeLimit(.generous))
struct SourcePreferenceTests {
    @Test
    func `the next source is opened when the preferred one fails, and closed when it is back`() {
        var choice = Choice([nil, nil, nil])
        #expect(choice.open == [0])
        choice.receive(.waiting(reason: "refused"), 0)
        #expect(choice.open == [0, 1])
        choice.receive(.flowing, 1)
        #expect(choice.preference.selected == 1)
        choice.wait(3600)
        #expect(choice.open == [0, 1])
        choice.receive(.flowing, 0)
        #expect(choice.preference.selected == 1)
        choice.wait(9)
        #expect(choice.preference.selected == 1)
        choice.wait(2)
        #expect(choice.preference.selected == 0)
        #expect(choice.open == [0])
    }

    @Test func `a source that was lost has 20 seconds to return`() {
        var choice = Choice([nil, nil, nil])
        choice.receive(.flowing, 0)
        choice.wait(100)
        choice.receive(.waiting(reason: "reset"), 0)
        choice.wait(19)
        #expect(choice.open == [0])
        choice.receive(.flowing, 0)
        choice.receive(.stale, 0)
        choice.wait(21)
        #expect(choice.open == [0, 1])
        choice.wait(21)
        #expect(choice.open == [0, 1, 2])
    }

    @Test func `two sources of one account are never open together`() {
        var choice = Choice(["me", "me", nil])
        choice.receive(.waiting(reason: "not sent now"), 0)
        #expect(choice.open == [1])
        choice.receive(.flowing, 1)
        choice.wait(299)
        #expect(choice.open == [1])
        // The preferred one is tried every five minutes.
        choice.wait(2)
        #expect(choice.open == [0])
        #expect(choice.preference.selected == nil)
        choice.receive(.flowing, 0)
        choice.wait(3600)
        #expect(choice.open == [0])
        #expect(choice.preference.selected == 0)
    }

    @Test func `sources that stay after a change keep their state`() {
        var choice = Choice(["me", nil, "me"])
        choice.receive(.waiting(reason: "refused"), 0)
        choice.receive(.flowing, 1)
        choice.preference.replace(accounts: [nil, "you"], former: [1, nil], at: choice.now)
        #expect(choice.preference.selected == 0 && choice.preference.isOpen(0))
        #expect(!choice.preference.isOpen(1))
        choice.preference.replace(accounts: ["you", nil], former: [1, 0], at: choice.now)
        #expect(choice.preference.selected == 1)
        #expect(choice.preference.isOpen(0) && choice.preference.isOpen(1))
        choice.preference.replace(accounts: [], former: [], at: choice.now)
        #expect(choice.preference.selected == nil && choice.preference.hasEnded)
    }

    @Test func `a source that has ended is not opened again`() {
        var choice = Choice([nil, nil, nil])
        choice.preference.end(0, at: choice.now)
        #expect(choice.open == [1])
        choice.wait(3600)
        #expect(choice.open == [1, 2])
        choice.preference.end(1, at: choice.now)
        choice.preference.end(2, at: choice.now)
        #expect(choice.preference.hasEnded)
    }
}

@Suite(.timeLimit(.generous))
struct CorrectionMonitorTests {
    /// Returns what is known about the corrections after each epoch. `qualities` are those of GGA, one
    /// per second; `mode` is that of RMC, which says here that the receiver is simulated. Positions with
    /// float or fixed are `jump` minutes farther north. The base is simulated if `isSimulated` is
    /// `true`; during the seconds `change`, it is another one.
    private func reports(
        _ qualities: [Int], mode: String = "S", age: String = "", sent: Bool = true,
        base: Coordinate? = nil, jump: Double = 0, isSimulated: Bool = false,
        change: Range<Int> = 0..<0
    ) -> [CorrectionReport] {
        let start = MonotonicInstant.now
        var receiver = Receiver(canWait: false, at: start)
        let origin = OriginDetector(origin: .replay, mayBeOld: false)
        var reports: [CorrectionReport] = []
        func receive(_ input: consuming Receiver.Input, _ seconds: Int) {
            var status = CorrectionStatus(.flowing)
            (status.base, status.firstSent) = (base, sent ? start : nil)
            status.isSimulated = isSimulated
            let isOther = change.contains(seconds)
            status.source = ObjectIdentifier(isOther ? BaseB.self : BaseA.self)
            receiver.corrections = status
            receiver.receive(input, at: start + .seconds(seconds), date: nil)
            while let output = receiver.next() {
                if case .update(.epoch(let epoch)) = output {
                    reports.append(epoch.fix.corrections)
                }
            }
        }
        receive(.opened(Receiver.Opening(device: "gps", origin: origin)), 0)
        for (second, quality) in qualities.enumerated() {
            let time = "12\(String(second / 60, width: 2))\(String(second % 60, width: 2)).00"
            let latitude = "48\(12 + (quality > 2 ? jump : 0))"
            let lines = [
                "GNRMC,\(time),A,\(latitude),N,01624.0,E,0.1,,210326,,,\(mode)",
                "GNGGA,\(time),\(latitude),N,01624.0,E,\(quality),20,0.5,171.0,M,43.4,M,\(age),0007",
            ]
            receive(.bytes(lines.flatMap(line)), second)
        }
        receive(.ended(nil), qualities.count)
        return reports
    }

    private enum BaseA {}
    private enum BaseB {}

    private func line(_ body: String) -> [UInt8] {
        let checksum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return Array("$\(body)*\(checksum.count < 2 ? "0" : "")\(checksum)\r\n".utf8)
    }

    @Test func `times to float and to fixed, and the share of fixed epochs, are counted`() throws {
        let reports = reports([1, 1, 5, 5, 4, 4, 5, 1], age: "1.0")
        let last = try #require(reports.last)
        #expect(reports.count == 8)
        #expect(
            reports.map(\.carrier) == [
                .unsolved, .unsolved, .float, .float, .fixed, .fixed, .float, .unsolved,
            ])
        #expect(last.timeToFloat.map { 2...3 ~= $0 } == true)
        #expect(last.timeToFixed.map { 4...5 ~= $0 } == true)
        #expect(last.fixedShare == 25)
        #expect(last.state == .flowing)
    }

    @Test func `a receiver that shows no use for a minute does not use the corrections`() {
        let single = Array(repeating: 1, count: 90)
        let unused = reports(single)
        // Another source has its own minute.
        #expect(reports(single, change: 50..<90).last?.state == .flowing)
        #expect(unused[50].state == .flowing)
        #expect(unused.last?.state == .unused)
        #expect(unused.last?.timeToFloat == nil && unused.last?.fixedShare == 0)
        #expect(reports(single, age: "2.0").last?.state == .flowing)
        #expect(reports(single, sent: false).last?.state == .flowing)
    }

    @Test func `a base more than 50 km away is reported with its distance`() throws {
        let near = try #require(
            reports([4], base: Coordinate(latitude: 48.3, longitude: 16.4)).last)
        #expect(near.baseDistance.map { 11_000...11_200 ~= $0 } == true)
        #expect(near.state == .flowing)
        let far = reports([4], base: Coordinate(latitude: 48.9, longitude: 16.4)).last
        #expect(far?.state == .farBase)
    }

    @Test func `a position that jumps when corrections are used shows another datum of the base`() {
        // A hundredth of a minute is 18.5 m; the accuracy of these fixes is about 3 m.
        let jumped = reports([1, 1, 5, 4, 1, 5], jump: 0.1).map(\.state)
        #expect(
            jumped == [.flowing, .flowing, .wrongDatum, .wrongDatum, .flowing, .wrongDatum])
        #expect(reports([1, 1, 5, 4], jump: 0.01).last?.state == .flowing)
        // The jump says nothing about another base, but is not forgotten.
        let changed = reports([1, 5, 5, 5, 5, 5], jump: 0.1, change: 3..<4).map(\.state)
        #expect(
            changed == [
                .flowing, .wrongDatum, .wrongDatum, .flowing, .wrongDatum, .wrongDatum,
            ])
        // Without a position before, nothing is known.
        #expect(reports([5, 4, 4], jump: 0.1).last?.state == .flowing)
    }

    @Test func `only a receiver that is not simulated is warned of a simulated base`() {
        let states = { (mode: String) in
            self.reports([1, 5, 4], mode: mode, isSimulated: true).map(\.state)
        }
        #expect(states("S") == [.flowing, .flowing, .flowing])
        #expect(states("A") == [.simulatedBase, .simulatedBase, .simulatedBase])
        // It is the reason why the receiver does not use the corrections.
        let far = Coordinate(latitude: 49.9, longitude: 16.4)
        let unused = reports(
            Array(repeating: 1, count: 90), mode: "A", base: far, isSimulated: true)
        #expect(unused.allSatisfy { $0.state == .simulatedBase })
    }
}
