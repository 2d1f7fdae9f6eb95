// SPDX-License-Identifier: MIT
import Synchronization

/// A clock that is advanced only by a test.
package final class SteppedClock: Clock, Sendable {
    private struct State {
        var now = ContinuousClock.now
        var sleepers:
            [(deadline: ContinuousClock.Instant, continuation: CheckedContinuation<Void, Never>)] =
                []
    }

    private let state = Mutex(State())

    /// Creates a stopped clock.
    package init() {}

    deinit { advance(by: .seconds(1_000_000)) }

    package var now: ContinuousClock.Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }
    /// The number of waiting tasks.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard deadline > state.now else { return true }
                state.sleepers.append((deadline, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Advances the time and wakes the tasks whose deadline has passed.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
