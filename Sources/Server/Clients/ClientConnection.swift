// SPDX-License-Identifier: MIT
package import Devices
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
        /// Continues once the queue is no longer full.
        var awaitingRoom: CheckedContinuation<Void, Never>?
    }

    /// The most that waits for one client besides what the kernel buffers.
    package static let queueLimit = 512 * 1024
    /// What the kernel buffers: enough for a burst; more would only be older reports.
    private static let kernelBuffer: CInt = 64 * 1024

    private let descriptor: Descriptor
    private let patience: Duration
    private let state: Mutex<State>

    /// Takes over a connected, non-blocking socket.
    package init(
        _ descriptor: Descriptor, patience: Duration = .seconds(180),
        queueLimit: Int = ClientConnection.queueLimit
    ) {
        self.descriptor = descriptor
        self.patience = patience
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

    /// Waits while so much output waits that the client should not be asked for more requests.
    package func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.queue.isFull, !state.isClosed else { return true }
                state.awaitingRoom = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Sends a reply; it is never dropped.
    package func send(reply bytes: [UInt8]) {
        send { $0.append(kept: bytes) }
    }

    /// Sends reports, whole lines; the oldest that wait are dropped where the client is slow.
    package func send(reports bytes: [UInt8]) {
        send { $0.append(droppable: bytes) }
    }

    /// Disconnects. Closing again does nothing.
    package func close() {
        let (writer, waiting) = state.withLock { state in
            state.isClosed = true
            defer { (state.writer, state.awaitingRoom) = (nil, nil) }
            return (state.writer, state.awaitingRoom)
        }
        writer?.cancel()
        descriptor.close()
        waiting?.resume()
    }

    private func send(_ append: (inout OutputQueue) -> Void) {
        let isGone = state.withLock { state in
            guard !state.isClosed else { return false }
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
                guard write(&state.queue) else { return nil }
                if !state.queue.isFull {
                    waiting = state.awaitingRoom
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
