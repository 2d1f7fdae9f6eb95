// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// A real terminal of a size, with a shell in it: tmux, on a socket of its own.
final class TmuxTerminal: Sendable {
    static let isThere = access("/usr/bin/tmux", X_OK) == 0

    private let folder: TemporaryFolder
    private var socket: String { folder.path("tmux") }

    init(width: Int, height: Int, _ settings: String = "") async throws {
        folder = try TemporaryFolder()
        let shell =
            "env LC_ALL=C.UTF-8 PS1='$ ' SWIFT_BACKTRACE=enable=no \(settings) "
            + "bash --norc --noprofile"
        _ = try await tell(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)", shell)
        // What is typed before the shell asks may get lost.
        try await wait(for: "$")
    }

    /// Ends it: its shell and what runs there are told by SIGHUP.
    func kill() async throws { _ = try await tell("kill-server") }

    /// What it shows.
    func shown() async throws -> String { try await tell("capture-pane", "-p") }

    /// Presses keys, as tmux calls them.
    func press(_ keys: String...) async throws { _ = try await tell(["send-keys"] + keys) }

    /// Types a line.
    func type(_ line: String) async throws {
        _ = try await tell("send-keys", "-l", line)
        try await press("Enter")
    }

    /// Gives it another size.
    func resize(width: Int, height: Int) async throws {
        _ = try await tell("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// What it shows once that contains a text; the time limit of the test ends the wait.
    @discardableResult
    func wait(for text: String) async throws -> String {
        while true {
            let shown = try await shown()
            if shown.contains(text) { return shown }
            try Task.checkCancellation()
        }
    }

    private func tell(_ words: String...) async throws -> String { try await tell(words) }

    private func tell(_ words: [String]) async throws -> String {
        let run = try await CommandRun(
            "/usr/bin/tmux", words: ["-u", "-S", socket] + words)
        let lines = try await run.lines()
        return lines.joined(separator: "\n")
    }
}
