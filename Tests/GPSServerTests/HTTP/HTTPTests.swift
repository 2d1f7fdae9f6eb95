// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Synchronization
import Testing

/// Metrics and health over HTTP.
@Suite(.timeLimit(.generous))
struct HTTPTests {
    @Test func `metrics and health show the state of the receivers`() async throws {
        let receiver = try ScriptedReceiver()
        try await Self.serve([SerialSource(receiver.path, baudRate: .default)]) { server in
            #expect(try await Self.get("/health", server)[0].contains("503"))
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "TPV") != nil)
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

    @Test func `a foreign host, another method or an unknown path is rejected`() async throws {
        try await Self.serve([]) { server in
            let foreign = try await Self.get("/metrics", server, host: "evil.example")
            #expect(foreign[0].contains("421"))
            #expect(foreign.last?.contains("evil.example") == true)
            #expect(try await Self.get("/nothing", server)[0].contains("404"))
            #expect(try await Self.get("/metrics", server, method: "POST")[0].contains("405"))
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
        ])
    func `a request with a body is rejected`(
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
        try await Self.serve([], clientLimit: 1) { server in
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
        let client = try TestClient(port: server.httpPort ?? 0)
        client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(header)Content-Length: 0\r\n"
                + "Connection: close\r\n\r\n")
        var lines: [String] = []
        while let line = await client.line() { lines.append(line) }
        return lines
    }

    private static func serve(
        _ sources: [any DeviceSource], requestTimeout: Duration = .seconds(10),
        clientLimit: Int = 100, _ body: (ReceiverServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.gpsd = [.host("127.0.0.1", port: 0)]
        configuration.http = [.loopback(port: 0)]
        configuration.requestTimeout = requestTimeout
        configuration.maximumClientCount = clientLimit
        let server = try ReceiverServer(sources: sources, configuration: configuration)
        try await server.whileRunning(body)
    }
}
