// SPDX-License-Identifier: MIT
import CGPSCurses
import GPSIO
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

/// The screen in a real terminal.
@Suite(.enabled(if: TmuxTerminal.isThere, "tmux is not installed"), .timeLimit(.generous))
struct ScreenTerminalTests {
    private let command = "\(CommandRun.executable) monitor simulated:rate=10"

    /// Returns the terminal's settings as one word, to compare them before and after.
    private func settings(_ terminal: TmuxTerminal) async throws -> String {
        try await terminal.type("clear; printf 'set:%s.\\n' $(stty -g | cksum | cut -d' ' -f1)")
        while true {
            let lines = try await terminal.shown().split(separator: "\n")
            if let line = lines.first(where: { $0.hasPrefix("set:") && $0.hasSuffix(".") }) {
                return line.description
            }
            try Task.checkCancellation()
        }
    }

    /// Ends the shell's job, waits until its process has ended, and ends the terminal.
    private func endJob(in terminal: TmuxTerminal) async throws {
        try await terminal.type("clear; P=$(jobs -p %1); kill %1")
        try await terminal.type(
            "while kill -0 $P 2> /dev/null; do sleep 0.1; done; echo the job has''ended")
        try await terminal.wait(for: "the job hasended")
        try await terminal.kill()
    }

    @Test func `--web serves the page beside the screen, whose title has the address`()
        async throws
    {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type("\(command) --web")
        let shown = try await terminal.wait(for: "SIMULATED · 3D fix")
        #expect(shown.split(separator: "\n").first?.contains(" http://localhost:") == true)
        try await terminal.quit()
    }

    @Test func `the screen shows which receiver of a gpsd server it reads`() async throws {
        let server = try await CommandRun(
            words: [
                "serve", "--user", "root", "--listen", "127.0.0.1:0", "simulated:rate=10",
                "simulated:seed=2",
            ])
        let served = try #require(try await server.message(with: "clients at 127.0.0.1:"))
        let port = try #require(served.split(separator: ":").last)
        let terminal = try await TmuxTerminal(width: 100, height: 24)
        try await terminal.type("\(CommandRun.executable) monitor gpsd://127.0.0.1:\(port)")
        try await terminal.wait(for: " of several")
        try await terminal.quit()
        server.send(SIGTERM)
    }

    @Test func `an alarm rings the terminal's bell`() async throws {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type("\(command) --anchor 30m@0,0")
        try await terminal.wait(for: "ANCHOR DRAGS")
        try await terminal.waitForBell()
        try await terminal.quit()
    }

    @Test func `the screen fills the terminal, follows its size and restores it`() async throws {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        let before = try await settings(terminal)
        try await terminal.type(command)
        // The terminal receives the screen in pieces.
        for text in ["SIMULATED · 3D fix", "? help", "── Sky "] {
            try await terminal.wait(for: text)
        }
        try await terminal.resize(width: 120, height: 40)
        try await terminal.wait(for: "── Track ")
        try await terminal.resize(width: 40, height: 10)
        while try await terminal.shown().contains("── Sky ") { try Task.checkCancellation() }
        try await terminal.press("p")
        try await terminal.wait(for: "p: DM ")
        try await terminal.press("q")
        try await terminal.waitForPrompt()
        #expect(try await settings(terminal) == before)
        try await terminal.kill()
    }

    @Test func `a change of the size that is undone at once also paints the screen again`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path("process")
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type("sh -c 'echo $$ >\(file); exec \(command)'")
        try await terminal.wait(for: "SIMULATED · 3D fix")
        let text = String(decoding: readFile(file).dropLast(), as: UTF8.self)
        let process = try #require(pid_t(text))
        try await terminal.clear()
        while try await terminal.shown().contains("? help") { try Task.checkCancellation() }
        Glibc.kill(process, SIGWINCH)
        try await terminal.wait(for: "? help")
        try await terminal.quit()
    }

    @Test func `control-C ends the screen with status 0, and control-Z stops it until fg`()
        async throws
    {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        let before = try await settings(terminal)
        try await terminal.type(command)
        try await terminal.wait(for: "SIMULATED · 3D fix")
        try await terminal.press("C-z")
        try await terminal.wait(for: "Stopped")
        #expect(try await settings(terminal) == before)
        try await terminal.type("fg")
        try await terminal.wait(for: "SIMULATED · 3D fix")
        try await terminal.press("C-c")
        try await terminal.waitForPrompt()
        try await terminal.type("S=$?; clear; echo; echo status $S")
        try await terminal.wait(for: "\nstatus 0")
        #expect(try await settings(terminal) == before)
        try await terminal.kill()
    }

    /// Waits until the shell lists its job as stopped. A job that a shell continues before it has
    /// stopped stops in the foreground.
    private func waitForStoppedJob(_ terminal: TmuxTerminal) async throws {
        var (count, text) = (0, "")
        while !text.contains("Stopped") {
            count += 1
            try await terminal.type("clear; jobs; echo end-$((\(count)))")
            text = try await terminal.wait(for: "end-\(count)")
        }
    }

    @Test func `a screen in the background stops, and leaves the terminal to the shell`()
        async throws
    {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        let before = try await settings(terminal)
        try await terminal.type("\(command) &")
        try await waitForStoppedJob(terminal)
        try await terminal.type("clear; fg")
        try await terminal.wait(for: "SIMULATED · 3D fix")
        try await terminal.press("C-z")
        try await terminal.wait(for: "Stopped")
        try await terminal.type("bg")
        try await waitForStoppedJob(terminal)
        try await terminal.type("clear; fg")
        try await terminal.wait(for: "SIMULATED · 3D fix")
        try await terminal.press("q")
        try await terminal.waitForPrompt()
        #expect(try await settings(terminal) == before)
        try await terminal.kill()
    }

    @Test func `the local time of a recording uses the zone of its date, in summer and in winter`()
        async throws
    {
        let folder = try TemporaryFolder()
        let start = "$GPRMC,120000.00,A,4812.4471,N,01621.8296,E,0.0,,"
        let summer = try folder.file("summer.nmea", Array((start + "010726,,,A*79\r\n").utf8))
        let winter = try folder.file("winter.nmea", Array((start + "010126,,,A*7F\r\n").utf8))
        let terminal = try await TmuxTerminal(
            width: 80, height: 24, "TZ=CET-1CEST,M3.5.0,M10.5.0/3")
        try await terminal.type("\(CommandRun.executable) monitor \(summer) \(winter)")
        try await terminal.wait(for: "2026-07-01 14:00:00 CEST")
        try await terminal.press("Tab")
        try await terminal.wait(for: "2026-01-01 13:00:00 CET")
        try await terminal.quit()
    }

    @Test(arguments: [
        ("simulated:compass,rate=10 --count 3", 0),
        ("simulated:rate=10 --count 1000 --duration 0.5", 3),
    ])
    func `the screen counts fixes and headings, and its status shows whether some are missing`(
        _ words: String, _ status: Int
    ) async throws {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type("'\(CommandRun.executable)' monitor \(words); echo status $?")
        let shown = try await terminal.wait(for: "status \(status)")
        #expect(shown.contains("more were requested") == (status != 0))
        try await terminal.kill()
    }

    @Test func `a stopped screen ends when the shell ends its job`() async throws {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type(command)
        try await terminal.wait(for: "SIMULATED · 3D fix")
        try await terminal.press("C-z")
        try await terminal.wait(for: "Stopped")
        try await endJob(in: terminal)
    }

    @Test(arguments: ["", "fg", "bg"])
    func `a screen that has stopped in the background ends when the shell ends its job`(
        _ before: String
    ) async throws {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type("set -b; clear; \(command) &")
        try await terminal.wait(for: "Stopped")
        if !before.isEmpty { try await terminal.type("clear; \(before)") }
        if before == "fg" {
            try await terminal.wait(for: "SIMULATED · 3D fix")
            try await terminal.press("C-z")
        }
        if !before.isEmpty { try await terminal.wait(for: "Stopped") }
        try await endJob(in: terminal)
    }

    @Test func `a terminal that disappears ends the screen`() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        // The trap keeps the shell alive, which also receives SIGHUP.
        try await terminal.type("trap '' HUP; \(command); echo $? > \(folder.path("status"))")
        try await terminal.wait(for: "SIMULATED")
        try await terminal.kill()
        try await waitForFile(folder.path("status")) { !$0.isEmpty }
    }

    @Test(arguments: ["TERM=dumb", "TERM=nonsense"])
    func `monitor prints text on a terminal that cannot show a screen`(_ setting: String)
        async throws
    {
        let terminal = try await TmuxTerminal(width: 120, height: 24, setting)
        try await terminal.type("\(command) --count 2")
        let shown = try await terminal.wait(for: "SIMULATED 20")
        #expect(!shown.contains("Position"))
        try await terminal.kill()
    }

    @Test func `tabs are cycled in both directions, and the selected one is always visible`()
        async throws
    {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        let sources = (1...10).map { "simulated:seed=\($0)" }.joined(separator: " ")
        try await terminal.type("'\(CommandRun.executable)' monitor \(sources)")
        try await terminal.wait(for: "[1:")
        try await terminal.press("BTab")
        try await terminal.wait(for: "seed=10]")
        try await terminal.press("Tab")
        try await terminal.wait(for: "seed=1]")
        try await terminal.quit()
    }

    @Test func `a window with few lines has a panel below every heading, and q closes the help`()
        async throws
    {
        let terminal = try await TmuxTerminal(width: 80, height: 10)
        try await terminal.type(command)
        try await terminal.wait(for: "SIMULATED · 3D fix")
        let shown = try await terminal.wait(for: "── Signals ")
        #expect(!shown.contains("── Sky "))
        try await terminal.press("?")
        try await terminal.wait(for: "── Keys ")
        try await terminal.press("q")
        try await terminal.wait(for: "── Signals ")
        try await terminal.quit()
    }

    @Test func `without libtinfo text is printed, and the screen reports the missing library`()
        async throws
    {
        let folder = try TemporaryFolder()
        // The loader finds the empty files instead of the libraries, and fails.
        for name in ["libtinfo.so.6", "libtinfow.so.6", "libncursesw.so.6"] {
            _ = try folder.file(name, [])
        }
        let terminal = try await TmuxTerminal(width: 120, height: 24)
        try await terminal.type("LD_LIBRARY_PATH=\(folder.path) \(command) --count 2")
        let shown = try await terminal.wait(for: "SIMULATED 20")
        #expect(!shown.contains("Position"))
        try await terminal.type("LD_LIBRARY_PATH=\(folder.path) \(command) --format screen")
        try await terminal.wait(for: "apt-get install libtinfo6")
        try await terminal.kill()
    }

    @Test func `without colours and UTF-8 the screen is ASCII without colours`() async throws {
        let terminal = try await TmuxTerminal(width: 80, height: 24)
        try await terminal.type("LC_ALL=C NO_COLOR=1 \(command)")
        try await terminal.wait(for: "SIMULATED - 3D fix")
        let shown = try await terminal.wait(for: "? help")
        #expect(shown.utf8.allSatisfy { $0 < 0x80 })
        try await terminal.quit()
    }
}

/// The signal handlers that restore the terminal after SIGQUIT or a crash.
@Suite(.timeLimit(.generous))
struct KeyModeTests {
    @Test func `a closed screen leaves no signal handler that writes to its descriptor`() throws {
        let terminal = try PseudoTerminal()
        let descriptor = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        let before = handler(of: SIGQUIT)
        let farewell: [CChar] = [0x21]
        try #require(ccurses_set_key_mode(descriptor, descriptor, farewell, 1) == 0)
        let during = handler(of: SIGQUIT)
        ccurses_restore()
        ccurses_close()
        #expect(during != before)
        #expect(handler(of: SIGQUIT) == before)
    }

    /// The address of a signal's handler; 0 for the default action.
    private func handler(of signal: CInt) -> Int {
        var action = sigaction()
        sigaction(signal, nil, &action)
        let handler: (@convention(c) (CInt) -> Void)? = action.__sigaction_handler.sa_handler
        return unsafeBitCast(handler, to: Int.self)
    }
}

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
