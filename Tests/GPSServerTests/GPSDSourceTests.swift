// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Testing

@testable import GPSServer

/// A server as the source of another server.
@Suite(.timeLimit(.generous))
struct GPSDSourceTests {
    private static let watch = "?WATCH={\"json\":true};"

    @Test func `a chain of servers reports what the receiver sends, also after a restart`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        var (first, firstRun) = try await Self.start(receiver, port: 0)
        let port = try #require(first.port)
        let source = GPSDSource(host: "127.0.0.1", port: port, device: receiver.path)
        let second = try ReceiverServer(sources: [source], configuration: Self.configuration(0))
        try await second.listen()
        let secondRun = Task { await second.run() }
        let client = try TestClient(port: second.port ?? 0)
        #expect(await client.ask(Self.watch, for: "WATCH") != nil)
        var writer = Self.write(to: receiver)
        let report = await client.line(with: #""mode":3"#)
        #expect(report?.contains(#""device":"\#(source.name)""#) == true)

        writer.cancel()
        await writer.value
        firstRun.cancel()
        await firstRun.value
        #expect(await client.line(with: #""activated":0"#) != nil)
        (first, firstRun) = try await Self.start(receiver, port: port)
        writer = Self.write(to: receiver)
        #expect(await client.line(with: #""mode":3"#) != nil)
        writer.cancel()
        await writer.value
        for run in [firstRun, secondRun] {
            run.cancel()
            await run.value
        }
    }

    @Test func `only sentences are requested, and an unknown device is an error`() async throws {
        let receiver = try ScriptedReceiver()
        let (server, run) = try await Self.start(receiver, port: 0)
        let port = try #require(server.port)
        let writer = Self.write(to: receiver)
        let connection = try await Self.source(port).open()
        guard case .bytes(let bytes) = try await connection.read(until: nil) else {
            Issue.record("nothing came")
            return
        }
        #expect(bytes.first == UInt8(ascii: "$"))
        connection.close()
        let error = await #expect(throws: DeviceError.self) {
            try await Self.source(port, device: "/dev/none").open()
        }
        #expect(error?.code == .notFound)
        writer.cancel()
        await writer.value
        run.cancel()
        await run.value
    }

    @Test func `an old gpsd, which refuses unknown members of a request, is read`()
        async throws
    {
        let (client, opening) = try await Self.openSource()
        Self.send("{\"class\":\"VERSION\",\"release\":\"3.20\",\"rev\":\"3.20\"}\r\n", to: client)
        #expect(await Self.request(of: client) == Self.plainRequest)
        Self.send("{\"class\":\"WATCH\",\"enable\":true}\r\n", to: client)
        Self.send(String(decoding: ScriptedReceiver.epoch(0), as: UTF8.self), to: client)
        let connection = try await opening.value
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(0)))
        connection.close()
    }

    @Test func `a server that sends nothing before a request gets it after some seconds`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (client, opening) = try await Self.openSource(poller)
        let limit = poller.now + .seconds(2)
        await until { poller.nextDeadline == limit }
        clock.advance(by: .seconds(2))
        #expect(await Self.request(of: client) == Self.plainRequest)
        Self.send("{\"class\":\"WATCH\",\"enable\":true}\r\n", to: client)
        try await opening.value.close()
    }

    @Test(arguments: ["", " "])
    func `a server that sends reports instead of the requested sentences is an error`(
        blank: String
    ) async throws {
        let (client, opening) = try await Self.openSource()
        func send(_ name: String) {
            Self.send("{\"class\":\(blank)\"\(name)\",\"mode\":3}\r\n", to: client)
        }
        send("VERSION")
        #expect(await Self.request(of: client) == Self.plainRequest)
        send("WATCH")
        let connection = try await opening.value
        for _ in 0..<5 { send("TPV") }
        client.close()
        let error = await #expect(throws: DeviceError.self) {
            try await connection.read(until: nil)
        }
        #expect(error?.code == .gpsd)
        #expect(error?.description.contains("sends JSON like gpsd, but not the NMEA") == true)
    }

    @Test func `the sentences of a recording reach a client that connects during the replay`()
        async throws
    {
        let folder = try TemporaryFolder()
        // More than is read at a time.
        let bytes = (0..<1000).flatMap { ScriptedReceiver.epoch($0) }
        // Only the test advances the replay.
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var file = FileSource(try folder.file("trip.nmea", bytes))
        file.poller = poller
        let server = try ReceiverServer(
            sources: [file], configuration: Self.configuration(0),
            pool: ReceiverPool(poller: poller), messages: MessageLog { _, _ in })
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            #expect(await client.ask(Self.watch, for: "WATCH") != nil)
            while await client.ask("?POLL;", for: "POLL")?.contains(#""mode":3"#) == false {
                clock.advance(by: .seconds(1))
                await poller.settle()
            }
            clock.advance(by: .seconds(2))
            #expect(await client.line(with: #""mode":3"#) != nil)
            #expect(await client.ask("?WATCH={\"nmea\":true};", for: "WATCH") != nil)
            clock.advance(by: .seconds(2))
            let sentence = await client.line(with: "RMC")
            #expect(sentence?.contains("RMC,1200") == true, "\(sentence ?? "")")
        }
    }

    @Test(arguments: [true, false])
    func `the replay of a server is a replay for its clients`(startsLate: Bool) async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<3000).flatMap { ScriptedReceiver.epoch($0) }
        // The replay takes longer than the time limit of tests.
        let file = FileSource(try folder.file("trip.nmea", bytes), speed: 4)
        let server = try ReceiverServer(
            sources: startsLate ? [] : [file], configuration: Self.configuration(0))
        try await server.whileRunning { server in
            let port = try #require(server.port)
            let session = ReceiverPool().session(for: GPSDSource(host: "127.0.0.1", port: port))
            let (opened, origins) = (Witness<String>(), Witness<DataOrigin>())
            let subscription = session.join { update in
                if let device = update.openedDevice { opened.note(device) }
                if case .epoch(let epoch) = update { origins.note(epoch.origin) }
            }
            if startsLate {
                _ = await opened.first(1)
                try await server.setSources([file])
            }
            #expect(await origins.first(3) == [.replay, .replay, .replay])
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func `a replay that begins while a chain of servers is connected is a replay`()
        async throws
    {
        let folder = try TemporaryFolder()
        let bytes = (0..<3000).flatMap { ScriptedReceiver.epoch($0) }
        let file = FileSource(try folder.file("trip.nmea", bytes), speed: 4)
        let first = try ReceiverServer(sources: [], configuration: Self.configuration(0))
        try await first.whileRunning { first in
            let source = GPSDSource(host: "127.0.0.1", port: try #require(first.port))
            let second = try ReceiverServer(
                sources: [source], configuration: Self.configuration(0))
            try await second.whileRunning { second in
                let port = try #require(second.port)
                let client = try TestClient(port: port)
                // The second server has opened its source, and so has the session.
                while await client.ask("?DEVICES;", for: "DEVICES")?.contains("activated") == false
                {}
                let session = ReceiverPool().session(for: GPSDSource(host: "127.0.0.1", port: port))
                let (opened, origins) = (Witness<String>(), Witness<DataOrigin>())
                let subscription = session.join { update in
                    if let device = update.openedDevice { opened.note(device) }
                    if case .epoch(let epoch) = update { origins.note(epoch.origin) }
                }
                _ = await opened.first(1)
                try await first.setSources([file])
                #expect(await origins.first(3) == [.replay, .replay, .replay])
                withExtendedLifetime(subscription) {}
            }
        }
    }

    @Test func `gpsd's own estimates are not the expected errors of a receiver`() {
        let estimate = "$GPGBS,145322.00,333.584,729.640,66.274,,,,*77\r\n"
        let others =
            "$GPGSA,A,2,66,68,,,,,,,,,,,6.4,1.8,1.0*32\r\n$GPGBS,182141.00,15.5,15.5,31.6,,,,*5E\r\n"
            + "$GNGBS,101520.00,1.412,1.202,2.905,,,,,,*55\r\n"
        for (revision, expected) in [
            ("3.22", others), ("gpsbridge 1", estimate + others + estimate),
        ] {
            let version = #"{"class":"VERSION","release":"3.22","rev":"\#(revision)"}"# + "\r\n"
            let bytes = Array((version + estimate + others + estimate).utf8)
            for piece in [1, 7, 1000] {
                var filter = ObjectFilter()
                let rest = stride(from: 0, to: bytes.count, by: piece).flatMap {
                    filter.remove(from: Array(bytes[$0...].prefix(piece)))
                }
                #expect(String(decoding: rest, as: UTF8.self) == expected, "\(piece)")
            }
        }
    }

    @Test func `a server's devices are a replay while all open ones are, or the requested one is`()
    {
        let replay =
            #"{"class":"DEVICE","path":"a","subtype":"replay","activated":"2026-01-01T00:00:00Z"}"#
        let live =
            #"{"class":"DEVICE","path":"b","driver":"NMEA0183","activated":"2026-01-01T00:00:00Z"}"#
        let gone = #"{"class":"DEVICE","path":"b","activated":0}"#
        func filtered(_ lines: [String], _ device: String? = nil) -> ObjectFilter {
            var filter = ObjectFilter(device: device)
            for line in lines { _ = filter.remove(from: Array("\(line)\r\n".utf8)) }
            return filter
        }
        func isReplay(_ lines: [String], _ device: String? = nil) -> Bool {
            filtered(lines, device).isReplay
        }
        func list(_ devices: String...) -> String {
            #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
        }
        #expect(!isReplay([list()]))
        #expect(isReplay([list(replay)]))
        #expect(!isReplay([list(replay, live)]))
        #expect(isReplay([list(live, replay)], "a"))
        #expect(isReplay([list(live, replay)], "/a"))
        #expect(isReplay([list(), replay]))
        #expect(!isReplay([list(replay), live]))
        #expect(isReplay([list(replay, live), gone]))
        #expect(!isReplay([list(live), list(), live, gone]))
        #expect(filtered([list(replay), list(live)]).hasNoReplay)
        #expect(!filtered([list(replay, live)]).hasNoReplay)
        #expect(!filtered([list(live), gone]).hasNoReplay)
        // Some servers write blanks.
        func spaced(_ line: String) -> String {
            line.replacing(":\"", with: ": \"").replacing(",\"", with: ", \"")
        }
        #expect(isReplay([spaced(list(replay))]))
        #expect(isReplay([spaced(list(replay, live)), spaced(gone)]))
        #expect(!isReplay([list(replay), spaced(live)]))
    }

    @Test func `the names of devices may contain blanks and quotes`() {
        let replay =
            #"{"class": "DEVICE", "path": "a \" b\\", "subtype": "replay", "#
            + #""activated": "2026-01-01T00:00:00Z"}"#
        var filter = ObjectFilter(device: "a \" b\\")
        _ = filter.remove(from: Array(#"{"class": "DEVICES", "devices": [\#(replay)]}\#r\#n"#.utf8))
        #expect(filter.isReplay)
    }

    @Test func `of two servers, only one reads the other`() async throws {
        let lines = Witness<String>()
        let first = try ReceiverServer(sources: [], configuration: Self.configuration(0)) {
            lines.note($0)
        }
        try await first.whileRunning { first in
            let source = GPSDSource(host: "127.0.0.1", port: try #require(first.port))
            let second = try ReceiverServer(
                sources: [source], configuration: Self.configuration(0))
            try await second.whileRunning { second in
                while first.hub.chain.names.count < 2, !Task.isCancelled { await Task.yield() }
                let other = GPSDSource(host: "127.0.0.1", port: try #require(second.port))
                try await first.setSources([other])
                await lines.wait { $0.contains("would get its own data back") }
            }
        }
    }

    @Test func `a server that would read itself is an error`() async throws {
        let receiver = try ScriptedReceiver()
        let (server, run) = try await Self.start(receiver, port: 0)
        let port = try #require(server.port)
        run.cancel()
        await run.value
        let source = GPSDSource(host: "localhost", port: port)
        let loop = try ReceiverServer(sources: [source], configuration: Self.configuration(port))
        await #expect(throws: ServerError.self) { try await loop.listen() }
    }

    @Test func `a server that would read itself by any of the machine's addresses is an error`()
        async throws
    {
        var configuration = Self.configuration(0)
        configuration.gpsd = [.any(port: 0)]
        let server = try ReceiverServer(sources: [], configuration: configuration)
        try await server.whileRunning { server in
            let port = try #require(server.port)
            let hosts = SocketAddress.ownHosts.union(["0.0.0.0", "::", "LOCALHOST", "127.0.0.2"])
            #expect(hosts.contains("127.0.0.1"))
            for host in hosts {
                await #expect(throws: ServerError.self, "\(host)") {
                    try await server.setSources([GPSDSource(host: host, port: port)])
                }
            }
        }
    }

    /// An address of this machine that is not a loopback address.
    private static let outerHost = SocketAddress.ownHosts.sorted().first {
        !$0.contains(":") && !$0.hasPrefix("127.")
    }

    @Test(.enabled(if: outerHost != nil, "this machine has only loopback addresses"))
    func `another server on loopback can be read if the own one is bound to another address`()
        async throws
    {
        let host = try #require(Self.outerHost)
        var configuration = Self.configuration(0)
        configuration.gpsd = [.host(host, port: 0)]
        let server = try ReceiverServer(sources: [], configuration: configuration)
        try await server.whileRunning { server in
            let port = try #require(server.port)
            for source in ["localhost", "127.0.0.1", "::1"] {
                try await server.setSources([GPSDSource(host: source, port: port)])
            }
        }
    }

    private static func configuration(_ port: UInt16) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.gpsd = [.host("127.0.0.1", port: port)]
        return configuration
    }

    private static func start(
        _ receiver: ScriptedReceiver, port: UInt16
    ) async throws -> (ReceiverServer, Task<Void, Never>) {
        let source = SerialSource(receiver.path, baudRate: .default)
        let server = try ReceiverServer(sources: [source], configuration: configuration(port))
        try await server.listen()
        let run = Task { await server.run() }
        await receiver.waitForReader()
        // The device is known from here on.
        let client = try TestClient(port: server.port ?? 0)
        #expect(await client.ask(watch, for: "WATCH") != nil)
        while await client.ask("?DEVICES;", for: "DEVICES")?.contains("activated") == false {}
        return (server, run)
    }

    /// Sends epochs from the receiver until cancelled.
    private static func write(to receiver: ScriptedReceiver) -> Task<Void, Never> {
        Task {
            var second = 0
            while !Task.isCancelled {
                await receiver.sendEpoch(second)
                second += 1
                await Task.yield()
            }
        }
    }
}

/// A test as the server of a source.
extension GPSDSourceTests {
    static let plainRequest = "?WATCH={\"enable\":true,\"nmea\":true};\n"

    /// A source that reads a server of this machine. It waits for each answer without a limit,
    /// because on a busy machine seconds may pass before a test sends it.
    static func source(
        _ port: UInt16, device: String? = nil, _ poller: Poller? = nil
    ) -> GPSDSource {
        var source = GPSDSource(host: "127.0.0.1", port: port, device: device)
        source.poller = poller ?? .standing
        return source
    }

    /// Opens a source at a server of the test. Returns the server's end of the connection, and the
    /// result of opening.
    static func openSource(
        _ poller: Poller? = nil
    ) async throws -> (client: Descriptor, opening: Task<any DeviceConnection, any Error>) {
        let sockets = try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0))
        let socket = try #require(sockets.first)
        defer { socket.close() }
        let source = source(try #require(socket.address?.port), poller)
        let opening = Task { try await source.open() }
        return (try #require(try await socket.accept()), opening)
    }

    static func send(_ text: String, to client: Descriptor) {
        let bytes = Array(text.utf8)
        #expect(client.use { Glibc.write($0, bytes, bytes.count) } == bytes.count)
    }

    /// Returns the first line that a client sends.
    static func request(of client: Descriptor) async -> String {
        var request: [UInt8] = []
        while request.last != UInt8(ascii: "\n"), await client.readable() == .ready {
            request +=
                client.use { descriptor in
                    var bytes = [UInt8](repeating: 0, count: 1024)
                    let count = Glibc.read(descriptor, &bytes, bytes.count)
                    return Array(bytes.prefix(max(count, 0)))
                } ?? []
        }
        return String(decoding: request, as: UTF8.self)
    }
}
