// SPDX-License-Identifier: MIT

/// Calls on their way to another executor: in order, one at a time, never more than a bound.
///
/// The producer is never held up. When the other side lags and the queue is full, calls are
/// dropped as the policy says and counted; essential calls only when nothing else is left to drop.
/// One job is scheduled per pending call, so work that the user puts on the same serial queue
/// runs in its place between them.
public final class DeliveryQueue: Sendable {
    private struct Call: Sendable {
        let isEssential: Bool
        let run: @Sendable () -> Void
    }

    private struct State {
        var pending: [Call] = []
        var isRunning = false
        var turnsOwed = 0
    }

    private let executor: any CallbackExecutor
    private let policy: BufferingPolicy
    private let state = Locked(State())
    private let drops = DropCounter()

    /// Creates a queue in front of `executor` that holds as many calls as `policy` says, one at least.
    public init(
        on executor: any CallbackExecutor, buffering policy: BufferingPolicy = .newest(256)
    ) {
        self.executor = executor
        self.policy = policy
    }

    /// How many calls were dropped because the queue was full.
    public var droppedCount: Int { drops.count }

    /// How many calls wait.
    public var pendingCount: Int { state.withLock { $0.pending.count } }

    /// Has `call` run on the executor, after the calls before it.
    ///
    /// Calls that tell of a change of state are `essential`: a full queue drops others first.
    public func enqueue(essential: Bool = false, _ call: @escaping @Sendable () -> Void) {
        let needsTurn = state.withLock { state in
            let call = Call(isEssential: essential, run: call)
            if state.pending.count < max(1, policy.limit) {
                state.pending.append(call)
                return true
            }
            // A dropped call leaves its turn to the one that takes its place.
            drops.increment()
            if let victim = victim(in: state.pending, for: call) {
                state.pending.remove(at: victim)
                state.pending.append(call)
            }
            return false
        }
        if needsTurn {
            executor.execute { [self] in takeTurn() }
        }
    }

    /// The index of the call to drop in favour of `call`; `nil` when `call` itself is to go.
    private func victim(in pending: [Call], for call: Call) -> Int? {
        if case .oldest = policy {
            return call.isEssential ? pending.lastIndex { !$0.isEssential } : nil
        }
        let droppable = pending.firstIndex { !$0.isEssential }
        return droppable ?? (call.isEssential ? pending.startIndex : nil)
    }

    /// Runs one call; a turn that comes during another, on a concurrent executor, is left to it.
    private func takeTurn() {
        var call = state.withLock { state -> Call? in
            guard !state.isRunning else {
                state.turnsOwed += 1
                return nil
            }
            state.isRunning = !state.pending.isEmpty
            return state.pending.isEmpty ? nil : state.pending.removeFirst()
        }
        while let current = call {
            current.run()
            call = state.withLock { state in
                guard state.turnsOwed > 0, !state.pending.isEmpty else {
                    state.isRunning = false
                    return nil
                }
                state.turnsOwed -= 1
                return state.pending.removeFirst()
            }
        }
    }
}
