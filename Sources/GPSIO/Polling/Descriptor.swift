// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc
package import Synchronization

/// A file descriptor that is closed exactly once, and never during its use.
package final class Descriptor: Sendable {
    /// The result of a read.
    package enum Input: Equatable, Sendable {
        /// At least one byte.
        case bytes([UInt8])
        /// No bytes were received before the deadline.
        case silence
        /// Zero bytes: the end of a file, the close of a pipe's last writer, or a tty's hang-up.
        case end
        /// The other side has gone.
        case hangup
        /// The task was cancelled, or the descriptor closed.
        case cancelled
        /// Reading failed; the value is an `errno`.
        case failed(CInt)
    }

    @usableFromInline let fd: Mutex<CInt?>
    /// The descriptor's number, open or not.
    package let number: CInt
    package let poller: Poller
    private let isOwned: Bool
    private let isSharedSocket: Bool
    private let mayHaveMore = Atomic<Bool>(false)

    /// Creates an object for an open descriptor; unless `owned`, closing the object leaves it open.
    ///
    /// A socket shared with another process may be blocking; it is read without blocking.
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

    /// Calls `beforeClose`, closes the descriptor, and ends every wait with `.closed`. Closing
    /// again has no effect.
    package func close(beforeClose: (CInt) -> Void = { _ in }) {
        let waiters = fd.withLock { fd -> [Waiter] in
            guard let open = fd else { return [] }
            fd = nil
            let waiters = poller.forget(open)
            beforeClose(open)
            if isOwned { Glibc.close(open) }
            return waiters
        }
        // Not under the lock: a cancelled task resumes only when its handler, which may close this
        // descriptor, has returned.
        for waiter in waiters { waiter.continuation.resume(returning: .closed) }
    }

    /// Calls `body`, which must not block, with the descriptor; returns `nil` once it is closed.
    @inlinable
    package func use<Result: Sendable>(_ body: (CInt) -> Result) -> Result? {
        fd.withLock { fd in
            // `map` would not be specialized.
            guard let fd else { return nil }
            return body(fd)
        }
    }

    /// Waits until there is something to read.
    package func readable(until deadline: MonotonicInstant? = nil) async -> Readiness {
        outcome(of: await poller.readable(self, until: deadline), POLLIN)
    }

    /// Waits until there is room to write.
    package func writable(until deadline: MonotonicInstant? = nil) async -> Readiness {
        outcome(of: await poller.writable(self, until: deadline), POLLOUT)
    }

    /// Returns `.ready` instead of `.timedOut` if the descriptor has become ready at the deadline.
    private func outcome(of readiness: Readiness, _ events: CInt) -> Readiness {
        guard readiness == .timedOut else { return readiness }
        let isReady = use { fd in
            var polled = pollfd(fd: fd, events: Int16(events), revents: 0)
            // A hang-up alone is not enough: a pipe has one before its first writer.
            return poll(&polled, 1, 0) > 0 && polled.revents & polled.events != 0
        }
        return isReady == true ? .ready : .timedOut
    }

    /// Reads repeatedly, at most `limit` bytes at a time, and passes each input to `handle`, until
    /// that returns `.end`, which it must for anything but bytes and silence. Returns the last
    /// input, or the reason for the end.
    ///
    /// `handle` is called on the polling thread, or by this task, which should prefer that thread.
    /// If a task on another thread is cancelled, bytes being read may be lost. Without `handle`,
    /// reads once.
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
            // Nothing has been read: no handler was passed, epoll does not support the descriptor
            // (`/dev/null`), or bytes may already be there.
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

    /// Reads at an event; returns `nil` to wait again.
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
    /// Returns a new inotify instance; `nil` if the user has reached the limit.
    ///
    /// The corresponding C function is `inotify_init1`.
    package static func inotify(poller: Poller = .shared) -> Descriptor? {
        let fd = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        return fd >= 0 ? Descriptor(fd, poller: poller) : nil
    }
}
