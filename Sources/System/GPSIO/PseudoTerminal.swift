// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc
import Synchronization

/// The receiver's side of a pseudo terminal: a program can read the bytes written here from a tty.
///
/// As on a real serial line, bytes sent while no program has the tty open are lost, and counted.
/// The tty may be closed and opened any number of times.
package final class PseudoTerminal: Sendable {
    /// The policy for bytes that do not fit into the tty's buffer because the reader is slow.
    package enum Overflow: Sendable {
        /// The write waits for free space.
        case wait
        /// The bytes are dropped, as by a real receiver, and counted.
        case drop
    }

    /// The tty to read from, such as `/dev/pts/3`.
    package let path: String
    /// A symbolic link to the tty, which exists until `close()`.
    package let link: String?

    private let master: Descriptor
    private let dropped = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)
    /// An inotify instance that reports when a program opens the tty; `nil` unless a task waits for
    /// that.
    private let openings = Mutex<Descriptor?>(nil)

    /// Creates a pseudo terminal in raw mode, and the symbolic link `link` to its tty.
    ///
    /// Throws an ``IOError`` if the system has no free pseudo terminal, the process has too many
    /// files open, or the link cannot be created. Its `errno` is `EEXIST` if `link` exists and is
    /// not a symbolic link to a pseudo terminal.
    package init(link: String? = nil) throws(IOError) {
        var name = [CChar](repeating: 0, count: 128)
        let fd = cserial_pty(&name, UInt(name.count))
        guard fd >= 0 else {
            throw IOError(.makeTerminal, "/dev/ptmx")
        }
        path = String(terminated: name)
        master = Descriptor(fd)
        self.link = link
        if let link { try StableLink(link).point(to: path) }
    }

    deinit { close() }

    /// The number of bytes lost so far.
    package var droppedByteCount: Int { dropped.load(ordering: .relaxed) }

    /// The baud rate that the reader has set on the tty; `nil` after `close()`.
    package var hostRate: Int? {
        master.use { Int(cserial_rate($0)) }
    }

    /// Whether a program has the tty open.
    package var hasReader: Bool { polled(for: 0).map { $0 & POLLHUP == 0 } ?? false }

    /// Whether a program has written bytes to the tty that `takeHostBytes` has not returned yet.
    private var hasHostBytes: Bool { polled(for: POLLIN).map { $0 & POLLIN != 0 } ?? false }

    /// Returns the events that `poll` reports now; `nil` if it fails, and after `close()`.
    private func polled(for events: CInt) -> CInt? {
        master.use { fd in
            var polled = pollfd(fd: fd, events: Int16(events), revents: 0)
            return poll(&polled, 1, 0) >= 0 ? CInt(polled.revents) : nil
        } ?? nil
    }

    /// Sends bytes to the reader. Returns the number of bytes sent.
    ///
    /// With `.wait`, waits for free space until the deadline, cancellation or `close()`. The
    /// remaining bytes are dropped and counted.
    @discardableResult
    package func write(
        _ bytes: [UInt8], whenFull overflow: Overflow = .wait,
        until deadline: MonotonicInstant? = nil
    ) async -> Int {
        var sent = put(bytes, from: 0)
        while sent < bytes.count, overflow == .wait, hasReader,
            await master.writable(until: deadline) == .ready
        { sent = put(bytes, from: sent) }
        dropped.add(bytes.count - sent, ordering: .relaxed)
        return sent
    }

    /// Sends as many bytes as possible without waiting. Drops and counts the others.
    package func writeAtOnce(_ bytes: [UInt8]) {
        dropped.add(bytes.count - put(bytes, from: 0), ordering: .relaxed)
    }

    /// Writes from `start` while there is a reader and free space. Returns the index after the last
    /// byte written.
    private func put(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, hasReader {
            let count = master.use { fd in
                bytes.withUnsafeBytes {
                    Glibc.write(fd, $0.baseAddress?.advanced(by: end), $0.count - end)
                }
            }
            guard let count, count > 0 else { break }
            end += count
        }
        return end
    }

    /// Waits until a program has opened the tty and flushed its input, as programs that read
    /// receivers do first. Only bytes sent after that are certain to arrive. Returns `false` at the
    /// deadline, on cancellation, and after `close()`.
    @discardableResult
    package func waitForReader(until deadline: MonotonicInstant? = nil) async -> Bool {
        // Create the inotify instance only while needed. (Closing it takes the kernel up to 16 ms.)
        let openings = watchOpenings()
        while true {
            if hasReader {
                switch await hostAction(until: deadline) {
                case .flushed: return true
                case .other: continue
                case .left: break
                case nil: return false
                }
            }
            guard await isOpened(openings, until: deadline) else { return false }
        }
    }

    /// Waits until no program has the tty open. Returns `false` if one still has it open at the
    /// deadline or on cancellation.
    @discardableResult
    package func waitUntilUnread(until deadline: MonotonicInstant? = nil) async -> Bool {
        while hasReader {
            switch await hostAction(until: deadline) {
            case .left: return true
            case .flushed, .other: continue
            case nil: return !hasReader
            }
        }
        return true
    }

    /// Returns the bytes that programs have written to the tty since the last call, without
    /// waiting.
    package func takeHostBytes() -> [UInt8] {
        var all: [UInt8] = []
        var packet = [UInt8](repeating: 0, count: 4097)
        while let count = master.use({ Glibc.read($0, &packet, packet.count) }), count > 0 {
            // In packet mode, the first byte is the type: 0 for data, otherwise a control event.
            if packet[0] == 0 { all += packet[1..<count] }
        }
        return all
    }

    /// Waits until `takeHostBytes` can return bytes. If no program has the tty open, waits for one.
    /// Returns `false` at the deadline, on cancellation, and after `close()`.
    package func waitForHostBytes(until deadline: MonotonicInstant? = nil) async -> Bool {
        while true {
            switch await master.readable(until: deadline) {
            case .ready: return true
            case .hungUp:
                if hasHostBytes { return true }
                guard await waitForOpening(until: deadline) else { return false }
            case .timedOut, .cancelled, .closed, .failed: return false
            }
        }
    }

    private func waitForOpening(until deadline: MonotonicInstant?) async -> Bool {
        // Keep the inotify instance until a program opens the tty, because closing it takes the
        // kernel up to 16 ms.
        let openings = openings.withLock { openings in
            openings = openings ?? watchOpenings()
            return openings
        }
        while !hasReader {
            guard await isOpened(openings, until: deadline) else { return false }
        }
        self.openings.withLock { $0 = nil }
        return true
    }

    /// Returns an inotify instance that reports when a program opens the tty; `nil` if the user has
    /// too many instances.
    private func watchOpenings() -> Descriptor? {
        let openings = Descriptor.inotify()
        _ = openings?.use { inotify_add_watch($0, path, UInt32(IN_OPEN)) }
        return openings
    }

    /// Waits until a program may have opened the tty: for an event of `openings`, or for 0.1 s if
    /// `openings` is `nil`. Returns `false` at the deadline, on cancellation, and after `close()`.
    private func isOpened(
        _ openings: Descriptor?, until deadline: MonotonicInstant?
    ) async -> Bool {
        if let openings {
            guard case .bytes = await openings.read(atMost: 4096, until: deadline) else {
                return false
            }
        } else {
            let retry = MonotonicInstant.now + .milliseconds(100)
            guard await master.poller.sleep(until: min(retry, deadline ?? retry)) == .timedOut,
                deadline.map({ $0 > .now }) ?? true
            else { return false }
        }
        return !isClosed.load(ordering: .acquiring)
    }

    /// Removes the link and hangs up the tty, as if the device were unplugged. Further calls have
    /// no effect.
    package func close() {
        // The link is removed only once, because another process may use the same name later.
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if let link { StableLink(link).remove(pointingTo: path) }
        master.close()
    }

    private enum HostAction {
        case flushed, left, other
    }

    /// Waits until the reader flushes its input (`.flushed`), closes the tty (`.left`), or does
    /// something else. Returns `nil` at the deadline, on cancellation, and after `close()`.
    private func hostAction(until deadline: MonotonicInstant?) async -> HostAction? {
        switch await master.read(atMost: 4096, until: deadline) {
        case .bytes(let packet):
            packet.first.map { Int32($0) & TIOCPKT_FLUSHREAD != 0 } == true ? .flushed : .other
        case .end, .hangup: .left
        case .silence, .cancelled, .failed: nil
        }
    }
}
