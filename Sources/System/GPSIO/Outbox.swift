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
        var setFull: @Sendable (Bool) -> Void
        /// Called once with the `errno` if sending fails. Not called after `close()`.
        var fail: @Sendable (CInt) -> Void

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
    private static let pauseLimit = 1 << 18

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

/// Collects input from several threads for one waiting task.
package final class Inbox<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Whether input has been added since the waiting task last took the contents.
        var isSignalled = false
        var isFull = false
    }

    private let empty: Contents
    private let isFull: @Sendable (Contents) -> Bool
    private let setFull: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let wakeUp: WakeUp

    /// Creates an inbox. `empty` is the value of `contents` without input. `isFull` returns `true`
    /// for contents at which sources that can pause should pause; it is called with the lock held.
    /// When its result changes, `setFull` is called with the new result.
    ///
    /// Throws an ``IOError`` if the process has no free descriptors.
    package init(
        _ empty: Contents, isFull: @escaping @Sendable (Contents) -> Bool,
        setFull: @escaping @Sendable (Bool) -> Void
    ) throws(IOError) {
        wakeUp = try WakeUp()
        self.empty = empty
        self.isFull = isFull
        self.setFull = setFull
        state = Mutex(State(contents: empty))
    }

    /// The input that the waiting task has not taken yet.
    package var contents: Contents { state.withLock(\.contents) }

    /// Changes the contents with `body`, which is called with the lock held, and wakes the waiting
    /// task.
    package func change(_ body: (inout Contents) -> Void) {
        let (mustSignal, hasFilled) = state.withLock { state in
            body(&state.contents)
            let hasFilled = !state.isFull && isFull(state.contents)
            if hasFilled { state.isFull = true }
            return (!exchange(&state.isSignalled, with: true), hasFilled)
        }
        if hasFilled { setFull(true) }
        if mustSignal { wakeUp.signal() }
    }

    /// Returns and removes the input. Without input, waits for it until the deadline or until the
    /// task is cancelled, and may then return the empty value.
    ///
    /// If `staysFull` is `true`, sources that can pause should pause after this call. Otherwise,
    /// they may continue.
    package func next(until deadline: MonotonicInstant?, staysFull: Bool = false) async -> Contents
    {
        if let ready = take(staysFull) { return ready }
        _ = await wakeUp.wait(until: deadline)
        return take(staysFull) ?? empty
    }

    /// Returns and removes the input; `nil` if no input has been added since the last call.
    private func take(_ staysFull: Bool) -> Contents? {
        let (contents, wasFull) = state.withLock { state in
            let before = state
            state = State(contents: empty, isFull: staysFull)
            return (before.isSignalled ? before.contents : nil, before.isFull)
        }
        if wasFull != staysFull { setFull(staysFull) }
        return contents
    }
}

/// The bytes that wait to be sent to one reader: replies to its requests, which are never dropped,
/// and reports, such as sentences. When the limit is exceeded, the oldest reports are dropped.
///
/// The arrays of reports are shared with the queues of other readers, not copied. A partly sent
/// report is never dropped.
package struct OutputQueue: Sendable {
    private struct Item {
        let bytes: [UInt8]
        let isReport: Bool
    }

    private var items: [Item] = []
    /// The index of the first item that is neither sent nor dropped.
    private var first = 0
    /// The number of bytes of the first item that have been sent.
    private var offset = 0
    /// The number of waiting bytes above which reports are dropped.
    package var limit: Int

    /// The number of waiting bytes.
    package private(set) var count = 0
    /// The number of dropped reports.
    package private(set) var droppedCount = 0
    package private(set) var droppedByteCount = 0

    /// Creates an empty queue that drops reports while more than `limit` bytes wait.
    package init(limit: Int) {
        self.limit = limit
    }

    package var isEmpty: Bool { count == 0 }

    /// Appends a reply, which is never dropped.
    package mutating func append(kept bytes: [UInt8]) {
        append(Item(bytes: bytes, isReport: false))
    }

    /// Appends a report: complete lines that are dropped as a unit. Above the limit, drops the
    /// oldest reports.
    package mutating func append(droppable bytes: [UInt8]) {
        append(Item(bytes: bytes, isReport: true))
        // Keep a partly sent report, and the newest one regardless of its length.
        var index = offset > 0 ? first + 1 : first
        while count > limit, index < items.count - 1 {
            guard items[index].isReport else {
                index += 1
                continue
            }
            let dropped = items.remove(at: index).bytes.count
            count -= dropped
            droppedCount += 1
            droppedByteCount += dropped
        }
    }

    private mutating func append(_ item: Item) {
        guard !item.bytes.isEmpty else { return }
        items.append(item)
        count += item.bytes.count
    }

    /// Sends bytes from the front until `send` accepts no more. `send` returns the number of bytes
    /// sent.
    package mutating func drain(_ send: (ArraySlice<UInt8>) -> Int) {
        while first < items.count {
            let bytes = items[first].bytes
            let taken = send(bytes[offset...])
            count -= taken
            offset += taken
            guard offset == bytes.count else { break }
            offset = 0
            first += 1
        }
        if first == items.count {
            items.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64 {
            items.removeFirst(first)
            first = 0
        }
    }
}

/// Limits the total number of bytes that wait for all readers, such as the clients of a server.
package final class OutputBudget: Sendable {
    /// The limit in bytes per reader while the budget is exceeded.
    private static let shortLimit = 32 * 1024

    private let limit: Int
    private let total = Atomic<Int>(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// The number of bytes that wait for all readers.
    package var count: Int { total.load(ordering: .relaxed) }

    /// Returns the current limit in bytes for one reader. It is `usual` or, while the budget is
    /// exceeded, at most 32 KiB.
    func limit(_ usual: Int) -> Int { count > limit ? min(usual, Self.shortLimit) : usual }

    /// Adds to the number of waiting bytes. `bytes` is negative for bytes sent or dropped.
    func add(_ bytes: Int) {
        if bytes != 0 { total.wrappingAdd(bytes, ordering: .relaxed) }
    }
}
