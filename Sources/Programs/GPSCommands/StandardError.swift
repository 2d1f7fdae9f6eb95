// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import GPSReceivers
import Glibc
import Synchronization

/// Writes messages to standard error. Data goes to standard output.
package enum StandardError {
    /// The messages that are being held back; `nil` if messages are written immediately.
    private static let held = Mutex<[HeldMessage]?>(nil)
    /// The maximum number of messages held back. If there are more, the oldest is dropped.
    private static let heldLimit = 100

    /// The least important level that is written. Default: `info`.
    package static var level: MessageLevel {
        get { minimumLevel.withLock { $0 } }
        set { minimumLevel.withLock { $0 = newValue } }
    }
    private static let minimumLevel = Mutex(MessageLevel.info)

    /// Holds messages back until `release()`, because a screen is drawn on the terminal. Has no
    /// effect if standard error is not a terminal.
    package static func hold() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        held.withLock { $0 = $0 ?? [] }
    }

    /// Writes the messages that were held back, and stops holding messages back.
    package static func release() {
        let messages = held.withLock { exchange(&$0, with: nil) } ?? []
        for message in messages { write(message.text) }
    }

    /// Returns the last message if it is held back and at most `age` old; otherwise `nil`.
    package static func lastHeld(within age: Duration) -> String? {
        held.withLock { held in
            held?.last.flatMap { $0.time + age > .now ? $0.text : nil }
        }
    }

    private struct HeldMessage {
        let text: String
        let time = MonotonicInstant.now
    }

    /// Stores a message if messages are being held back. Returns whether it was stored.
    private static func hold(_ text: String) -> Bool {
        held.withLock { held in
            guard held != nil else { return false }
            if held?.count == heldLimit { held?.removeFirst() }
            held?.append(HeldMessage(text: text))
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

    /// The messages that receivers, clients and servers have caused.
    private static let caused = Mutex(MessageLimiter())

    /// Writes one line that data from outside has caused, as `print` does. If there are many with
    /// the same cause, only their number is written.
    package static func report(
        _ text: String, limit milliseconds: CInt? = nil, level: MessageLevel = .info
    ) {
        let now = MonotonicInstant.now
        let (counts, passes, isFirst, deadline) = caused.withLock { caused in
            let counts = caused.takeCounts(at: now)
            let former = caused.deadline
            let passes = caused.passes(text, at: now)
            return (counts, passes, former == nil, caused.deadline)
        }
        for count in counts { print(count, limit: milliseconds, level: .warning) }
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
    package static func reportCounts(isEnd: Bool = false) {
        let counts = caused.withLock { $0.takeCounts(at: .now, isEnd: isEnd) }
        for count in counts { print(count, limit: 0, level: .warning) }
    }

    private static func write(_ text: String) {
        let line = Array("gpsbridge: \(TerminalText.safe(text))\n".utf8)
        // A failed write to standard error cannot be reported.
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
