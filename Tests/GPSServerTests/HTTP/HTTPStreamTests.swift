// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Testing

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
