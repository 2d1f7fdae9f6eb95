// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import SimulatedDevices
import Synchronization
import Testing

/// Metrics and health over HTTP.
@Suite(.timeLimit(.generous))
struct HTTPTests {
    @Test func `metrics and health show the state of the receivers`() async throws {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], Self.configuration) { server, _ in
            #expect(try await Self.get("/health", server)[0].contains("503"))
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            // The values of a fix are stored after its report was sent, and before the next report.
            for _ in 0..<2 { #expect(await client.line(with: "TPV") != nil) }
            #expect(try await Self.get("/health", server)[0].contains("200"))
            let page = try await Self.get("/metrics", server)
            let device = "device=\"\(receiver.path)\""
            #expect(page.contains("gpsbridge_device_up{\(device)} 1"))
            #expect(page.contains("gpsbridge_fix_mode{\(device)} 3"))
            #expect(page.contains("gpsbridge_altitude_meters{\(device),datum=\"msl\"} 171"))
            #expect(page.contains("gpsbridge_clients{protocol=\"all\"} 1"))
            #expect(page.contains("# TYPE gpsbridge_fixes_total counter"))
            #expect(!page.contains { $0.contains("latitude") }, "where one is is private")
            let open = try await Self.get(
                "/metrics", server, header: "Accept: application/openmetrics-text\r\n")
            #expect(open.contains("# TYPE gpsbridge_fixes counter"))
            #expect(open.contains("# EOF"))
        }
    }

    @Test func `metrics have the kind of a source that was never opened`() async throws {
        try await Self.serve([TCPSource(host: "no-such-host.invalid", port: 1)]) { server in
            let page = try await Self.get("/metrics", server)
            let info = page.first { $0.hasPrefix("gpsbridge_device_info{") }
            #expect(info?.contains(#"source="tcp""#) == true, "\(page)")
        }
    }

    @Test func `metrics have the time to first fix with stored data`() async throws {
        let folder = try TemporaryFolder()
        var used: String?
        var messages: [String] = []
        // On a busy machine the receiver may answer too late, when its data is stored or given back.
        for _ in 0..<5 where used?.hasSuffix(" 0") ?? true {
            try await Self.serveChip(.instant, folder, &messages) { metrics in
                #expect(metrics("warm_start_messages") == nil)
            }
            try await Self.serveChip(.cold, folder, &messages) { metrics in
                #expect(metrics("time_to_first_fix_seconds") != nil)
                used = metrics("warm_start_messages")
            }
        }
        #expect(used.map { !$0.hasSuffix(" 0") } == true, "\(messages)")
    }

    /// Serves a simulated chip with a warm start, and reads the metrics after the first fix and the end of
    /// the warm start.
    private static func serveChip(
        _ acquisition: Acquisition, _ folder: TemporaryFolder, _ messages: inout [String],
        _ body: (_ metrics: (_ name: String) -> String?) -> Void
    ) async throws {
        var simulated = SimulatedReceiver.Configuration()
        simulated.personality = .ublox10
        simulated.baudRate = BaudRate(rawValue: 115_200)
        simulated.acquisition = acquisition
        let links = try TemporaryFolder()
        let terminal = try SimulatedTerminal(simulated, link: links.path("gps"))
        let simulation = Simulation(simulated, outputs: [terminal])
        // On the polling thread, because the others may be busy with other tests.
        let run = Task(executorPreference: Poller.shared) { try await simulation.run() }
        defer { run.cancel() }
        var configuration = configuration
        configuration.hasWarmStart = true
        configuration.journals = JournalFolder(path: folder.path("state"))
        configuration.synchronizedTime = {
            SystemClock.now.map { SynchronizedTime($0, maximumError: 0.01) }
        }
        let log = Witness<String>()
        let source = SerialSource(links.path("gps"), baudRate: simulated.baudRate)
        let server = try ReceiverServer(
            sources: [source], configuration: configuration, log: { log.note($0) })
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            client.send("?WATCH={\"json\":true}")
            // The time to first fix is stored between the first two reports.
            for _ in 0..<2 { #expect(await client.line(with: #""mode":3"#) != nil) }
            if acquisition == .cold {
                await log.wait {
                    // The message about the first fix also contains "the receiver".
                    $0.contains("the receiver used ") || $0.contains("the receiver got ")
                        || $0.contains("warm start was not sent")
                }
            }
            let lines = try await get("/metrics", server)
            body { name in lines.first { $0.hasPrefix("gpsbridge_\(name){") } }
        }
        messages += log.all
    }

    @Test func `metrics have the integrity and its reasons`() async throws {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], Self.configuration) { server, clock in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            // As above, the values of the first fix are stored before the second report.
            for _ in 0..<2 {
                #expect(await client.line(with: #""integrity":"unknown""#) != nil)
            }
            let device = "device=\"\(receiver.path)\""
            let quiet = try await Self.get("/metrics", server)
            #expect(quiet.contains("gpsbridge_integrity_state{\(device)} 0"))
            #expect(!quiet.contains { $0.contains("integrity_reason") })
            // A kilometre to the north within a second: a step or a gap, because the epochs arrive
            // faster than their times pass.
            for second in 3..<10 { await receiver.sendEpoch(second) }
            var second = 10
            var page: [String]
            repeat {
                clock.advance(by: .milliseconds(10))
                await receiver.sendEpoch(second, latitude: 48.21)
                second += 1
                page = try await Self.get("/metrics", server)
            } while !page.contains { $0.hasPrefix("gpsbridge_integrity_reason{\(device),test=\"") }
            let states = [2, 3].map { "gpsbridge_integrity_state{\(device)} \($0)" }
            #expect(page.contains(where: states.contains))
        }
    }

    @Test func `metrics have the reports that a connected client has lost`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([receiver.source]) { server in
            let stalled = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await stalled.ask("?WATCH={\"raw\":2}", for: "WATCH") != nil)
            let epochs = (0..<600).flatMap { ScriptedReceiver.epoch($0) }
            let text = String(decoding: epochs, as: UTF8.self)
            var lost: String?
            repeat {
                await receiver.send(text)
                lost = try await Self.get("/metrics", server).first {
                    $0.hasPrefix("gpsbridge_reports_dropped_total ")
                }
            } while lost?.hasSuffix(" 0") == true
            #expect(lost != nil)
            stalled.close()
        }
    }

    @Test func `a foreign host, another method or an unknown path is rejected`() async throws {
        try await Self.serve([]) { server in
            let foreign = try await Self.get("/metrics", server, host: "evil.example")
            #expect(foreign[0].contains("421"))
            #expect(foreign.last?.contains("evil.example") == true)
            for host in ["localhost:1@evil.example", "localhost:80x", "localhost:123456", "[::1"] {
                #expect(try await Self.get("/metrics", server, host: host)[0].contains("421"))
            }
            for host in ["localhost:80", "LOCALHOST:", "[::1]:8080"] {
                #expect(try await Self.get("/metrics", server, host: host)[0].contains("200"))
            }
            #expect(try await Self.get("/nothing", server)[0].contains("404"))
            #expect(try await Self.get("/metrics", server, method: "POST")[0].contains("405"))
        }
    }

    @Test func `HTTP/1.0 needs no Host header, but a foreign one is rejected`() async throws {
        try await Self.serve([]) { server in
            for (header, status) in [("", "200"), ("Host: evil.example\r\n", "421")] {
                let client = try TestClient(port: server.httpPort ?? 0)
                client.send("GET /metrics HTTP/1.0\r\n\(header)\r\n")
                #expect(await client.line()?.contains(status) == true)
            }
        }
    }

    @Test(
        arguments: [
            ("POST", "Content-Length: 5\r\n", "hello", "405"),
            ("POST", "Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n", "405"),
            ("GET", "Content-Length: 5\r\n", "hello", "413"),
            ("GET", "Content-Length: 99999999999\r\n", "", "413"),
            ("GET", "Transfer-Encoding: chunked\r\n", "", "413"),
            ("GET", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "", "400"),
            ("GET", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", "", "400"),
            ("GET", "Content-Length: 0\r\nContent-Length: 5\r\n", "hello", "400"),
            ("GET", "Content-Length: 0\r\nContent-Length: 0\r\n", "", "400"),
            ("GET", "Host: localhost\r\n", "", "400"),
            ("GET", "Origin: http://localhost\r\nOrigin: http://evil.example\r\n", "", "400"),
            ("GET", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", "", "400"),
        ])
    func `a request with a body or a repeated header is rejected`(
        method: String, header: String, body: String, status: String
    ) async throws {
        try await Self.serve([]) { server in
            let client = try TestClient(port: server.httpPort ?? 0)
            client.send("\(method) /health HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\(body)")
            #expect(await client.line()?.hasPrefix("HTTP/1.1 \(status)") == true)
        }
    }

    @Test func `a request that arrives letter by letter is disconnected`() async throws {
        try await Self.serve([], requestTimeout: .seconds(1)) { server in
            let slow = try TestClient(port: server.httpPort ?? 0)
            slow.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            let isOver = Mutex(false)
            async let reply = {
                let line = await slow.line()
                isOver.withLock { $0 = true }
                return line
            }()
            while !isOver.withLock({ $0 }) {
                // Letters arrive as fast as the server answers other requests.
                for _ in 0..<4 { _ = try await Self.get("/health", server) }
                slow.send("x")
            }
            #expect(await reply == nil)
        }
    }

    @Test func `a client beyond the limit is served once another has disconnected`() async throws {
        // The idle connection of the last client is not closed by the timeout.
        try await Self.serve([], requestTimeout: .seconds(3600), clientLimit: 1) { server in
            let request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
            var client = try TestClient(port: server.httpPort ?? 0)
            for _ in 0..<20 {
                #expect(await client.ask(request, for: "HTTP/1.1 503") != nil)
                let next = try TestClient(port: server.httpPort ?? 0)
                next.send(request)
                client.close()
                #expect(await next.line(with: "HTTP/1.1 503") != nil)
                client = next
            }
        }
    }

    @Test func `without connections, only an event wakes the server`() async throws {
        let socket = try #require(
            try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0)).first)
        defer { socket.close() }
        let server = try HTTPServer(socket, connectionLimit: 1, requestTimeout: .seconds(1))
        #expect(server.wait == nil)
    }

    @Test func `a client that cannot be accepted does not keep the server busy`() async throws {
        let poller = Poller(clock: SteppedClock())
        defer { poller.stop() }
        // It is readable and does not listen, so no client can be accepted.
        let (client, connected) = try TestClient.pair()
        let socket = ListeningSocket(inherited: connected, poller: poller)
        defer { socket.close() }
        let server = try HTTPServer(socket, connectionLimit: 1, requestTimeout: .seconds(1))
        client.send("x")
        let events = server.events
        let step = Task { await server.runOnce(after: events) }
        await until { poller.nextDeadline != nil }
        step.cancel()
        #expect(await step.value)
        events.close()
        client.close()
    }

    @Test func `a socket on which libmicrohttpd does not start is an error`() async throws {
        let file = open("/dev/null", O_RDWR | O_CLOEXEC)
        let socket = ListeningSocket(inherited: file, poller: .clients)
        defer { socket.close() }
        let error = #expect(throws: ServerError.self) {
            try HTTPServer(socket, connectionLimit: 1, requestTimeout: .seconds(1))
        }
        #expect(error?.description.hasPrefix("cannot serve pages: ") == true)
        let closed = try #require(
            try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0)).first)
        closed.close()
        #expect(throws: ServerError.self) {
            try HTTPServer(closed, connectionLimit: 1, requestTimeout: .seconds(1))
        }
    }

    /// Returns the lines of the response.
    private static func get(
        _ path: String, _ server: ReceiverServer, method: String = "GET",
        host: String = "localhost:99", header: String = ""
    ) async throws -> [String] {
        try await server.get(
            path, header + "Content-Length: 0\r\n", host: host, method: method)
    }

    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        return configuration
    }

    private static func serve(
        _ sources: [any DeviceSource], requestTimeout: Duration = .seconds(3600),
        clientLimit: Int = 100, _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        var configuration = configuration
        configuration.requestTimeout = requestTimeout
        configuration.maximumClientCount = clientLimit
        let server = try ReceiverServer(sources: sources, configuration: configuration)
        try await server.whileRunning(body)
    }
}

/// Event streams over HTTP, and clients that disconnect or are connected when the server ends.
@Suite(.timeLimit(.generous))
struct HTTPStreamTests {
    @Test func `a server can end while streams are being opened`() async throws {
        let receiver = try ScriptedReceiver()
        let server = try Self.server(receiver, clientLimit: 100)
        try await server.listen()
        let run = Task { await server.run() }
        // Each sends a request immediately: libmicrohttpd closes a connection without one after ten seconds.
        var clients: [TestClient] = []
        for _ in 0..<12 {
            let client = try TestClient(port: server.httpPort ?? 0)
            #expect(await client.ask(Self.request("/health"), for: "receivers") != nil)
            clients.append(client)
        }
        // On the thread of the clients, so that the server gets the requests and its end at the same time.
        await Task(executorPreference: Poller.clients) { [clients] in
            for (index, client) in clients.enumerated() {
                client.send(Self.request(["/events", "/sentences", "/api/sheet.svg"][index % 3]))
            }
            run.cancel()
        }.value
        await run.value
        // Each is answered or disconnected, depending on what the server sees first.
        for client in clients { _ = await client.line(with: "503") }
    }

    @Test(arguments: ["/sentences", "/events"])
    func `clients that disconnect from a silent stream make room for others`(path: String)
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver, clientLimit: 4) { server in
            for _ in 0..<20 {
                let client = try TestClient(port: server.httpPort ?? 0)
                #expect(await client.ask(Self.request(path), for: "retry:") != nil)
                client.close()
            }
            let client = try TestClient(port: server.httpPort ?? 0)
            #expect(await client.ask(Self.request("/health"), for: "HTTP/1.1 503") != nil)
        }
    }

    @Test(arguments: [true, false])
    func `a client that disconnects within a request makes room for others`(closes: Bool)
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver, clientLimit: 4) { server in
            for _ in 0..<4 {
                // On the polling thread, so that the end arrives with the bytes.
                let client = try await Task(executorPreference: Poller.shared) {
                    let client = try TestClient(port: server.httpPort ?? 0)
                    client.send("GET /events HT")
                    if closes { client.close() } else { client.endSending() }
                    return client
                }.value
                if !closes { while await client.line() != nil {} }
            }
            let client = try TestClient(port: server.httpPort ?? 0)
            #expect(await client.ask(Self.request("/health"), for: "HTTP/1.1 503") != nil)
        }
    }

    @Test func `a client that ends its side of a stream is disconnected`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver, clientLimit: 4) { server in
            let client = try TestClient(port: server.httpPort ?? 0)
            #expect(await client.ask(Self.request("/sentences"), for: "retry:") != nil)
            client.endSending()
            while await client.line() != nil {}
        }
    }

    @Test func `the sentences of a receiver end when it is removed`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver, clientLimit: 4) { server in
            let client = try TestClient(port: server.httpPort ?? 0)
            #expect(await client.ask(Self.request("/sentences"), for: "retry:") != nil)
            try await server.setSources([])
            // The last chunk of the response is empty.
            #expect(await client.line(with: "0") == "0")
        }
    }

    @Test
    func `tracks and sheets beyond the memory limit are rejected until one has ended`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        try await Self.serve(receiver, clientLimit: 100) { server in
            // On the thread of the clients, so that none of them ends before all are sent.
            let clients = try await Task(executorPreference: Poller.clients) {
                let clients = try (0..<20).map { _ in try TestClient(port: server.httpPort ?? 0) }
                for client in clients { client.send(Self.request("/api/sheet.svg")) }
                return clients
            }.value
            var statuses: [String: Int] = [:]
            for client in clients {
                statuses[await client.line() ?? "", default: 0] += 1
            }
            #expect(
                statuses.keys.sorted() == ["HTTP/1.1 200 OK", "HTTP/1.1 503 Service Unavailable"])
            let later = try TestClient(port: server.httpPort ?? 0)
            while await later.ask(Self.request("/api/sheet.svg"), for: "HTTP/1.1")
                != "HTTP/1.1 200 OK"
            {
                await Task.yield()
            }
        }
    }

    private static func request(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    }

    private static func serve(
        _ receiver: ScriptedReceiver, clientLimit: Int,
        _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        try await server(receiver, clientLimit: clientLimit).whileRunning(body)
    }

    private static func server(
        _ receiver: ScriptedReceiver, clientLimit: Int
    ) throws -> ReceiverServer {
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        configuration.maximumClientCount = clientLimit
        return try ReceiverServer(
            sources: [SerialSource(receiver.path, baudRate: .default)],
            configuration: configuration)
    }
}

/// Access to a page that requires a token.
@Suite(.timeLimit(.generous))
struct TokenTests {
    private static let token = "0123456789abcdef"
    private static let bearer = "Authorization: Bearer \(token)\r\n"
    private static let cookie = "Cookie: gpsbridge-token=\(token)\r\n"

    @Test func `only clients with the token can read positions`() async throws {
        try await Self.serve { server, _ in
            for path in ["/", "/state", "/events", "/api/fixes", "/app.js", "/state?token=wrong"] {
                #expect(try await server.get(path)[0].contains("401"), "\(path)")
            }
            #expect(try await server.get("/health")[0].contains("503"))
            #expect(try await server.get("/state", Self.bearer)[0].contains("200"))
            let path = "/state?token=\(Self.token)"
            #expect(try await server.get(path)[0].contains("200"))
            // A browser continues with a cookie, so that the token is removed from the address.
            let first = try await server.get("/?token=\(Self.token)")
            #expect(first[0].contains("303"))
            let set = try #require(first.first { $0.hasPrefix("Set-Cookie: ") })
            #expect(set.contains("HttpOnly") && set.contains("SameSite=Lax"))
            let cookie = set.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }
            let page = try await server.get("/", "Cookie: a=b; \(cookie)\r\n")
            #expect(page[0].contains("200"))
        }
    }

    /// Arguments and headers, and whether they are sufficient.
    @Test(arguments: [
        ("", "Authorization: bearer \(token)\r\n", true),
        ("", "Authorization: BEARER  \(token)\r\n", true),
        ("", "Authorization: Bearer\r\n", false), ("", "Authorization: Basic \(token)\r\n", false),
        ("", "Authorization: \(token)\r\n", false), ("?token=", "", false),
        ("?token=wrong", cookie, true), ("?token=wrong", bearer, true),
        ("?token=\(token)", "Authorization: Bearer wrong\r\n", true),
        ("", cookie + "Authorization: Basic dTpw\r\n", true),
        ("", "Cookie: gpsbridge-token=wrong; gpsbridge-token=\(token)\r\n", true),
        ("?token=wrong", "Cookie: gpsbridge-token=wrong\r\n", false),
        ("", "Cookie: gpsbridge-token=\(token)x\r\n", false),
    ])
    func `one valid token among several is enough`(
        argument: String, header: String, isEnough: Bool
    ) async throws {
        try await Self.serve { server, _ in
            let answer = try await server.get("/state\(argument)", header)
            #expect(answer[0].contains(isEnough ? "200" : "401"))
        }
    }

    @Test func `a client with a wrong token is logged, one without a token is not`() async throws {
        try await Self.serve { server, log in
            #expect(try await server.get("/state")[0].contains("401"))
            #expect(!log.all.contains { $0.contains("token") })
            // After a minute, the address would be logged again, but the clock stands still.
            let clients = try (0..<3).map { _ in try server.request("/state?token=wrong") }
            for client in clients { #expect(await client.line()?.contains("401") == true) }
            #expect(log.all.filter { $0.contains("token") } == ["wrong token from 127.0.0.1"])
            let page = try await server.get("/metrics?token=\(Self.token)")
            #expect(page.contains("gpsbridge_tokens_rejected_total 3"))
        }
    }

    @Test func `each address is logged once a minute with the number of its attempts`() {
        let log = Witness<String>()
        let now = Mutex(MonotonicInstant.now)
        let tokens = WrongTokens(now: { now.withLock { $0 } }) { log.note($0) }
        for _ in 0..<100 { tokens.note("a") }
        tokens.note("b")
        now.withLock { $0 = $0 + .seconds(60) }
        tokens.note("b")
        tokens.note("a")
        tokens.note("a")
        #expect(
            log.all == [
                "wrong token from a", "wrong token from b", "wrong token from b",
                "wrong token from a, 100 times",
            ])
        #expect(tokens.count == 104)
    }

    @Test func `many addresses are logged together`() {
        let log = Witness<String>()
        let now = Mutex(MonotonicInstant.now)
        let tokens = WrongTokens(now: { now.withLock { $0 } }) { log.note($0) }
        for address in 0..<10_000 { tokens.note("\(address)") }
        #expect(log.all.count == 65)
        #expect(log.all.last == "wrong token from other addresses")
        now.withLock { $0 = $0 + .seconds(61) }
        tokens.note("another")
        #expect(log.all.last == "wrong token from another")
    }

    @Test func `metrics without the token do not reveal the receiver's motion`() async throws {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], Self.configuration) { server, _ in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            // The values of a fix are stored after its report was sent, and before the next report.
            for _ in 0..<2 { #expect(await client.line(with: "TPV") != nil) }
            let names = ["gpsbridge_altitude_meters", "gpsbridge_speed_meters_per_second"]
            let open = try await server.get("/metrics")
            let complete = try await server.get("/metrics", Self.bearer)
            for name in names {
                #expect(!open.contains { $0.contains(name) }, "\(name)")
                #expect(complete.contains { $0.hasPrefix(name) }, "\(name)")
            }
            #expect(open[0].contains("200"))
            #expect(open.contains { $0.hasPrefix("gpsbridge_fix_mode") })
            #expect(!open.contains { $0.contains("course_degrees") })
        }
    }

    @Test func `a token is long enough and needs no escaping in a URL`() {
        #expect(PageConfiguration.isToken("aZ09-._~aZ09"))
        #expect(!PageConfiguration.isToken("short"))
        #expect(!PageConfiguration.isToken("with a blank inside"))
        #expect(!PageConfiguration.isToken("ümlautümlaut"))
    }

    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        configuration.page.token = token
        return configuration
    }

    private static func serve(
        _ body: (ReceiverServer, Witness<String>) async throws -> Void
    ) async throws {
        let log = Witness<String>()
        let server = try ReceiverServer(
            sources: [], configuration: configuration, pool: ReceiverPool(poller: .standing),
            messages: MessageLog { text, _ in log.note(text) })
        try await server.whileRunning { try await body($0, log) }
    }
}
