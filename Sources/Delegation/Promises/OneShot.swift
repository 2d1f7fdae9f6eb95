// SPDX-License-Identifier: MIT
import Synchronization

/// A result that is set once, and its waiters, which are each called exactly once.
///
/// If it is deallocated while pending, its waiters receive `PromiseError.Code.abandoned`.
final class OneShot<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Waiter = @Sendable (Outcome) -> Void

    private struct State {
        var outcome: Outcome?
        var waiters: [(id: UInt64, isConsumer: Bool, resume: Waiter)] = []
        var lastID: UInt64 = 0
    }

    /// Read without the lock, and without type metadata of the value.
    private let hasOutcome = Atomic<Bool>(false)
    private let state = Locked(State())

    deinit {
        _ = settle(.failure(PromiseError(.abandoned)))
    }

    /// Whether a waiter uses the outcome, rather than only cleaning up afterwards.
    var hasConsumers: Bool { state.withLock { $0.waiters.contains { $0.isConsumer } } }

    /// Whether the outcome has been set.
    var isSettled: Bool { hasOutcome.load(ordering: .acquiring) }

    /// Sets the outcome unless it has been set; returns whether this call set it.
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

    /// Calls `waiter` once with the outcome, immediately if it has been set. Returns an identifier
    /// for `removeWaiter`.
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

    /// Removes a waiter that has not been called yet.
    func removeWaiter(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        // Released outside the lock, together with its captures.
        withExtendedLifetime(waiter) {}
    }
}

extension OneShot {
    /// Waits for the outcome.
    ///
    /// Throws `CancellationError` if the task is cancelled; other waiters are not affected.
    func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        // Settled by the outcome or by the cancellation, so the task resumes exactly once.
        let resumption = OneShot<Value>()
        let id = wait { _ = resumption.settle($0) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                resumption.wait { continuation.resume(with: $0) }
            }
        } onCancel: {
            removeWaiter(id)
            _ = resumption.settle(.failure(CancellationError()))
        }
    }
}
