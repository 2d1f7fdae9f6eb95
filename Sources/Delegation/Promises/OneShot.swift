// SPDX-License-Identifier: MIT
import Synchronization

/// A result that is settled once, and its waiters, each of which is called exactly once.
///
/// Deallocated while pending, it settles itself as abandoned.
final class OneShot<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Waiter = @Sendable (Outcome) -> Void

    private struct State {
        var outcome: Outcome?
        var waiters: [(id: UInt64, isConsumer: Bool, resume: Waiter)] = []
        var lastID: UInt64 = 0
    }

    /// Read without the lock, and without what the value's type would have to be looked up for.
    private let hasOutcome = Atomic<Bool>(false)
    private let state = Locked(State())

    deinit {
        _ = settle(.failure(PromiseError(.abandoned)))
    }

    /// Whether a waiter wants the value, not only to clean up after it.
    var hasConsumers: Bool { state.withLock { $0.waiters.contains { $0.isConsumer } } }

    /// Whether there is an outcome.
    var isSettled: Bool { hasOutcome.load(ordering: .acquiring) }

    /// Settles the result unless it is settled, and returns whether this call did it.
    func settle(_ outcome: Outcome) -> Bool {
        let waiters = state.withLock { state -> [Waiter]? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            hasOutcome.store(true, ordering: .releasing)
            defer { state.waiters = [] }
            return state.waiters.map(\.resume)
        }
        for resume in waiters ?? [] { resume(outcome) }
        return waiters != nil
    }

    /// Calls `waiter` once with the outcome, at once if there is one; the result withdraws it.
    @discardableResult
    func wait(asConsumer isConsumer: Bool = true, _ waiter: @escaping Waiter) -> UInt64 {
        let (outcome, id) = state.withLock { state -> (Outcome?, UInt64) in
            state.lastID += 1
            if state.outcome == nil { state.waiters.append((state.lastID, isConsumer, waiter)) }
            return (state.outcome, state.lastID)
        }
        if let outcome { waiter(outcome) }
        return id
    }

    /// Forgets a waiter that has not been called yet.
    func removeWaiter(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        // Released outside the lock, with what it captures.
        withExtendedLifetime(waiter) {}
    }
}

extension OneShot {
    /// Waits for the outcome.
    ///
    /// Cancelling the task ends this wait with a `CancellationError` and doesn't affect other waiters.
    func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        // Settled by whatever comes first, so the task resumes exactly once.
        let turn = OneShot<Value>()
        let id = wait { _ = turn.settle($0) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                turn.wait { continuation.resume(with: $0) }
            }
        } onCancel: {
            removeWaiter(id)
            _ = turn.settle(.failure(CancellationError()))
        }
    }
}
