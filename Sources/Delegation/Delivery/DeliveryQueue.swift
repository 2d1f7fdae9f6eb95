// SPDX-License-Identifier: MIT

/// A bounded queue of calls that run on an executor, in order and one at a time.
///
/// The producer never waits. When the queue is full, calls are dropped as the policy says, and
/// counted. Essential calls are dropped only if no other call is left. One job is scheduled for each
/// pending call, so other work on the same serial queue keeps its place between them.
public final class DeliveryQueue: Sendable {
    private typealias Call = @Sendable () -> Void

    /// Numbered calls. Essential ones are stored apart, so that the call to drop is always at an end.
    private struct Pending: Sendable {
        private var ordinary = Ring<(number: UInt64, call: Call)>()
        private var essential = Ring<(number: UInt64, call: Call)>()
        private var lastNumber: UInt64 = 0

        var count: Int { ordinary.count + essential.count }

        mutating func append(_ call: @escaping Call, isEssential: Bool) {
            lastNumber += 1
            if isEssential {
                essential.append((lastNumber, call))
            } else {
                ordinary.append((lastNumber, call))
            }
        }

        mutating func popFirst() -> Call? {
            guard let next = ordinary.first else { return essential.popFirst()?.call }
            if let other = essential.first, other.number < next.number {
                return essential.popFirst()?.call
            }
            return ordinary.popFirst()?.call
        }

        /// Appends `call` in place of another one and returns the dropped call, which may be `call`.
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
        var isRunning = false
        /// The number of jobs that found a call running and left theirs to that job.
        var skippedJobs = 0
        /// The queue's last reported effect on the source.
        var hold = FlowControl.Hold.none
    }

    private let executor: any CallbackExecutor
    private let policy: BufferingPolicy
    private let state = Locked(State())
    private let flow: FlowControl?
    let drops = DropCounter()

    /// Creates a queue for `executor` with the limit of `policy`, at least one call.
    public convenience init(
        on executor: any CallbackExecutor, buffering policy: BufferingPolicy = .newest(256)
    ) {
        self.init(on: executor, buffering: policy, flow: nil)
    }

    /// Creates a queue for a source that can pause for it.
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
    public var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Runs `call` on the executor, after the calls before it.
    ///
    /// A full queue drops an `essential` call, such as a change of state, only if all waiting calls
    /// are essential.
    public func enqueue(essential: Bool = false, _ call: @escaping @Sendable () -> Void) {
        // Returned, so that its captures are released outside the lock.
        let dropped = state.withLock { state -> Call? in
            if state.pending.count < max(1, policy.limit) {
                state.pending.append(call, isEssential: essential)
                return nil
            }
            var keepsOldest = false
            if case .oldest = policy { keepsOldest = true }
            return state.pending.replace(
                with: call, isEssential: essential, keepingOldest: keepsOldest)
        }
        if dropped == nil {
            executor.execute { [self] in runNext() }
        } else {
            // The job of the dropped call runs the one that replaces it.
            drops.increment()
        }
        updateFlow()
    }

    /// Holds a source that can pause while the queue is full.
    private func updateFlow() {
        guard let flow else { return }
        let (old, new) = state.withLock { state in
            let new = FlowControl.Hold(count: state.pending.count, of: policy, isRead: true)
            defer { state.hold = new }
            return (state.hold, new)
        }
        flow.change(from: old, to: new)
    }

    /// Runs one call. On a concurrent executor, a job that finds a call running leaves its own call
    /// to that job.
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
            call = state.withLock { state in
                guard state.skippedJobs > 0, let next = state.pending.popFirst() else {
                    state.isRunning = false
                    return nil
                }
                state.skippedJobs -= 1
                return next
            }
        }
    }
}
