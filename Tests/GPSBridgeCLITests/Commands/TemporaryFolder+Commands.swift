// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

extension TemporaryFolder {
    /// Starts `gpsbridge` with a state folder in this folder.
    func run(_ words: [String]) async throws -> CommandRun {
        try await CommandRun(variables: ["XDG_STATE_HOME=\(self.path("state"))"], words: words)
    }

    /// Returns the lines that `configure --show` prints. `configure` waits a few seconds for each
    /// answer.
    func settings(of tty: String) async throws -> [String] {
        var lines: [String] = []
        let isShown = try await repeated(ifPausedFor: .seconds(3)) {
            let run = try await run(["configure", tty, "--show"])
            lines = try await run.lines()
            return await run.status() == 0
        }
        #expect(isShown, "\(lines)")
        return lines
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
