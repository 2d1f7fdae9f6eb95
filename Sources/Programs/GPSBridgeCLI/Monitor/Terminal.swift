// SPDX-License-Identifier: MIT
import CGPSCurses
import GPSIO
import GPSViews
import Glibc

/// The user's terminal: shows frames, reads keys, and is restored at exit.
///
/// It uses only terminfo, not curses, whose output waits forever for a stalled terminal and which
/// draws in signal handlers.
struct Terminal {
    /// The file descriptor from which keys are read.
    let keys: Descriptor
    /// Whether the terminal can show only ASCII.
    let isASCII: Bool

    private let input: CInt
    private let output: CInt
    private let language: Terminfo
    private var writer = FrameWriter()

    /// Whether standard output is a terminal that can probably show a screen.
    static var isAvailable: Bool {
        let name = variable("TERM") ?? ""
        return isatty(STDOUT_FILENO) == 1 && !["", "dumb", "unknown"].contains(name)
    }

    /// Takes over the terminal. In the background, first stops the process until it is in the
    /// foreground.
    ///
    /// - Throws: `TerminalError` if it cannot show a screen, and `CancellationError` if a signal is
    ///   received first. The terminal is then unchanged.
    init() throws {
        guard isatty(STDOUT_FILENO) == 1 else { throw TerminalError.notATerminal }
        let name = Self.variable("TERM") ?? ""
        let isColoured = Self.variable("NO_COLOR") == nil
        language = try Terminfo(STDOUT_FILENO, name: name, isColoured: isColoured)
        isASCII = ccurses_is_utf8() == 0 || name == "linux" || name.hasPrefix("vt")
        // An open file description of its own, so that the terminal does not become non-blocking
        // for other programs.
        let own = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        output = own >= 0 ? own : STDOUT_FILENO
        let isInput = isatty(STDIN_FILENO) == 1
        input = isInput ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        keys = Descriptor(input, owned: false)
        do {
            try Self.takeOver(input, output, language.farewell)
        } catch {
            Self.close(input, output)
            throw error
        }
    }

    private static func takeOver(_ input: CInt, _ output: CInt, _ farewell: [UInt8]) throws {
        guard input >= 0, ccurses_event_descriptor() >= 0 else { throw TerminalError.notATerminal }
        try waitForForeground(input)
        let farewell = farewell.map { CChar(bitPattern: $0) }
        guard ccurses_set_key_mode(input, output, farewell, CInt(farewell.count)) == 0 else {
            throw TerminalError.notATerminal
        }
    }

    /// Stops the process while it is in the background, as vi and less do.
    ///
    /// - Throws: `CancellationError` if a signal is received: a shell that ends a stopped job sends
    ///   SIGTERM, then SIGCONT.
    private static func waitForForeground(_ input: CInt) throws(CancellationError) {
        while ccurses_is_in_background(input) != 0 {
            let count = ccurses_continuations()
            ccurses_stop_in_background()
            // A process that does not stop, because it has no shell, is not waited for.
            for _ in 0..<10 where ccurses_continuations() == count {
                try Signals.sleep(milliseconds: 50)
            }
            guard ccurses_continuations() != count else { return }
            try Signals.sleep(milliseconds: 50)
        }
    }

    /// Shows the screen instead of the terminal's previous content.
    mutating func enter() throws {
        writer.forget()
        StandardError.hold()
        try write(language.greeting)
    }

    /// Restores the terminal, and writes the messages that were held back. If the terminal is
    /// stalled, waits at most 300 ms.
    private func leave() {
        write(language.farewell, timeout: 300)
        ccurses_restore()
        StandardError.release()
    }

    /// Restores the terminal and closes its descriptors.
    func close() {
        leave()
        ccurses_close()
        keys.close()
        Self.close(input, output)
    }

    /// Closes the descriptors that this type has opened.
    private static func close(_ input: CInt, _ output: CInt) {
        if output != STDOUT_FILENO { Glibc.close(output) }
        if input != STDIN_FILENO, input >= 0 { Glibc.close(input) }
    }

    /// Restores the terminal and stops the process (SIGTSTP). Takes over the terminal again when
    /// the process continues.
    mutating func suspend() throws {
        leave()
        ccurses_stop()
        try resume()
    }

    /// Takes over the terminal again, for example after SIGCONT.
    mutating func resume() throws {
        // A shell that ends a stopped job sends SIGTERM, then SIGCONT.
        try Signals.sleep(milliseconds: 50)
        try Self.waitForForeground(input)
        ccurses_resume()
        try enter()
    }

    /// The size in columns and rows; 80 by 24 if the terminal does not report it.
    var size: (width: Int, height: Int) {
        var (columns, rows): (CInt, CInt) = (0, 0)
        guard ccurses_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0 else {
            return (80, 24)
        }
        return (min(1000, Int(columns)), min(500, Int(rows)))
    }

    /// Makes the next frame repaint every cell.
    mutating func forget() { writer.forget() }

    mutating func show(_ canvas: Canvas) throws {
        try write(writer.bytes(for: canvas, language))
    }

    /// Rings the terminal's bell.
    func ring() throws { try write(language.bell) }

    /// Returns the keys pressed since the last call; `nil` if the terminal was closed. In the
    /// background, returns an empty array, because the keys are for the shell.
    func pressed() -> [Key]? {
        var buffer = [UInt8](repeating: 0, count: 256)
        var count = read(input, &buffer, buffer.count)
        // A thread that blocks SIGTTIN receives EIO in the background, as if the terminal were
        // closed. The process may be in the foreground again afterwards.
        if count < 0, errno == EIO {
            guard ccurses_is_in_background(input) == 0 else { return [] }
            count = read(input, &buffer, buffer.count)
        }
        if count < 0, errno != EAGAIN, errno != EINTR { return nil }
        return Key.keys(in: Array(buffer.prefix(max(0, count))))
    }

    /// Writes all bytes. Throws `StandardOutput.Closed` if the terminal was closed, and
    /// `CancellationError` if a signal is received first.
    private func write(_ bytes: [UInt8]) throws {
        let error = try Descriptor.write(all: bytes, to: output) {
            try Signals.wait(for: output, POLLOUT)
            return true
        }
        guard error == 0 else { throw StandardOutput.Closed() }
    }

    /// Writes as many bytes as possible, waiting at most `timeout` milliseconds each time.
    private func write(_ bytes: [UInt8], timeout: CInt) {
        _ = Descriptor.write(all: bytes, to: output) {
            var room = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
            return poll(&room, 1, timeout) > 0
        }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// The reason why a terminal cannot show a screen.
enum TerminalError: Error, CustomStringConvertible {
    /// Standard output is not a terminal, or there is no terminal to read keys from.
    case notATerminal
    /// The terminal cannot position its cursor, or has no terminfo entry. The value is its name.
    case incapable(String)
    /// libtinfo is not installed.
    case noTerminfo

    var description: String {
        switch self {
        case .notATerminal: "standard output is not a terminal: use --format text"
        case .incapable(let name):
            "the terminal type '\(name)' does not support a full screen: use --format text"
        case .noTerminfo:
            "the full screen needs libtinfo, which is missing; install it "
                + "(Debian: apt-get install libtinfo6), or use --format text"
        }
    }
}

/// The control sequences of the user's terminal, from its terminfo entry.
private struct Terminfo: TerminalLanguage {
    private let styles: [[UInt8]]
    let clear: [UInt8]
    /// The bytes that ring the bell; empty if the terminal has none.
    let bell: [UInt8]
    /// The bytes to write before the first frame.
    let greeting: [UInt8]
    /// The bytes to write after the last frame. They restore the previous screen.
    let farewell: [UInt8]

    /// Loads the entry of a terminal. Throws a `TerminalError` if libtinfo or the entry is missing,
    /// or if the terminal cannot position its cursor.
    init(_ descriptor: CInt, name: String, isColoured: Bool) throws(TerminalError) {
        let opened = ccurses_open(descriptor)
        guard opened != -2 else { throw .noTerminfo }
        guard opened == 0, !Self.sequence("cup", 0, 0).isEmpty else {
            throw .incapable(name)
        }
        clear = Self.sequence("clear")
        bell = Self.sequence("bel")
        greeting = Self.sequence("smcup") + Self.sequence("civis")
        // On a terminal without an alternate screen, the shell continues on a cleared screen.
        let end = Self.sequence("rmcup")
        farewell = Self.sequence("sgr0") + Self.sequence("cnorm") + (end.isEmpty ? clear : end)
        let colours = isColoured ? ccurses_number("colors") : 0
        styles = (0..<Style.Role.allCases.count * 8).map { Self.style($0, colours) }
    }

    func move(x: Int, y: Int) -> [UInt8] {
        Self.sequence("cup", CInt(clamping: y), CInt(clamping: x))
    }

    func style(_ style: Style) -> [UInt8] {
        let emphasis = (style.isBold ? 1 : 0) + (style.isReversed ? 2 : 0) + (style.isDim ? 4 : 0)
        return styles[Int(style.role.rawValue) * 8 + emphasis]
    }

    private static func style(_ index: Int, _ colours: CInt) -> [UInt8] {
        let role = Style.Role.allCases[index / 8]
        var bytes = sequence("sgr0")
        let isDim = index & 4 != 0
        if index & 1 != 0 { bytes += sequence("bold") }
        if index & 2 != 0 { bytes += sequence("rev") }
        if colours >= 256, isDim, role == .plain {
            return bytes + sequence("setaf", CInt(Style.Role.dimColour))
        }
        if isDim { bytes += sequence("dim") }
        if let colour = role.colour(of: Int(colours)) {
            bytes += sequence("setaf", CInt(colour))
        }
        return bytes
    }

    private static func sequence(_ name: String, _ a: CInt = 0, _ b: CInt = 0) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = ccurses_sequence(name, a, b, &buffer, CInt(buffer.count))
        return buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
    }
}
