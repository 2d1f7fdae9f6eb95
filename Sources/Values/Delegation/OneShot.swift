// SPDX-License-Identifier: MIT
import Synchronization

/// An outcome that is set once, such as that of a `Promise`, and the closures that wait for it
/// (waiters). Each waiter is called exactly once.
///
/// If the object is deallocated before the outcome is set, the waiters receive
/// `PromiseError.Code.abandoned`.
final class OneShot<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Waiter = @Sendable (Outcome) -> Void

    private struct Waiting {
        let id: UInt64
        /// Whether the waiter uses the outcome. Otherwise, it only cleans up.
        var isConsumer: Bool
        /// Whether the waiter is the closure of a `finally` whose promise has been released. It
        /// does not prevent a timeout or a cancellation from ending the request.
        var isReleasedFinally = false
        let resume: Waiter
    }

    private struct State {
        var outcome: Outcome?
        var waiters: [Waiting] = []
        var lastID: UInt64 = 0
        /// Whether the promise with this outcome has been released, so that no waiter can be added.
        var isReleased = false
        /// Whether the outcome depends on that of a promise before it in a chain.
        var isChained = false
        /// Whether a timer will set the outcome.
        var hasTimer = false
        /// Called when the promise with this outcome is released and no consumer waits.
        var onRelease: (@Sendable () -> Void)?
        /// The timeout or cancellation error of a promise that depends on this outcome; `nil` if
        /// there is none. If nothing else uses the outcome, it is set to this error.
        var interruption: (any Error)?

        /// Whether nothing uses the outcome. A timer at the end of a chain uses it, because it will
        /// end the requests of the promises before it.
        var isUnused: Bool {
            isReleased && (interruption != nil || !isChained || !hasTimer)
                && !waiters.contains {
                    $0.isConsumer && !($0.isReleasedFinally && interruption != nil)
                }
        }

        /// Changes the waiter with this identifier if it has not been called yet.
        mutating func change(_ id: UInt64, _ change: (inout Waiting) -> Void) {
            guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
            change(&waiters[index])
        }
    }

    /// Whether a call has set the outcome. Reading it requires neither the lock nor the type metadata
    /// of the value.
    private let hasOutcome = Atomic<Bool>(false)
    private let state = Locked(State())

    deinit {
        _ = settle(.failure(PromiseError(.abandoned)))
    }

    /// Whether the outcome has been set.
    var isSettled: Bool { hasOutcome.load(ordering: .acquiring) }

    /// Returns the value, or throws the error, of an outcome that has been set: waiters may call it.
    func settledValue() throws -> Value {
        guard let outcome = state.withLock({ $0.outcome }) else { throw PromiseError(.abandoned) }
        return try outcome.get()
    }

    /// Sets the outcome unless it has been set before. Returns whether this call set it.
    ///
    /// Waiters that clean up are called before all others, so that an observation or a timer has
    /// ended when the value is received.
    func settle(_ outcome: Outcome) -> Bool {
        let claimed = hasOutcome.compareExchange(
            expected: false, desired: true, ordering: .acquiringAndReleasing)
        guard claimed.exchanged else { return false }
        let cleanups = state.withLock { state in
            let cleanups = state.waiters.filter { !$0.isConsumer }
            state.waiters.removeAll { !$0.isConsumer }
            return cleanups
        }
        for cleanup in cleanups { cleanup.resume(outcome) }
        let waiters = state.withLock { state in
            state.outcome = outcome
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.resume(outcome) }
        return true
    }

    /// Calls `waiter` once with the outcome: immediately if it has been set, otherwise when it is
    /// set. Returns an identifier for `removeWaiter`.
    ///
    /// If `isConsumer` is `false`, the waiter only cleans up, so it does not count as a use of the
    /// outcome.
    @discardableResult
    func wait(asConsumer isConsumer: Bool = true, _ waiter: @escaping Waiter) -> UInt64 {
        let (outcome, id) = state.withLock { state -> (Outcome?, UInt64) in
            state.lastID += 1
            if state.outcome == nil {
                state.waiters.append(
                    Waiting(id: state.lastID, isConsumer: isConsumer, resume: waiter))
            }
            return (state.outcome, state.lastID)
        }
        if let outcome { waiter(outcome) }
        return id
    }

    /// Records that the promise with this outcome has been released. If nothing waits for the
    /// outcome, sets it to an error. Waiters that only clean up do not count.
    func promiseWasReleased() {
        let onRelease = state.withLock { state -> (@Sendable () -> Void)? in
            state.isReleased = true
            return state.waiters.contains { $0.isConsumer } ? nil : state.onRelease
        }
        onRelease?()
        rejectIfUnused()
    }

    /// Records that a timer will set the outcome.
    func timerWasStarted() {
        state.withLock { $0.hasTimer = true }
    }

    private func rejectIfUnused() {
        let (isUnused, error) = state.withLock { state in
            (state.isUnused, state.interruption ?? PromiseError(.abandoned))
        }
        if isUnused { _ = settle(.failure(error)) }
    }

    /// Calls `waiter` once with the outcome. `waiter` must settle `next`.
    ///
    /// If a timeout or a cancellation settles `next` first, this outcome is set to the same error,
    /// unless its promise is still referenced or something else waits for it. The closure of a
    /// `finally` whose promise, `next`, has been released does not count. `waiter` is called in
    /// every case, because it may clean up.
    func wait<Next>(
        toSettle next: OneShot<Next>, isFinally: Bool = false, _ waiter: @escaping Waiter
    ) {
        let id = wait(waiter)
        next.state.withLock { state in
            state.isChained = true
            guard isFinally else { return }
            state.onRelease = { [weak self] in
                guard let self else { return }
                self.state.withLock { state in
                    state.change(id) { $0.isReleasedFinally = true }
                }
                rejectIfUnused()
            }
        }
        next.wait(asConsumer: false) { [weak self] outcome in
            guard let self, case .failure(let error) = outcome else { return }
            let isTimeout = (error as? PromiseError)?.code == .timedOut
            guard isTimeout || error is CancellationError else { return }
            state.withLock { state in
                state.interruption = error
                state.change(id) { $0.isConsumer = false }
            }
            rejectIfUnused()
        }
    }

    /// Removes a waiter that has not been called yet.
    private func removeWaiter(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        // The waiter and the objects it captures are released outside the lock.
        withExtendedLifetime(waiter) {}
    }
}

extension OneShot {
    /// Waits for the outcome, and returns its value or throws its error.
    ///
    /// Throws `CancellationError` if the task is cancelled. Other waiters are not affected.
    func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        // Either the outcome or the cancellation settles `resumption`, so the task resumes exactly
        // once.
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
