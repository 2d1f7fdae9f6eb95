// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc

/// A real terminal with a shell, provided by tmux on a separate socket.
final class TmuxTerminal: Sendable {
    static let isThere = access("/usr/bin/tmux", X_OK) == 0

    private let folder: TemporaryFolder
    private var socket: String { folder.path("tmux") }

    init(width: Int, height: Int, _ settings: String = "") async throws {
        folder = try TemporaryFolder()
        let shell =
            "env LC_ALL=C.UTF-8 PS1='$ ' SWIFT_BACKTRACE=enable=no \(settings) "
            + "bash --norc --noprofile"
        _ = try await tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)", shell)
        // Input before the shell's prompt may be lost.
        try await waitForPrompt()
    }

    /// Ends the terminal; the shell and its children receive SIGHUP.
    func kill() async throws { _ = try await tmux("kill-server") }

    /// Returns the visible text.
    func shown() async throws -> String { try await tmux("capture-pane", "-p") }

    /// Presses keys, which have tmux's names.
    func press(_ keys: String...) async throws { _ = try await tmux(["send-keys"] + keys) }

    /// Ends a program by `q`, waits for the shell's prompt, and ends the terminal.
    func quit() async throws {
        try await press("q")
        try await waitForPrompt()
        try await kill()
    }

    /// Types a line and presses Return.
    func type(_ line: String) async throws {
        _ = try await tmux("send-keys", "-l", line)
        try await press("Enter")
    }

    /// Changes the size.
    func resize(width: Int, height: Int) async throws {
        _ = try await tmux("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// Clears the terminal, which the program that draws on it does not notice.
    func clear() async throws {
        let path = try await tmux("display-message", "-p", "#{pane_tty}")
        let tty = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        defer { close(tty) }
        _ = write(tty, "\u{1B}[2J", 4)
    }

    /// Waits until the shell's prompt is the last line; the test's time limit ends the wait. A `$` elsewhere may belong
    /// to a sentence that the screen shows.
    func waitForPrompt() async throws {
        while try await shown().split(separator: "\n").last != "$" { try Task.checkCancellation() }
    }

    /// Waits until the terminal's bell has rung; the test's time limit ends the wait.
    func waitForBell() async throws {
        while try await tmux("display-message", "-p", "#{window_bell_flag}") != "1" {
            try Task.checkCancellation()
        }
    }

    /// Waits until the terminal shows a text, and returns all visible text; the test's time limit ends the wait.
    @discardableResult
    func wait(for text: String) async throws -> String {
        while true {
            let shown = try await shown()
            if shown.contains(text) { return shown }
            try Task.checkCancellation()
        }
    }

    private func tmux(_ words: String...) async throws -> String { try await tmux(words) }

    private func tmux(_ words: [String]) async throws -> String {
        let run = try await CommandRun(
            "/usr/bin/tmux", words: ["-u", "-S", socket] + words)
        let lines = try await run.lines()
        return lines.joined(separator: "\n")
    }
}
