// SPDX-License-Identifier: MIT
import CGPSSerial
public import GNSS
import Glibc
import Synchronization

/// The receiver's end of a pseudo terminal: bytes written to it can be read from a tty.
///
/// As on a real line, bytes sent while no program has the tty open are lost; they are counted. The
/// tty may be closed and opened any number of times.
public final class PseudoTerminal: Sendable {
    /// The handling of bytes for which a slow reader leaves no room.
    public enum Overflow: Sendable {
        /// The write waits for room.
        case wait
        /// The bytes are dropped, as by a receiver, and counted.
        case drop
    }

    /// The tty to read from, such as `/dev/pts/3`.
    public let path: String
    /// A symbolic link to the tty, which exists until `close()`.
    public let link: String?

    private let master: Descriptor
    private let dropped = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// Opens a pseudo terminal in raw mode, and creates `link` to it.
    ///
    /// Throws if the system has no pseudo terminals left or the process too many files open; with
    /// `EEXIST` if `link` exists and is not a symbolic link to a pseudo terminal.
    public init(link: String? = nil) throws(IOError) {
        var name = [CChar](repeating: 0, count: 128)
        let fd = cserial_pty(&name, UInt(name.count))
        guard fd >= 0 else {
            throw IOError(.makeTerminal, "/dev/ptmx")
        }
        path = name.withUnsafeBufferPointer { name in
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        master = Descriptor(fd)
        self.link = link
        if let link { try StableLink(link).point(to: path) }
    }

    deinit { close() }

    /// The number of bytes lost so far.
    public var droppedByteCount: Int { dropped.load(ordering: .relaxed) }

    /// The rate in baud that the reader has set.
    package var hostRate: Int? {
        master.use { Int(cserial_rate($0)) }
    }

    /// Whether a program has the tty open.
    public var hasReader: Bool {
        master.use { fd in
            var poller = pollfd(fd: fd, events: 0, revents: 0)
            return poll(&poller, 1, 0) >= 0 && poller.revents & Int16(POLLHUP) == 0
        } ?? false
    }

    /// Sends bytes; returns the number sent.
    ///
    /// With `.wait`, waits for room until the deadline, cancellation or `close()`. The remaining
    /// bytes are dropped and counted.
    @discardableResult
    public func write(
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

    /// Sends as many bytes as there is room for, without waiting. The rest is dropped and counted.
    package func writeAtOnce(_ bytes: [UInt8]) {
        dropped.add(bytes.count - put(bytes, from: 0), ordering: .relaxed)
    }

    /// Writes from `start` while there is a reader and room; returns the end.
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
    /// receivers do first. Bytes sent afterwards arrive. Returns `false` at the deadline.
    @discardableResult
    public func waitForReader(until deadline: MonotonicInstant? = nil) async -> Bool {
        // Open only while needed: closing it takes the kernel up to 16 ms.
        guard let openings = Descriptor.inotify() else { return false }
        _ = openings.use { inotify_add_watch($0, path, UInt32(IN_OPEN)) }
        while true {
            if hasReader {
                switch await hostAction(until: deadline) {
                case .flushed: return true
                case .other: continue
                case .left: break
                case nil: return false
                }
            }
            guard case .bytes = await openings.read(atMost: 4096, until: deadline) else {
                return false
            }
        }
    }

    /// Waits until no program has the tty open; returns `false` at the deadline.
    @discardableResult
    public func waitUntilUnread(until deadline: MonotonicInstant? = nil) async -> Bool {
        while hasReader {
            switch await hostAction(until: deadline) {
            case .left: return true
            case .flushed, .other: continue
            case nil: return !hasReader
            }
        }
        return true
    }

    /// Returns the bytes that the reader has sent to the receiver since the last call, without
    /// waiting.
    public func takeHostBytes() -> [UInt8] {
        var all: [UInt8] = []
        var packet = [UInt8](repeating: 0, count: 4097)
        while let count = master.use({ Glibc.read($0, &packet, packet.count) }), count > 0 {
            // The first byte of a packet is its type, 0 for data.
            if packet[0] == 0 { all += packet[1..<count] }
        }
        return all
    }

    /// Removes the link and hangs up the tty, as if it were unplugged. Closing again has no effect.
    public func close() {
        // Only once: another process may use the same name later.
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if let link { StableLink(link).remove(pointingTo: path) }
        master.close()
    }

    private enum HostAction {
        case flushed, left, other
    }

    /// Waits for an action of the reader; returns `nil` at the deadline, cancellation or `close()`.
    private func hostAction(until deadline: MonotonicInstant?) async -> HostAction? {
        switch await master.read(atMost: 4096, until: deadline) {
        case .bytes(let packet):
            packet.first.map { Int32($0) & TIOCPKT_FLUSHREAD != 0 } == true ? .flushed : .other
        case .end, .hangup: .left
        case .silence, .cancelled, .failed: nil
        }
    }
}
