// SPDX-License-Identifier: MIT
import CSerial
import Glibc
import Synchronization

/// The receiver's end of a pseudo terminal: what is written here comes out of a tty.
///
/// As on a real line, what is sent while nobody has the tty open is lost, and counted. The tty may be
/// closed and opened any number of times.
public final class PseudoTerminal: Sendable {
    /// What happens to bytes that a slow reader leaves no room for.
    public enum Overflow: Sendable {
        /// The write waits for room.
        case wait
        /// They are dropped, as a receiver does, and counted.
        case drop
    }

    /// The tty to read from, such as `/dev/pts/3`.
    public let path: String
    /// A name of one's own for it, there until `close()`.
    public let link: String?

    private let master: Descriptor
    private let opened: Descriptor?
    private let dropped = Atomic<Int>(0)

    /// Opens a tty in raw mode, and makes `link` point to it.
    ///
    /// Throws `.ioFailed` where the system has none left, and `.nameTaken` if `link` exists and is
    /// something else than a symbolic link.
    public init(link: String? = nil) throws(DeviceError) {
        var name = [CChar](repeating: 0, count: 128)
        let fd = cserial_pty(&name, UInt(name.count))
        guard fd >= 0 else { throw DeviceError(.ioFailed, device: "/dev/ptmx", errno: errno) }
        path = name.withUnsafeBufferPointer { name in
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        master = Descriptor(fd)
        opened = Self.watch(path)
        self.link = link
        if let link { try StableLink(link).point(to: path) }
    }

    deinit { close() }

    /// How many bytes were lost so far.
    public var droppedByteCount: Int { dropped.load(ordering: .relaxed) }

    /// The rate that the reader of the tty set.
    public var hostBaudRate: BaudRate? {
        master.use { BaudRate(rawValue: Int(cserial_rate($0))) } ?? nil
    }

    /// Whether somebody has the tty open.
    public var hasReader: Bool {
        master.use { fd in
            var poller = pollfd(fd: fd, events: 0, revents: 0)
            return poll(&poller, 1, 0) >= 0 && poller.revents & Int16(POLLHUP) == 0
        } ?? false
    }

    /// Sends bytes; the count of those that went out.
    ///
    /// With `.wait`, waits for room until the deadline, or until cancellation or `close()`. What does
    /// not go out is dropped and counted.
    @discardableResult
    public func write(
        _ bytes: [UInt8], whenFull overflow: Overflow = .wait,
        until deadline: ContinuousClock.Instant? = nil
    ) async -> Int {
        var sent = 0
        while sent < bytes.count, hasReader {
            let count = master.use { fd in
                bytes.withUnsafeBytes {
                    Glibc.write(fd, $0.baseAddress?.advanced(by: sent), $0.count - sent)
                }
            }
            if let count, count > 0 {
                sent += count
                continue
            }
            guard overflow == .wait, await master.writable(until: deadline) == .ready else { break }
        }
        dropped.add(bytes.count - sent, ordering: .relaxed)
        return sent
    }

    /// Waits until somebody has opened the tty and dropped what was in it, as programs that read
    /// receivers do first; what is sent from then on arrives. False at the deadline.
    @discardableResult
    public func waitForReader(until deadline: ContinuousClock.Instant? = nil) async -> Bool {
        while !Task.isCancelled {
            if hasReader {
                switch await read(until: deadline) {
                case .flushed: return true
                case .bytes: continue
                case .noReader: break
                case .silence, .closed: return false
                }
            }
            guard let opened, case .bytes = await opened.read(atMost: 4096, until: deadline) else {
                return false
            }
        }
        return false
    }

    /// Unplugs: removes the link, and hangs the tty up. Doing it again does nothing.
    public func close() {
        if let link { StableLink(link).remove(pointingTo: path) }
        opened?.close()
        master.close()
    }

    private enum HostWord {
        case bytes, flushed, noReader, silence, closed
    }

    /// Takes what the host did; the master is in packet mode, where the first byte tells what it is.
    private func read(until deadline: ContinuousClock.Instant?) async -> HostWord {
        switch await master.read(atMost: 4096, until: deadline) {
        case .bytes(let packet):
            packet.first.map { Int32($0) & TIOCPKT_FLUSHREAD != 0 } == true ? .flushed : .bytes
        case .silence: .silence
        case .end, .hangup: .noReader
        case .cancelled, .failed: .closed
        }
    }

    private static func watch(_ path: String) -> Descriptor? {
        let watch = Descriptor.inotify()
        _ = watch?.use { inotify_add_watch($0, path, UInt32(IN_OPEN)) }
        return watch
    }
}
