// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
package import GPSReceivers
import Glibc
import Synchronization

/// Writes messages to standard error. Data goes to standard output.
package enum StandardError {
    private struct State {
        /// The messages that are being held back; `nil` if messages are written immediately.
        var held: [HeldMessage]?
        var minimumLevel = MessageLevel.info
        /// The messages that receivers, clients and servers have caused.
        var caused = MessageLimiter()
    }

    private static let state = Mutex(State())
    /// The maximum number of messages held back. If there are more, the oldest is dropped.
    private static let heldLimit = 100

    /// The least important level that is written. Default: `info`.
    static var level: MessageLevel {
        get { state.withLock { $0.minimumLevel } }
        set { state.withLock { $0.minimumLevel = newValue } }
    }

    /// Holds messages back until `release()`, because a screen is drawn on the terminal. Has no
    /// effect if standard error is not a terminal.
    package static func hold() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        state.withLock { $0.held = $0.held ?? [] }
    }

    /// Writes the messages that were held back, and stops holding messages back.
    package static func release() {
        let messages = state.withLock { exchange(&$0.held, with: nil) } ?? []
        for message in messages { write(message.text) }
    }

    /// Returns the last message if it is held back and at most `age` old; otherwise `nil`.
    package static func lastHeld(within age: Duration) -> String? {
        state.withLock(\.held)?.last.flatMap { $0.time + age > .now ? $0.text : nil }
    }

    private struct HeldMessage {
        let text: String
        let time = MonotonicInstant.now
    }

    /// Stores a message if messages are being held back. Returns whether it was stored.
    private static func hold(_ text: String) -> Bool {
        state.withLock { state in
            guard state.held != nil else { return false }
            if state.held?.count == heldLimit { state.held?.removeFirst() }
            state.held?.append(HeldMessage(text: text))
            return true
        }
    }

    /// Writes one line. If a limit in milliseconds is given, the line is dropped if the reader does
    /// not accept it within that time.
    ///
    /// A line less important than `Self.level` is not written, but still becomes the status of the
    /// service.
    package static func print(
        _ text: String, limit milliseconds: CInt? = nil, level: MessageLevel = .info
    ) {
        defer { ServiceManager.shared?.report(text) }
        guard level <= Self.level, !hold(text) else { return }
        if let milliseconds {
            var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, milliseconds) > 0 else { return }
        }
        write(text)
    }

    /// Writes one line that data from outside has caused, as `print` does. If there are many with
    /// the same cause, only their number is written, as a routine message.
    package static func report(
        _ text: String, limit milliseconds: CInt? = nil, level: MessageLevel = .info,
        cause: MessageCause = .text
    ) {
        let now = MonotonicInstant.now
        let (counts, passes, isFirst, deadline) = state.withLock { state in
            let counts = state.caused.takeCounts(at: now)
            let former = state.caused.deadline
            let passes = state.caused.passes(text, level, cause: cause, at: now)
            return (counts, passes, former == nil, state.caused.deadline)
        }
        for count in counts { print(count, limit: milliseconds) }
        if passes { print(text, limit: milliseconds, level: level) }
        guard isFirst, let deadline else { return }
        // The count is written even if no further message follows.
        Task(executorPreference: BackgroundExecutor.shared) {
            _ = await Poller.shared.sleep(until: deadline)
            reportCounts()
        }
    }

    /// Writes the numbers of messages that were not written. `isEnd` is `true` when the program
    /// ends.
    static func reportCounts(isEnd: Bool = false) {
        let counts = state.withLock { $0.caused.takeCounts(at: .now, isEnd: isEnd) }
        for count in counts { print(count, limit: 0) }
    }

    private static func write(_ text: String) {
        let line = Array("gpsbridge: \(TerminalText.safe(text))\n".utf8)
        // A failed write to standard error cannot be reported.
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Wraps text to the width of the terminal.
package enum LineWrapping {
    /// The text width in columns, from 40 to 100: the value of `COLUMNS`, otherwise the terminal's
    /// width, otherwise 80.
    package static let columns: Int = {
        var size = winsize()
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        let known = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap {
            $0 > 0 ? $0 : nil
        }
        let columns = known ?? (isTerminal && size.ws_col > 0 ? Int(size.ws_col) : 80)
        return min(100, max(40, columns))
    }()

    /// Returns the text with long lines wrapped. The text of a table row (a name, two or more
    /// spaces, a text) continues in its own column. Other indented lines, such as examples,
    /// continue with a larger indentation.
    package static func wrapped(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.count > width ? wrapped(line: $0, width) : String($0) }
            .joined(separator: "\n")
    }

    /// The minimum width of the text column of a table.
    private static let minimumWidth = 20

    private static func wrapped(line: Substring, _ width: Int) -> String {
        let indent = line.prefix { $0 == " " }.count
        let text = textColumn(of: line, indent)
        let head = text ?? indent
        let further = indent == 0 ? 0 : indent + 3
        let column = text.map { $0 + minimumWidth > width ? further : $0 } ?? further
        let margin = String(repeating: " ", count: column)
        var lines: [String] = []
        var current = String(line.prefix(head))
        var isEmpty = true
        for (word, gap) in words(line.dropFirst(head), longest: width - column) {
            let gap = isEmpty ? "" : gap
            if !isEmpty, current.count + gap.count + word.count > width {
                lines.append(current)
                current = margin + word
            } else {
                current += gap + word
            }
            isEmpty = false
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// Returns the column at which the text of a table row begins; `nil` if the line is not a table
    /// row.
    private static func textColumn(of line: Substring, _ indent: Int) -> Int? {
        guard let gap = line.dropFirst(indent).firstRange(of: "  ") else { return nil }
        let name = line[..<gap.lowerBound].count
        return name + line[gap.lowerBound...].prefix { $0 == " " }.count
    }

    /// Returns the words of a text, each with the space that precedes it. Words longer than
    /// `longest` characters are split after commas, without spaces between the parts.
    private static func words(_ text: Substring, longest: Int) -> [(text: String, gap: String)] {
        text.split(separator: " ").flatMap { word -> [(text: String, gap: String)] in
            guard word.count > longest else { return [(String(word), " ")] }
            let parts = word.split(separator: ",", omittingEmptySubsequences: false)
            return parts.enumerated().map { index, part in
                (part + (index < parts.count - 1 ? "," : ""), index == 0 ? " " : "")
            }
        }
    }
}

/// Limits the messages that data from outside can cause: a receiver that changes its state with
/// every sentence, a client that sends false commands.
///
/// Each message has a cause. Messages with the same text as cause differ only in names, numbers and
/// other values. Of each cause, twelve messages are passed in a minute, and sixty of all causes of the
/// same level: routine messages never prevent a warning or an error. Further messages are counted; a
/// message at the end of the minute contains their number and the last of them.
package struct MessageLimiter: Sendable {
    private static let window = Duration.seconds(60)
    private static let countOfCause = 12
    private static let totalCount = 60

    private struct Key: Hashable {
        let level: MessageLevel
        /// The cause; `nil` for all causes that share the rest of the level's messages.
        let cause: MessageCause?
        /// The words of the text if it is the cause.
        var words = ""
    }

    private struct Cause {
        var passed = 0
        var dropped = 0
        var last = ""
    }

    private var causes: [Key: Cause] = [:]
    private var totals: [MessageLevel: Int] = [:]
    /// The end of the current minute; `nil` if there was no message in the last one.
    private var end: MonotonicInstant?

    /// Creates a limiter that has passed no message.
    package init() {}

    /// The time at which `takeCounts(at:)` returns messages; `nil` if none has been dropped.
    package var deadline: MonotonicInstant? {
        causes.values.contains { $0.dropped > 0 } ? end : nil
    }

    /// Returns whether to write a message. Call `takeCounts(at:)` before it.
    package mutating func passes(
        _ text: String, _ level: MessageLevel = .info, cause: MessageCause = .text,
        at now: MonotonicInstant
    ) -> Bool {
        guard cause != .limited else { return true }
        end = end ?? now + Self.window
        let total = totals[level, default: 0]
        // Values that look like words make causes of their own, but these share a limit.
        var key = Key(level: level, cause: total < Self.totalCount ? cause : nil)
        if key.cause == .text { key.words = Self.words(of: text) }
        var state = causes[key] ?? Cause()
        defer { causes[key] = state }
        guard total < Self.totalCount, state.passed < Self.countOfCause else {
            state.dropped &+= 1
            state.last = text
            return false
        }
        state.passed += 1
        totals[level] = total + 1
        return true
    }

    /// Returns a message for each cause of which messages were dropped, if the minute is over or
    /// `isEnd`.
    package mutating func takeCounts(
        at now: MonotonicInstant, isEnd: Bool = false
    ) -> [String] {
        guard let end, now >= end || isEnd else { return [] }
        let dropped = causes.values.filter { $0.dropped > 0 }.sorted { $0.last < $1.last }
        (causes, totals, self.end) = ([:], [:], nil)
        // A program may end before the minute does.
        let seconds = Int(nearest: now.seconds(since: end - Self.window).rounded(.up))
        let time = now >= end ? "minute" : "\(max(1, seconds)) s"
        return dropped.map {
            "\(Plural.text($0.dropped, "message")) like this in the last \(time): \($0.last)"
        }
    }

    /// The words of a message that contain only small letters and punctuation: names, numbers and
    /// values of receivers rarely do.
    private static func words(of text: String) -> String {
        text.split(separator: " ").filter { word in
            word.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || ",.;:()'".utf8.contains(byte)
            }
        }.joined(separator: " ")
    }
}
