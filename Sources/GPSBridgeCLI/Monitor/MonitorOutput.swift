// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import Glibc
import Synchronization

/// Standard output of a monitor: written at once by the thread that reads the receiver, as far as there is
/// room; a file by a ``BackgroundWriter``. The rest waits for the reader or the disk, and delays nothing else.
///
/// A file or a pipe is read no further meanwhile. Of receivers the oldest reports are dropped, and counted,
/// where more than `limit` bytes wait.
final class MonitorOutput: Sendable {
    private struct State {
        var queue = OutputQueue(limit: MonitorOutput.limit)
        /// Whether a task waits for room.
        var isDraining = false
        var failure: (any Error)?
        /// Fulfilled when everything is written.
        var emptied: Promise<Void>?
    }

    /// How to write without blocking.
    private enum Method {
        /// What there is no room for is left.
        case write
        /// The same, for a socket.
        case send
        /// Shared with programs that expect it to block: what is ready takes 4 KiB without doing so.
        case pieces
    }

    /// The most that waits for a slow reader.
    private static let limit = 4 << 20
    private static let piece = 4096
    /// How long a command that a signal ends waits for the disk.
    private static let fileLimit = Duration.seconds(5)

    /// The output as a member of its sessions: a source that can pause waits for it.
    let member = SessionMember()
    private let poller: Poller
    private let descriptor: Descriptor
    private let method: Method
    private let state = Mutex(State())
    /// Writes where standard output is a file.
    private let file: BackgroundWriter?
    private let onFailure: @Sendable (any Error) -> Void

    /// Takes over standard output; `head` is written before the first report, `onFailure` is called when it cannot be
    /// written any more.
    init(
        head: [UInt8] = [], poller: Poller = .shared,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.poller = poller
        self.onFailure = onFailure
        state.withLock { $0.queue.append(kept: head) }
        (descriptor, method) = Self.open(poller)
        let isFile = RegularFile(STDOUT_FILENO) != nil
        file =
            isFile
            ? BackgroundWriter(
                head: head, limit: Self.limit, flow: member.flow, poller: poller,
                write: Self.writeFile, onFailure: onFailure) : nil
    }

    private static func open(_ poller: Poller) -> (Descriptor, Method) {
        var status = stat()
        let shared = Descriptor(STDOUT_FILENO, owned: false, poller: poller)
        guard fstat(STDOUT_FILENO, &status) == 0 else { return (shared, .write) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (shared, .write)  // by the writer of files
        case S_IFSOCK: return (shared, .send)
        // Such as what stands for a closed output: it is not to be opened for writing.
        case _ where fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDONLY: return (shared, .write)
        default:
            // A description of our own, which may be non-blocking; somebody else's may not be opened.
            let own = Glibc.open(
                "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            return own >= 0 ? (Descriptor(own, poller: poller), .write) : (shared, .pieces)
        }
    }

    /// Reports what was lost to a slow reader or a slow disk.
    func reportLosses() {
        let count = file?.droppedCount ?? state.withLock { $0.queue.droppedCount }
        guard count > 0 else { return }
        let cause = file == nil ? "reader" : "disk"
        StandardError.say("\(count) reports were lost to a slow \(cause)")
    }

    /// Writes a report, whole lines; none is dropped of a source that can wait.
    ///
    /// Calls `onFailure` with `StandardOutput.Closed` or a `StandardOutput.Failure` where that fails.
    func write(_ report: [UInt8], canWait: Bool) {
        if let file { return file.append(report, canWait: canWait) }
        let (failure, mustDrain) = state.withLock { state in
            guard state.failure == nil else { return (nil as (any Error)?, false) }
            if canWait {
                state.queue.append(kept: report)
            } else {
                state.queue.append(droppable: report)
            }
            if state.isDraining { return (nil, false) }
            state.failure = write(&state.queue)
            state.isDraining = state.failure == nil && !state.queue.isEmpty
            return (state.failure, state.isDraining)
        }
        if let failure { onFailure(failure) }
        guard mustDrain else { return }
        member.flow.change(from: .none, to: .read)
        Task(executorPreference: poller) { await self.drain() }
    }

    /// Waits until everything is written.
    ///
    /// Throws what `write` does, or `CancellationError`.
    func finish() async throws {
        if let file { return try await file.finish() }
        let emptied = try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.isDraining else { return nil as Promise<Void>? }
            let emptied = state.emptied ?? Promise()
            state.emptied = emptied
            return emptied
        }
        try await emptied?.value
    }

    /// Waits, although the task has been cancelled, until a file has what was reported; no longer than `fileLimit`.
    ///
    /// Throws an `ExitStatus` where it has not, after reporting why.
    func finishFile() async throws {
        guard let file else { return }
        do {
            try await file.finish(until: poller.now + Self.fileLimit)
        } catch {
            StandardError.say("\(error)")
            throw ExitStatus.failed
        }
        let count = file.pendingCount
        guard count > 0 else { return }
        StandardError.say(
            "\(count) bytes were not written: the disk of standard output is too slow")
        throw ExitStatus.failed
    }

    /// Writes to standard output, which is a file; returns why it cannot be written any more.
    private static func writeFile(_ bytes: [UInt8]) -> (any Error)? {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(
                    STDOUT_FILENO, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            }
            if count > 0 {
                start += count
            } else if errno != EINTR {
                return StandardOutput.Failure(errno: errno)
            }
        }
        return nil
    }

    /// Writes what waits whenever there is room, until nothing does.
    private func drain() async {
        var isOver = false
        while !isOver {
            let readiness = await descriptor.writable()
            let (failure, emptied) = state.withLock { state in
                switch readiness {
                case .ready, .hungUp: state.failure = write(&state.queue)
                default: state.failure = StandardOutput.Closed()
                }
                isOver = state.failure != nil || state.queue.isEmpty
                state.isDraining = !isOver
                return (state.failure, isOver ? state.emptied : nil)
            }
            if let failure {
                emptied?.reject(failure)
                onFailure(failure)
            } else {
                emptied?.fulfill(())
            }
        }
        member.flow.change(from: .read, to: .none)
    }

    /// Writes what there is room for; returns why nothing can be written any more.
    private func write(_ queue: inout OutputQueue) -> (any Error)? {
        var failure: (any Error)?
        queue.drain { bytes in
            var done = 0
            while done < bytes.count {
                let (count, error) = write(bytes.dropFirst(done))
                if count > 0 {
                    done += count
                } else if error != EINTR {
                    if error == EPIPE {
                        failure = StandardOutput.Closed()
                    } else if error != EAGAIN {
                        failure = StandardOutput.Failure(errno: error)
                    }
                    break
                }
            }
            return done
        }
        return failure
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> (count: Int, errno: CInt) {
        let outcome = descriptor.use { fd in
            bytes.withUnsafeBytes { bytes in
                switch method {
                case .write: return (Glibc.write(fd, bytes.baseAddress, bytes.count), errno)
                case .send:
                    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
                    return (Glibc.send(fd, bytes.baseAddress, bytes.count, flags), errno)
                case .pieces:
                    var polled = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                    guard poll(&polled, 1, 0) > 0 else { return (-1, EAGAIN) }
                    return (Glibc.write(fd, bytes.baseAddress, min(Self.piece, bytes.count)), errno)
                }
            }
        }
        return outcome ?? (-1, EBADF)
    }
}
