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
