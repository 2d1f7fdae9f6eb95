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
}

extension ServerConfiguration {
    /// Only gpsd's protocol, at a free port of this machine.
    static var local: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.gpsd = [.host("127.0.0.1", port: 0)]
        return configuration
    }
}
