// SPDX-License-Identifier: MIT
import Delegation

/// How many of the library's objects are alive that were made while these counts watched.
///
/// Tests that run side by side each have their own.
final class LiveCounts: Sendable {
    private struct State {
        var counts: [LiveObjects.Kind: Int] = [:]
        var waiters: [@Sendable () -> Void] = []

        mutating func takeWaiters() -> [@Sendable () -> Void] {
            guard counts.values.allSatisfy({ $0 == 0 }) else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    /// How many objects of one kind are alive.
    subscript(kind: LiveObjects.Kind) -> Int { state.withLock { $0.counts[kind] ?? 0 } }

    /// How many objects are alive.
    var total: Int { state.withLock { $0.counts.values.reduce(0, +) } }

    /// Counts what `body` makes.
    func watch(_ body: () throws -> Void) rethrows {
        try LiveObjects.$report.withValue({ self.change($0, by: $1) }, operation: body)
    }

    /// Counts what `body` makes.
    func watch(_ body: @concurrent () async throws -> Void) async throws {
        try await LiveObjects.$report.withValue({ self.change($0, by: $1) }, operation: body)
    }

    /// Calls `body` once when no object is alive, which may be now.
    func whenZero(_ body: @escaping @Sendable () -> Void) {
        let due = state.withLock { state in
            state.waiters.append(body)
            return state.takeWaiters()
        }
        for body in due { body() }
    }

    private func change(_ kind: LiveObjects.Kind, by difference: Int) {
        let due = state.withLock { state in
            state.counts[kind, default: 0] += difference
            return state.takeWaiters()
        }
        for body in due { body() }
    }
}
