// SPDX-License-Identifier: MIT
import GNSS
import Synchronization

/// A clock that advances only when the caller advances it. A simulation then sends the epochs that
/// are due.
///
/// When the clock is deinitialized, every simulation that uses it ends.
public final class ManualClock: Sendable {
    let time = SteppedTime()

    /// Creates a clock at 0 s.
    public init() {}

    deinit { time.end() }

    /// The sum of all steps so far, in seconds.
    public var elapsed: Double { time.elapsed }

    /// The number of tasks waiting for the clock.
    package var waiterCount: Int { time.waiterCount }

    /// Advances the clock and resumes the tasks that are due. A negative step is ignored.
    public func advance(by step: Duration) {
        time.advance(by: step / .seconds(1))
    }
}

/// The state of a `ManualClock`. Simulations retain this object instead of the clock, because they
/// end when the clock is deinitialized.
final class SteppedTime: SimulationClock {
    private struct Waiter {
        var due: Double
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var elapsed = 0.0
        var isEnded = false
        var waiters: [UInt64: Waiter] = [:]
        var tokens: UInt64 = 0
        /// The ids of cancelled waits that have not returned yet. A wait can be cancelled before it
        /// has been added to `waiters`.
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    var elapsed: Double { state.withLock { $0.elapsed } }

    /// The number of waiting tasks.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    func advance(by seconds: Double) {
        let due = state.withLock { state -> [Waiter] in
            state.elapsed += max(0, seconds)
            let due = state.waiters.filter { $0.value.due <= state.elapsed }
            for token in due.keys { state.waiters[token] = nil }
            return due.values.sorted { $0.due < $1.due }
        }
        for waiter in due { waiter.continuation.resume(returning: true) }
    }

    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            return exchange(&state.waiters, with: [:]).values.map(\.continuation)
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    func instant(after seconds: Double) -> MonotonicInstant? { nil }

    func wait(until seconds: Double) async -> Bool {
        let token = state.withLock { state in
            state.tokens += 1
            return state.tokens
        }
        defer { state.withLock { _ = $0.cancelled.remove(token) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.isEnded || state.cancelled.contains(token) { return false }
                    if seconds <= state.elapsed { return true }
                    state.waiters[token] = Waiter(due: seconds, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(token)
                return state.waiters.removeValue(forKey: token)
            }
            waiter?.continuation.resume(returning: false)
        }
    }
}
