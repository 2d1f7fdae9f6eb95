// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc
package import Synchronization

/// A file descriptor that is closed exactly once, and never while it is in use.
package final class Descriptor: Sendable {
    /// The result of a read.
    package enum Input: Equatable, Sendable {
        /// Received bytes; at least one.
        case bytes([UInt8])
        /// No bytes were received before the deadline.
        case silence
        /// A read returned 0 bytes: the file has ended, a pipe's last writer has closed it, or a
        /// tty has hung up.
        case end
        /// The descriptor has hung up, for example because the device was unplugged.
        case hangup
        /// The task was cancelled, or the descriptor was closed.
        case cancelled
        /// Reading failed; the value is an `errno`.
        case failed(CInt)
    }

    @usableFromInline let fd: Mutex<CInt?>
    /// The descriptor's number. It stays the same after closing, when the system may reuse it.
    package let number: CInt
    package let poller: Poller
    private let isOwned: Bool
    private let isSharedSocket: Bool
    private let mayHaveMore = Atomic<Bool>(false)

    /// Wraps an open descriptor. If `owned` is `false`, `close` leaves the descriptor itself open.
    ///
    /// Pass `isSharedSocket` for a socket that another process may use in blocking mode; it is then
    /// read with `recv` and `MSG_DONTWAIT`.
    package init(
        _ fd: CInt, owned: Bool = true, isSharedSocket: Bool = false, poller: Poller = .shared
    ) {
        self.fd = Mutex(fd)
        number = fd
        self.poller = poller
        isOwned = owned
        self.isSharedSocket = isSharedSocket
    }

    deinit { close() }

    /// Calls `beforeClose`, closes the descriptor, and resumes all waiting tasks with `.closed`.
    /// Further calls have no effect.
    package func close(beforeClose: (CInt) -> Void = { _ in }) {
        let waiters = fd.withLock { fd -> [Waiter] in
            guard let open = fd else { return [] }
            fd = nil
            let waiters = poller.forget(open)
            beforeClose(open)
            if isOwned { Glibc.close(open) }
            return waiters
        }
        // Resume after releasing the lock: a cancelled task resumes only when its cancellation
        // handler, which may close this descriptor, has returned.
        for waiter in waiters { waiter.continuation.resume(returning: .closed) }
    }

    /// Calls `body` with the descriptor, which cannot be closed while `body` runs. `body` must not
    /// block. Returns `nil` if the descriptor has been closed.
    @inlinable
    package func use<Result: Sendable>(_ body: (CInt) -> Result) -> Result? {
        fd.withLock { fd in
            // `map` would not be specialized.
            guard let fd else { return nil }
            return body(fd)
        }
    }

    /// Waits until there is data to read.
    package func readable(until deadline: MonotonicInstant? = nil) async -> Readiness {
        outcome(of: await poller.readable(self, until: deadline), POLLIN)
    }

    /// Waits until there is free space to write.
    package func writable(until deadline: MonotonicInstant? = nil) async -> Readiness {
        outcome(of: await poller.writable(self, until: deadline), POLLOUT)
    }

    /// Waits until the descriptor hangs up: both directions of a socket have been closed, or sending
    /// has failed. Bytes to read do not end the wait.
    package func hangup() async -> Readiness { await poller.hangup(of: self) }

    /// Returns `readiness`, or `.ready` instead of `.timedOut` if `poll` reports one of the
    /// `events`.
    private func outcome(of readiness: Readiness, _ events: CInt) -> Readiness {
        guard readiness == .timedOut else { return readiness }
        let isReady = use { fd in
            var polled = pollfd(fd: fd, events: Int16(events), revents: 0)
            // Ignore a hang-up without data: a pipe reports one before its first writer opens it.
            return poll(&polled, 1, 0) > 0 && polled.revents & polled.events != 0
        }
        return isReady == true ? .ready : .timedOut
    }

    /// Reads repeatedly, at most `limit` bytes at a time, and passes each input to `handle` until
    /// it returns `.end`. `handle` must return `.end` for all inputs except `.bytes` and
    /// `.silence`. If `handle` is `nil`, reads once. Returns the last input, or `.cancelled` or
    /// `.failed` if waiting ended.
    ///
    /// `handle` is called on the polling thread or by the calling task. That task should have the
    /// poller as its executor preference. Otherwise, bytes may be lost when it is cancelled during
    /// a read.
    package func read(
        atMost limit: Int, until deadline: MonotonicInstant?,
        each handle: (@Sendable (Input) -> Poller.HandlerResult)? = nil
    ) async -> Input {
        let last = Mutex<Input?>(nil)
        let take: Poller.Handler = { [self] readiness in
            guard let input = input(at: readiness, atMost: limit) else { return .unchanged }
            return noting(handle?(input) ?? .end, after: input)
        }
        @Sendable func noting(_ next: Poller.HandlerResult, after input: Input)
            -> Poller.HandlerResult
        {
            switch next {
            case .end: last.withLock { $0 = input }
            case .later(let work): return .later { noting(work(), after: input) }
            default: break
            }
            return next
        }
        var deadline = deadline
        while !Task.isCancelled {
            var readiness = Readiness.ready
            if mayHaveMore.load(ordering: .relaxed) {
                await Task.yield()  // let other tasks run during a flood
            } else {
                let handler = handle == nil ? nil : take
                readiness = await poller.readable(self, until: deadline, handler: handler)
            }
            if let input = last.withLock({ $0 }) { return input }
            switch readiness {
            // Nothing has been read yet: no handler was passed, epoll does not support the
            // descriptor (`/dev/null`), or the wait was skipped because more bytes may be
            // available.
            case .ready, .hungUp, .timedOut: break
            case .failed(let error): return .failed(error)
            case .cancelled, .closed: return .cancelled
            }
            switch take(readiness).completed() {
            case .again(until: let next): deadline = next
            case .end: return last.withLock { $0 } ?? .cancelled
            case .unchanged, .later: break
            }
        }
        return .cancelled
    }

    /// Reads after a wait has ended with `readiness`. Returns `nil` if there is nothing to read, so
    /// that the caller must wait again.
    private func input(at readiness: Readiness, atMost limit: Int) -> Input? {
        if readiness == .timedOut, outcome(of: readiness, POLLIN) == .timedOut { return .silence }
        return readNow(atMost: limit) ?? (readiness == .hungUp ? .hangup : nil)
    }

    /// Reads without waiting; returns `nil` if nothing is available.
    private func readNow(atMost limit: Int) -> Input? {
        let read = isSharedSocket ? cserial_receive : cserial_read
        let result = use { fd in
            poller.withScratch(atLeast: limit) { scratch in
                var count: UInt = 0
                let outcome = scratch.withUnsafeMutableBytes {
                    read(fd, $0.baseAddress, UInt(limit), &count)
                }
                let error = errno
                return (outcome, error, Array(scratch.prefix(Int(count))))
            }
        }
        guard let (outcome, error, bytes) = result else { return .cancelled }
        // A tty returns at most 4095 bytes at a time.
        mayHaveMore.store(bytes.count >= min(limit, 4095), ordering: .relaxed)
        switch outcome {
        case CSERIAL_BYTES: return .bytes(bytes)
        case CSERIAL_NOTHING_YET: return nil
        case CSERIAL_END: return .end
        case CSERIAL_HANGUP: return .hangup
        default: return .failed(error)
        }
    }
}

extension Descriptor {
    /// Creates an inotify instance; returns `nil` if the user has reached the limit of instances.
    ///
    /// The corresponding C function is `inotify_init1`.
    package static func inotify(poller: Poller = .shared) -> Descriptor? {
        let fd = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        return fd >= 0 ? Descriptor(fd, poller: poller) : nil
    }
}

extension Descriptor {
    /// The system call for writing without waiting.
    package enum Method: Sendable {
        /// `write`, for a non-blocking file, pipe or terminal.
        case write
        /// `send` with `MSG_DONTWAIT`, for a socket. Other processes may use the socket in blocking
        /// mode.
        case send
        /// `write` of at most 4 KiB after `poll` reports free space, for a descriptor that must
        /// stay in blocking mode because other programs share it.
        case pieces
    }

    private static let piece = 4096

    /// Writes as many bytes as possible without waiting. Returns their number and an `errno`: 0 if
    /// all bytes were written, `EAGAIN` if there is no more free space, `ECANCELED` if the
    /// descriptor has been closed.
    package func write(
        _ bytes: ArraySlice<UInt8>, by method: Method = .write
    ) -> (count: Int, errno: CInt) {
        use { fd in
            bytes.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                    let count = Self.write(rest, to: fd, method)
                    if count >= 0 {
                        done += count
                    } else if errno != EINTR {
                        return (done, errno)
                    }
                }
                return (done, 0)
            }
        } ?? (0, ECANCELED)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to fd: CInt, _ method: Method) -> Int
    {
        switch method {
        case .write: return Glibc.write(fd, bytes.baseAddress, bytes.count)
        case .send:
            let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
            return Glibc.send(fd, bytes.baseAddress, bytes.count, flags)
        case .pieces:
            var polled = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, 0) > 0 else {
                errno = EAGAIN
                return -1
            }
            return Glibc.write(fd, bytes.baseAddress, min(piece, bytes.count))
        }
    }

    /// Writes all bytes to a non-blocking descriptor, waiting for free space. Returns 0 on success,
    /// `ETIMEDOUT` at the deadline, `ECANCELED` if the descriptor is closed or the task is
    /// cancelled, or the `errno` of another failure.
    package func write(all bytes: [UInt8], until deadline: MonotonicInstant? = nil) async -> CInt {
        var rest = bytes[...]
        while true {
            let (count, error) = write(rest)
            guard error == EAGAIN else { return error }
            rest = rest.dropFirst(count)
            switch await writable(until: deadline) {
            case .ready, .hungUp: break
            case .timedOut: return ETIMEDOUT
            case .cancelled, .closed: return ECANCELED
            case .failed(let error): return error
            }
        }
    }

    /// Writes all bytes to a file, blocking until they are written. Returns 0 or the `errno`.
    package static func write(all bytes: [UInt8], to fd: CInt) -> CInt {
        write(all: bytes, to: fd) { false }
    }

    /// Writes all bytes to a non-blocking descriptor. When it is full, calls `waitForRoom`, and
    /// stops if that returns `false`. Returns 0 or the `errno`.
    package static func write(
        all bytes: [UInt8], to fd: CInt, waitForRoom: () throws -> Bool
    ) rethrows -> CInt {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(fd, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            let error = count < 0 ? errno : ENOSPC
            if count < 0, try error == EINTR || error == EAGAIN && waitForRoom() { continue }
            guard count > 0 else { return error }
            done += count
        }
        return 0
    }
}
