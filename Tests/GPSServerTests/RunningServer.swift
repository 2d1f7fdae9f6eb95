// SPDX-License-Identifier: MIT
import GPSServer

extension ReceiverServer {
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
    /// Only gpsd's protocol, at a free port of this machine.
    static var local: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.gpsd = [.host("127.0.0.1", port: 0)]
        return configuration
    }
}
