// SPDX-License-Identifier: MIT

/// Calls on their way to another executor: in order, one at a time, never more than a bound.
///
/// The producer never waits. When the executor lags and the queue is full, calls are dropped as the
/// policy says and counted; essential calls only when nothing else is left to drop. One job is
/// scheduled per pending call, so work that the user puts on the same serial queue runs in its
/// place between them.
public final class DeliveryQueue: Sendable {
    private typealias Call = @Sendable () -> Void

    /// Calls in order, essential ones apart: whichever is to be dropped is at an end.
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

        /// Appends `call` in place of another, and returns the one that was dropped: maybe `call`.
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
        var turnsOwed = 0
        /// What it counts for in the source's flow control.
        var hold = FlowControl.Hold.none
    }

    private let executor: any CallbackExecutor
    private let policy: BufferingPolicy
    private let state = Locked(State())
    private let flow: FlowControl?
    let drops = DropCounter()

    /// Creates a queue in front of `executor` that holds as many calls as `policy` says, one at least.
    public convenience init(
        on executor: any CallbackExecutor, buffering policy: BufferingPolicy = .newest(256)
    ) {
        self.init(on: executor, buffering: policy, flow: nil)
    }

    /// As above, for a source that may wait for the queue.
    package init(
        on executor: any CallbackExecutor, buffering policy: BufferingPolicy = .newest(256),
        flow: FlowControl?
    ) {
        self.executor = executor
        self.policy = policy
        self.flow = flow
    }

    /// How many calls were dropped because the queue was full.
    public var droppedCount: Int { drops.count }

    /// How many calls are waiting.
    public var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Has `call` run on the executor, after the calls before it.
    ///
    /// An `essential` call, such as a change of state, is kept in a full queue as long as another
    /// can be dropped.
    public func enqueue(essential: Bool = false, _ call: @escaping @Sendable () -> Void) {
        // Returned from the lock, so that what it captures is released outside.
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
            executor.execute { [self] in takeTurn() }
        } else {
            // A dropped call leaves its turn to the one that takes its place.
            drops.increment()
        }
        updateFlow()
    }

    /// Holds a source that can wait while the queue is full.
    private func updateFlow() {
        guard let flow else { return }
        let (old, new) = state.withLock { state in
            let new = FlowControl.Hold(count: state.pending.count, of: policy, isRead: true)
            defer { state.hold = new }
            return (state.hold, new)
        }
        flow.change(from: old, to: new)
    }

    /// Runs one call; a turn that comes during another, on a concurrent executor, is left to it.
    private func takeTurn() {
        var call = state.withLock { state -> Call? in
            guard !state.isRunning else {
                state.turnsOwed += 1
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
                guard state.turnsOwed > 0, let next = state.pending.popFirst() else {
                    state.isRunning = false
                    return nil
                }
                state.turnsOwed -= 1
                return next
            }
        }
    }
}
