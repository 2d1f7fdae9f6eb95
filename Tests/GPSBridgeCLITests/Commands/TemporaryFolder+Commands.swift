// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

extension TemporaryFolder {
    /// Starts `gpsbridge` with a state folder in this folder.
    func run(_ words: [String]) async throws -> CommandRun {
        try await CommandRun(variables: ["XDG_STATE_HOME=\(self.path("state"))"], words: words)
    }

    /// Simulates a receiver while `body` runs.
    func simulate(
        _ personality: String, _ words: [String] = [], _ body: (_ tty: String) async throws -> Void
    ) async throws {
        let link = self.path("gps")
        let run = try await CommandRun(
            words: ["simulate", "--link", link, "--personality", personality] + words)
        _ = try await run.line()
        try await body(link)
        await run.end()
    }
}
