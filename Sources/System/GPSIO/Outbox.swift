// SPDX-License-Identifier: MIT
package import GNSS
import Glibc
import Synchronization

/// Sends bytes to one reader without blocking the caller. Bytes that cannot be sent immediately
/// wait in an ``OutputQueue``.
///
/// A destination that may block, such as a file on a slow disk, is written by a background task
/// without holding the lock.
package final class Outbox: Sendable {
    /// The destination of the bytes.
    package enum Destination: Sendable {
        /// A non-blocking descriptor. Sending fails with `ETIMEDOUT` if the reader accepts nothing
        /// for `timeout`.
        case descriptor(Descriptor, by: Descriptor.Method, timeout: Duration? = nil)
        /// A function that may block, called in the background. It writes all bytes, and returns 0
        /// or an `errno`. Bytes passed to it no longer count towards the limit.
        case background(Poller, @Sendable ([UInt8]) -> CInt)
    }

    /// The functions that an outbox calls to report its state. It does not hold its lock during a
    /// call.
    package struct Events: Sendable {
        /// Called with `true` when sources that can pause should pause, and with `false` when they
        /// may continue.
        package var setFull: @Sendable (Bool) -> Void
        /// Called once with the `errno` if sending fails. Not called after `close()`.
        package var fail: @Sendable (CInt) -> Void

        package init(
            setFull: @escaping @Sendable (Bool) -> Void = { _ in },
            fail: @escaping @Sendable (CInt) -> Void
        ) {
            (self.setFull, self.fail) = (setFull, fail)
        }
    }

    private struct Waiter {
        /// The number of additional bytes that must fit below the limit before the task resumes;
        /// `nil` to wait until all bytes are sent.
        let count: Int?
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var queue: OutputQueue
        /// Whether a task is sending the queued bytes.
        var isSending = false
        /// The number of bytes taken from the queue but not written yet.
        var takenCount = 0
        var isFull = false
        var failure: CInt?
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    /// The actions required after a change of the state, carried out after releasing the lock.
    private struct Effects {
        var isFull: Bool?
        var mustStart = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var failure: CInt?
    }

    /// For a background destination, the number of waiting bytes above which sources should pause.
    package static let pauseLimit = 1 << 18

    private let destination: Destination
    private let limit: Int
    private let budget: OutputBudget
    private let events: Events
    private let state: Mutex<State>

    /// Creates an outbox. While more than `limit` bytes wait, it drops the oldest droppable bytes.
    /// The limit is lower while `budget`, which several outboxes can share, is exceeded. `head` is
    /// sent before all other bytes.
    package init(
        _ destination: Destination, limit: Int, head: [UInt8] = [],
        budget: OutputBudget = OutputBudget(),
        events: Events
    ) {
        var queue = OutputQueue(limit: limit)
        queue.append(kept: head)
        self.destination = destination
        self.limit = limit
        self.budget = budget
        self.events = events
        state = Mutex(State(queue: queue))
    }

    /// The number of dropped units. Each call of `send(droppable:)` sends one unit.
    package var droppedCount: Int { state.withLock { $0.queue.droppedCount } }

    /// The number of dropped bytes.
    package var droppedByteCount: Int { state.withLock { $0.queue.droppedByteCount } }

    /// The number of bytes waiting or being written. It does not include `head` before the first
    /// call of `send`.
    package var pendingCount: Int {
        state.withLock { $0.isSending ? $0.takenCount + $0.queue.count : 0 }
    }

    /// Sends bytes that are never dropped.
    package func send(kept bytes: [UInt8]) {
        send { $0.append(kept: bytes) }
    }

    /// Sends bytes that are dropped as a unit, such as complete lines. If the limit is exceeded,
    /// the oldest units are dropped.
    package func send(droppable bytes: [UInt8]) {
        send { $0.append(droppable: bytes) }
    }

    /// Waits until `count` more bytes fit below the limit, or until no bytes wait. Also returns if
    /// sending fails or the task is cancelled.
    package func waitForRoom(for count: Int) async {
        await wait(for: count)
    }

    /// Waits until all bytes are sent.
    ///
    /// Throws an ``IOError`` if sending fails, or `CancellationError`.
    package func finish() async throws {
        await wait(for: nil)
        try check()
        if Task.isCancelled, state.withLock(\.isSending) { throw CancellationError() }
    }

    /// Waits until all bytes are sent or the deadline has passed, even if the task is cancelled.
    /// Throws an ``IOError`` if sending fails.
    package func finish(until deadline: MonotonicInstant, by poller: Poller) async throws(IOError) {
        await Task(executorPreference: BackgroundExecutor.shared) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.wait(for: nil) }
                group.addTask { _ = await poller.sleep(until: deadline) }
                await group.next()
                group.cancelAll()
            }
        }.value
        try check()
    }

    private func check() throws(IOError) {
        if let failure = state.withLock(\.failure) { throw IOError(.write, "", errno: failure) }
    }

    /// Stops sending and discards the waiting bytes.
    package func close() {
        change { $0.failure = $0.failure ?? ECANCELED }
    }

    private func wait(for count: Int?) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isMet = state.withLock { state in
                    guard !Task.isCancelled, !hasRoom(for: count, state) else { return true }
                    state.waiters[id] = Waiter(count: count, continuation: continuation)
                    return false
                }
                if isMet { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    private func hasRoom(for count: Int?, _ state: State) -> Bool {
        if state.failure != nil || !state.isSending { return true }
        return count.map { state.queue.count + $0 <= budget.limit(limit) } ?? false
    }

    private func send(_ append: (inout OutputQueue) -> Void) {
        change { state in
            state.queue.limit = budget.limit(limit)
            append(&state.queue)
            guard !state.isSending else { return }
            switch destination {
            case .descriptor(let descriptor, let method, _):
                sendNow(&state, descriptor, method)
            case .background: state.isSending = true
            }
        }
    }

    /// Changes the state unless sending has failed. Releases the lock, and then calls the callbacks
    /// and resumes waiting tasks.
    private func change(_ body: (inout State) -> Void) {
        var effects = Effects()
        state.withLock { state in
            guard state.failure == nil else { return }
            let (count, wasSending, wasFull) = (state.queue.count, state.isSending, state.isFull)
            body(&state)
            if state.failure != nil {
                state.queue.drain { $0.count }
                (state.isSending, state.takenCount) = (false, 0)
            }
            budget.add(state.queue.count - count)
            state.isFull = state.queue.count > pauseLimit
            effects.isFull = state.isFull != wasFull ? state.isFull : nil
            effects.mustStart = state.isSending && !wasSending
            effects.failure = state.failure
            guard !state.waiters.isEmpty else { return }
            let met = state.waiters.filter { hasRoom(for: $0.value.count, state) }
            for id in met.keys { state.waiters[id] = nil }
            effects.waiters = met.values.map(\.continuation)
        }
        if let isFull = effects.isFull { events.setFull(isFull) }
        if effects.mustStart { start() }
        for waiter in effects.waiters { waiter.resume() }
        // `ECANCELED` means that the owner has closed the outbox, which is not a failure.
        if let failure = effects.failure, failure != ECANCELED { events.fail(failure) }
    }

    private var pauseLimit: Int {
        if case .background = destination { Self.pauseLimit } else { 0 }
    }

    /// Sends the queued bytes in a new task.
    private func start() {
        switch destination {
        case .descriptor(let descriptor, let method, let timeout):
            Task(executorPreference: descriptor.poller) {
                await self.drain(descriptor, method, timeout)
            }
        case .background(let poller, let write):
            // The outer task runs after the polling thread's current work, so that a fast replay is
            // written in large chunks.
            Task(executorPreference: poller) {
                Task(executorPreference: BackgroundExecutor.shared) { self.writeQueue(write) }
            }
        }
    }

    /// Sends queued bytes whenever there is free space, until the queue is empty.
    private func drain(
        _ descriptor: Descriptor, _ method: Descriptor.Method, _ timeout: Duration?
    ) async {
        var isOver = false
        while !isOver {
            let readiness = await descriptor.writable(
                until: timeout.map { descriptor.poller.now + $0 })
            change { state in
                switch readiness {
                case .ready, .hungUp: sendNow(&state, descriptor, method)
                case .timedOut: state.failure = ETIMEDOUT
                case .cancelled, .closed: state.failure = ECANCELED
                case .failed(let error): state.failure = error
                }
            }
            isOver = !state.withLock(\.isSending)
        }
    }

    /// Sends as many queued bytes as possible without waiting. Updates `failure` and `isSending`.
    private func sendNow(
        _ state: inout State, _ descriptor: Descriptor, _ method: Descriptor.Method
    ) {
        var failure: CInt?
        state.queue.drain { bytes in
            let (count, error) = descriptor.write(bytes, by: method)
            if error != 0, error != EAGAIN { failure = error }
            return count
        }
        state.failure = failure
        state.isSending = !state.queue.isEmpty
    }

    /// Writes all queued bytes with `write`, which may block, and starts a new task if more have
    /// arrived.
    private func writeQueue(_ write: @Sendable ([UInt8]) -> CInt) {
        var bytes: [UInt8] = []
        change { state in
            state.queue.drain {
                bytes += $0
                return $0.count
            }
            state.takenCount = bytes.count
        }
        let error = write(bytes)
        var hasMore = false
        change { state in
            state.takenCount = 0
            if error != 0 { state.failure = error }
            hasMore = !state.queue.isEmpty
            state.isSending = hasMore
        }
        if hasMore, error == 0 { start() }
    }
}
