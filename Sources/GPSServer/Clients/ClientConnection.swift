// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// A connected socket to which one client's output is written, without ever waiting for the client.
///
/// What the kernel has no room for waits in an ``OutputQueue``. A client that has taken nothing for
/// `patience` is disconnected.
package final class ClientConnection: Sendable {
    private struct State {
        var queue: OutputQueue
        /// Waits for room while the queue is not empty.
        var writer: Task<Void, Never>?
        var isClosed = false
        /// Continues once there is room for `count` more bytes.
        var awaitingRoom: (continuation: CheckedContinuation<Void, Never>, count: Int)?
    }

    /// The most that waits for one client besides what the kernel buffers.
    package static let queueLimit = 512 * 1024
    /// The same where all queues together are beyond their ``OutputBudget``.
    private static let shortQueueLimit = 32 * 1024
    /// What the kernel buffers: enough for a burst; more would only be older reports.
    private static let kernelBuffer: CInt = 64 * 1024

    private let descriptor: Descriptor
    private let patience: Duration
    private let budget: OutputBudget
    private let queueLimit: Int
    private let state: Mutex<State>

    /// Takes over a connected, non-blocking socket.
    package init(
        _ descriptor: Descriptor, patience: Duration = .seconds(180),
        queueLimit: Int = ClientConnection.queueLimit, budget: OutputBudget = OutputBudget()
    ) {
        self.descriptor = descriptor
        self.patience = patience
        self.budget = budget
        self.queueLimit = queueLimit
        state = Mutex(State(queue: OutputQueue(limit: queueLimit)))
        _ = descriptor.use { fd in
            let size = socklen_t(MemoryLayout<CInt>.size)
            var (buffer, yes) = (Self.kernelBuffer, CInt(1))
            setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, size)
            // Fails for Unix sockets, which need neither.
            setsockopt(fd, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, size)
            setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, size)
        }
    }

    /// How many chunks of reports the client has lost by being slow.
    package var droppedCount: Int { state.withLock { $0.queue.droppedCount } }

    /// The thread that waits for the client, and its clock.
    package var poller: Poller { descriptor.poller }

    /// Waits for bytes from the client.
    package func read(until deadline: MonotonicInstant? = nil) async -> Descriptor.Input {
        await descriptor.read(atMost: 4096, until: deadline)
    }

    /// Sends a reply once there is room for it: it is never dropped, and the client is not asked for more requests
    /// before. Then others have their turn on the thread.
    package func send(reply bytes: [UInt8]) async {
        await waitForRoom(for: bytes.count)
        send(kept: bytes)
        await Task.yield()
    }

    private func waitForRoom(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard !state.isClosed, !state.queue.isEmpty,
                    state.queue.count + count > limit
                else { return true }
                state.awaitingRoom = (continuation, count)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// How much may wait for the client now.
    private var limit: Int {
        budget.isExceeded ? min(queueLimit, Self.shortQueueLimit) : queueLimit
    }

    /// Sends what is never dropped, however much waits: a greeting or the last words.
    package func send(kept bytes: [UInt8]) {
        send { $0.append(kept: bytes) }
    }

    /// Sends reports, whole lines; the oldest that wait are dropped where the client is slow.
    package func send(reports bytes: [UInt8]) {
        send { $0.append(droppable: bytes) }
    }

    /// Disconnects. Closing again does nothing.
    package func close() {
        let (writer, waiting) = state.withLock { state in
            defer { (state.writer, state.awaitingRoom) = (nil, nil) }
            if !state.isClosed { budget.add(-state.queue.count) }
            state.isClosed = true
            return (state.writer, state.awaitingRoom)
        }
        writer?.cancel()
        descriptor.close()
        waiting?.continuation.resume()
    }

    private func send(_ append: (inout OutputQueue) -> Void) {
        let isGone = state.withLock { state in
            guard !state.isClosed else { return false }
            let before = state.queue.count
            defer { budget.add(state.queue.count - before) }
            state.queue.limit = limit
            append(&state.queue)
            // Somebody waits for room already.
            guard state.writer == nil else { return false }
            guard write(&state.queue) else { return true }
            if !state.queue.isEmpty {
                state.writer = Task(executorPreference: poller) { await self.drain() }
            }
            return false
        }
        if isGone { close() }
    }

    /// Writes what waits as soon as there is room, until nothing does.
    private func drain() async {
        while !Task.isCancelled {
            guard await descriptor.writable(until: poller.now + patience) == .ready else {
                return close()
            }
            var waiting: CheckedContinuation<Void, Never>?
            let isOver = state.withLock { state -> Bool? in
                guard !state.isClosed else { return nil }
                let before = state.queue.count
                defer { budget.add(state.queue.count - before) }
                guard write(&state.queue) else { return nil }
                if let (continuation, count) = state.awaitingRoom,
                    state.queue.isEmpty || state.queue.count + count <= limit
                {
                    waiting = continuation
                    state.awaitingRoom = nil
                }
                if state.queue.isEmpty { state.writer = nil }
                return state.queue.isEmpty
            }
            waiting?.resume()
            guard let isOver else { return close() }
            if isOver { return }
        }
    }

    /// Writes what there is room for; false where the client has gone.
    private func write(_ queue: inout OutputQueue) -> Bool {
        var isGone = false
        queue.drain { bytes in
            let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
            let outcome = descriptor.use { fd in
                var count = 0
                repeat {
                    count = bytes.withUnsafeBytes {
                        Glibc.send(fd, $0.baseAddress, $0.count, flags)
                    }
                } while count < 0 && errno == EINTR
                return (count, errno)
            }
            guard let (count, error) = outcome else {
                isGone = true
                return 0
            }
            if count < 0, error != EAGAIN { isGone = true }
            return max(0, count)
        }
        return !isGone
    }
}
