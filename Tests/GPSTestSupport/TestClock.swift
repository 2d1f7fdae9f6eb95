// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Synchronization

/// A clock that is advanced only by a test.
package final class TestClock: Clock {
    /// The time since the clock was created.
    package struct Instant: InstantProtocol {
        var offset: Duration

        package func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        package func duration(to other: Instant) -> Duration { other.offset - offset }

        package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var nextSleeper = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a clock at time 0.
    package init() {}

    package var now: Instant { state.withLock { $0.now } }

    package var minimumResolution: Duration { .zero }

    package func sleep(until end: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOver, waiters) = state.withLock { state in
                    let isOver = Task.isCancelled || end <= state.now
                    if !isOver {
                        state.sleepers[id] = Sleeper(end: end, continuation: continuation)
                    }
                    defer { state.waiters = [] }
                    return (isOver, state.waiters)
                }
                if isOver { continuation.resume() }
                for waiter in waiters { waiter.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    /// Waits until a task sleeps on the clock.
    package func waitForSleeper() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.isEmpty { state.waiters.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Advances the time and wakes the tasks whose deadline has passed.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

extension MonotonicInstant {
    /// The time at an offset from now.
    package static func after(_ duration: Duration) -> Self { .now.advanced(by: duration) }
}

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

extension Poller {
    /// A poller whose clock stands still, so that no wait reaches its deadline. It runs until the
    /// process ends.
    package static let standing = Poller(clock: SteppedClock())
}
