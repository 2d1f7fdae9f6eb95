// SPDX-License-Identifier: MIT
public import Dispatch
public import Synchronization

/// A bounded queue of calls that run on an executor, in order and one at a time.
///
/// `enqueue` never waits. When the queue is full, calls are dropped according to the policy and
/// counted. Essential calls are dropped only if all waiting calls are essential. Completions are
/// never dropped, and the limit does not include them. Each call is a separate job of the executor,
/// so on a serial queue, it keeps its order relative to other work.
public final class DeliveryQueue: Sendable {
    private typealias Call = @Sendable () -> Void

    /// The waiting calls, numbered in order of arrival. Essential calls and completions are stored in
    /// separate queues, so that the call to drop is always the first or last of a queue.
    private struct Pending: Sendable {
        private var ordinary = Ring<(number: UInt64, call: Call)>()
        private var essential = Ring<(number: UInt64, call: Call)>()
        private var completions = Ring<(number: UInt64, call: Call)>()
        private var lastNumber: UInt64 = 0

        var count: Int { limitedCount + completions.count }
        /// The number of calls without the completions, which the limit does not include.
        var limitedCount: Int { ordinary.count + essential.count }

        mutating func append(_ call: @escaping Call, isEssential: Bool) {
            lastNumber += 1
            if isEssential {
                essential.append((lastNumber, call))
            } else {
                ordinary.append((lastNumber, call))
            }
        }

        mutating func append(completion: @escaping Call) {
            lastNumber += 1
            completions.append((lastNumber, completion))
        }

        mutating func popFirst() -> Call? {
            let nextOrdinary = ordinary.first?.number ?? .max
            let nextEssential = essential.first?.number ?? .max
            if let completion = completions.first,
                completion.number < min(nextOrdinary, nextEssential)
            {
                return completions.popFirst()?.call
            }
            return nextOrdinary < nextEssential
                ? ordinary.popFirst()?.call : essential.popFirst()?.call
        }

        /// Drops a waiting call and appends `call`, or drops `call` itself. Returns the dropped
        /// call.
        mutating func replace(
            with call: @escaping Call, isEssential: Bool, keepingOldest keepsOldest: Bool
        ) -> Call {
            let dropped =
                if keepsOldest {
                    isEssential ? ordinary.popLast() : nil
                } else {
                    ordinary.popFirst() ?? (isEssential ? essential.popFirst() : nil)
                }
            guard let dropped else { return call }
            append(call, isEssential: isEssential)
            return dropped.call
        }
    }

    private struct State: Sendable {
        var pending = Pending()
        /// Whether the queue takes no further calls.
        var isClosed = false
        var isRunning = false
        /// The number of jobs that returned immediately because another job was running a call. The
        /// running job also runs one call for each of them.
        var skippedJobs = 0
        /// The effect of the queue on the source, as last reported to the flow control.
        var hold = FlowControl.Hold.none
    }

    private let executor: any CallbackExecutor
    private let policy: BufferingPolicy
    private let state = Locked(State())
    private let flow: FlowControl?
    let drops = DropCounter()

    /// Creates a queue that runs calls on `executor`. At least one call may wait, even if the limit
    /// of `policy` is 0.
    public convenience init(
        on executor: any CallbackExecutor, buffering policy: BufferingPolicy = .newest(256)
    ) {
        self.init(on: executor, buffering: policy, flow: nil)
    }

    /// Creates a queue. If `flow` is not `nil`, it pauses the source while the queue is full.
    package init(
        on executor: any CallbackExecutor, buffering policy: BufferingPolicy = .newest(256),
        flow: FlowControl?
    ) {
        self.executor = executor
        self.policy = policy
        self.flow = flow
    }

    /// The number of calls dropped because the queue was full.
    public var droppedCount: Int { drops.count }

    /// The number of waiting calls.
    package var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Runs `call` on the executor, after the calls that were enqueued before.
    ///
    /// If the queue is full, an `essential` call, such as a change of state, is dropped only if all
    /// waiting calls are essential.
    public func enqueue(essential: Bool = false, _ call: @escaping @Sendable () -> Void) {
        // The dropped call is returned, so that the objects it captures are released outside the
        // lock.
        let (isOpen, dropped) = state.withLock { state -> (Bool, Call?) in
            guard !state.isClosed else { return (false, nil) }
            if state.pending.limitedCount < max(1, policy.limit) {
                state.pending.append(call, isEssential: essential)
                return (true, nil)
            }
            var keepsOldest = false
            if case .oldest = policy { keepsOldest = true }
            let dropped = state.pending.replace(
                with: call, isEssential: essential, keepingOldest: keepsOldest)
            return (true, dropped)
        }
        guard isOpen else { return }
        if dropped == nil {
            executor.execute { [self] in runNext() }
        } else {
            // No job is added, because the job of the dropped call runs the new call.
            drops.increment()
        }
        updateFlow()
    }

    /// Runs `call`, which completes a source, on the executor, after the calls that were enqueued
    /// before. It is never dropped, and the limit does not include it.
    func enqueueCompletion(_ call: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.pending.append(completion: call) }
            return !state.isClosed
        }
        if isOpen { executor.execute { [self] in runNext() } }
    }

    /// Removes the waiting calls without counting them, and ignores later calls. From now on, the
    /// queue does not pause the source, even if a call never returns.
    package func close() {
        let removed = state.withLock { state in
            state.isClosed = true
            return exchange(&state.pending, with: Pending())
        }
        updateFlow()
        // The calls and the objects they capture are released last, and outside the lock.
        withExtendedLifetime(removed) {}
    }

    /// Reports to the flow control whether the queue pauses the source.
    private func updateFlow() {
        guard let flow else { return }
        let (old, new) = state.withLock { state in
            // The queue is empty after it has been closed.
            let new = FlowControl.Hold(
                count: state.pending.limitedCount, of: policy, isRead: true)
            return (exchange(&state.hold, with: new), new)
        }
        flow.change(from: old, to: new)
    }

    /// Runs the next call. If another job is running a call, as is possible on a concurrent
    /// executor, returns at once, and the other job runs this job's call too.
    private func runNext() {
        var call = state.withLock { state -> Call? in
            guard !state.isRunning else {
                state.skippedJobs += 1
                return nil
            }
            let call = state.pending.popFirst()
            state.isRunning = call != nil
            return call
        }
        while let current = call {
            updateFlow()
            current()
            call = nextSkipped()
        }
    }

    /// Runs `call` now if no other call waits or runs. Otherwise does nothing and returns `false`.
    /// Call it only where the executor would run its calls.
    func runNow(_ call: () -> Void) -> Bool {
        let runs = state.withLock { state in
            guard !state.isClosed, !state.isRunning, state.pending.count == 0 else { return false }
            state.isRunning = true
            return true
        }
        guard runs else { return false }
        call()
        while let next = nextSkipped() { next() }
        return true
    }

    /// Returns the next call if a job returned immediately because another one was running.
    private func nextSkipped() -> Call? {
        state.withLock { state in
            guard state.skippedJobs > 0, let next = state.pending.popFirst() else {
                state.isRunning = false
                return nil
            }
            state.skippedJobs -= 1
            return next
        }
    }
}

/// Determines which values are buffered for a consumer that is slower than its source.
public enum BufferingPolicy: Hashable, Sendable {
    /// Buffers at most this number of values. A new value replaces the oldest one in a full buffer.
    case newest(Int)
    /// Buffers at most this number of values. A new value is dropped if the buffer is full.
    case oldest(Int)
    /// Buffers all values. The memory use grows while the consumer is too slow.
    case unbounded

    /// The maximum number of buffered values, at least 0.
    @usableFromInline var limit: Int {
        switch self {
        case .newest(let count), .oldest(let count): max(0, count)
        case .unbounded: .max
        }
    }
}

/// Counts the values that full buffers have dropped.
@usableFromInline
final class DropCounter: Sendable {
    @usableFromInline let dropped = Atomic(0)

    @usableFromInline
    init() {}

    var count: Int { dropped.load(ordering: .relaxed) }

    @inlinable
    func increment() {
        dropped.wrappingAdd(1, ordering: .relaxed)
    }
}

/// Runs callbacks: a dispatch queue, the main actor or another executor.
public protocol CallbackExecutor: Sendable {
    /// Runs `work` once, immediately or later. Several closures are started in the order in which
    /// they are passed.
    func execute(_ work: @escaping @Sendable () -> Void)
}

extension DispatchQueue: CallbackExecutor {
    /// Runs `work` on this queue and returns immediately.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        async(execute: work)
    }
}

/// Runs callbacks immediately, on the thread that sends the value.
public struct ImmediateExecutor: CallbackExecutor {
    /// Creates an executor that runs callbacks on the calling thread.
    public init() {}

    /// Runs `work` before it returns.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        work()
    }
}

extension CallbackExecutor where Self == ImmediateExecutor {
    /// Runs callbacks on the thread that sends the value.
    public static var immediate: Self { ImmediateExecutor() }
}

/// Runs callbacks on the main actor, in order.
///
/// The program must run the main queue: with an `async` main, `dispatchMain()` or a main run loop.
public struct MainExecutor: CallbackExecutor {
    /// Creates an executor that runs callbacks on the main actor.
    public init() {}

    /// Runs `work` on the main queue and returns immediately.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }
}

extension CallbackExecutor where Self == MainExecutor {
    /// Runs callbacks on the main actor.
    public static var main: Self { MainExecutor() }
}

/// Determines whether the calling code runs on the main queue or the main actor.
///
/// `Thread.isMainThread` is not sufficient, because it is false with `dispatchMain()` and with an
/// `async` main.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the calling code runs on the main queue or the main actor.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Runs a closure now if the calling code runs on the main queue; otherwise, soon on that queue.
    static func perform(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { DispatchQueue.main.async(execute: body) }
    }
}
