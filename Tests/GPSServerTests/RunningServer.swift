// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport

extension ReceiverServer {
    /// Runs a server of receivers during `body`, by a clock that only the test advances. On a busy
    /// machine, seconds may pass between two steps of a test, and a receiver would count as silent.
    static func serve(
        _ receivers: [ScriptedReceiver], _ configuration: ServerConfiguration = .local,
        setUp: (ReceiverPool) -> Void = { _ in },
        _ body: (ReceiverServer, SteppedClock) async throws -> Void
    ) async throws {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let sources = receivers.map { receiver in
            var source = receiver.source
            source.poller = poller
            return source
        }
        let pool = ReceiverPool(poller: poller)
        setUp(pool)
        let server = try ReceiverServer(
            sources: sources, configuration: configuration, pool: pool,
            messages: MessageLog { _, _ in })
        try await server.whileRunning { try await body($0, clock) }
    }

    /// Listens and runs the server during `body`; the server has ended when this returns or throws.
    func whileRunning(_ body: (ReceiverServer) async throws -> Void) async throws {
        try await listen()
        let run = Task { await self.run() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(self))
        } catch {
            result = .failure(error)
        }
        run.cancel()
        await run.value
        try result.get()
    }

    /// Sends a request to the HTTP server. `header` consists of complete lines.
    func request(
        _ path: String, _ header: String = "", host: String = "localhost", method: String = "GET"
    ) throws -> TestClient {
        let client = try TestClient(port: httpPort ?? 0)
        client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(header)Connection: close\r\n\r\n")
        return client
    }

    /// Returns the lines of the response to such a request.
    func get(
        _ path: String, _ header: String = "", host: String = "localhost", method: String = "GET"
    ) async throws -> [String] {
        let client = try request(path, header, host: host, method: method)
        var lines: [String] = []
        while let line = await client.line() { lines.append(line) }
        // The answer may be incomplete.
        try Task.checkCancellation()
        return lines
    }
}

extension ServerConfiguration {
    /// Only gpsd's protocol, at a free port of this machine. HTTP clients have time for their
    /// requests: on a busy machine, seconds may pass between the connection and the request.
    static var local: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.gpsd = [.host("127.0.0.1", port: 0)]
        configuration.requestTimeout = .seconds(3600)
        return configuration
    }
}

extension Poller {
    /// Waits until the tasks that a new time of the poller's clock has resumed wait again, or ended.
    func settle() async {
        // The poller notices the new time before the second task at the latest, which runs after
        // the tasks that were resumed then.
        for _ in 0..<2 { await Task(executorPreference: self) {}.value }
    }
}
