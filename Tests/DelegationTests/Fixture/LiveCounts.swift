// SPDX-License-Identifier: MIT
import Delegation

/// Counts the objects of one test that are alive. Tests that run at the same time have their own.
final class LiveCounts: Sendable {
    /// The counts of the current test; inherited by its tasks and by `onThreads`.
    @TaskLocal static var current: LiveCounts?

    private struct State {
        var count = 0
        var waiters: [@Sendable () -> Void] = []

        mutating func dueWaiters() -> [@Sendable () -> Void] {
            guard count == 0 else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    /// The number of objects that are alive.
    var count: Int { state.withLock { $0.count } }

    /// Calls `body` once when no object is alive, which may be now.
    func whenZero(_ body: @escaping @Sendable () -> Void) {
        let due = state.withLock { state in
            state.waiters.append(body)
            return state.dueWaiters()
        }
        for body in due { body() }
    }

    fileprivate func change(by difference: Int) {
        let due = state.withLock { state in
            state.count += difference
            return state.dueWaiters()
        }
        for body in due { body() }
    }
}

/// A stored property that counts its owner in the test that created it.
struct LiveToken: ~Copyable, Sendable {
    private let counts = LiveCounts.current

    init() { counts?.change(by: 1) }

    deinit { counts?.change(by: -1) }
}
