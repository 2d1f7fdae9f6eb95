// SPDX-License-Identifier: MIT

/// How many of this library's objects are alive, so that a test can assert that nothing leaks.
///
/// Counted in debug builds only; in release builds every count is zero. An object is counted by
/// the `LiveCounts` that is `current` in the task or thread that makes it, so tests that run side
/// by side can each have their own:
///
///     let counts = LiveCounts()
///     LiveCounts.$current.withValue(counts) { … }
///     #expect(counts.total == 0)
public final class LiveCounts: Sendable {
    /// What is counted.
    public enum Kind: Int, CaseIterable, Sendable {
        /// The bases of delegate proxies.
        case proxies
        /// Observers attached to an event, or still referred to by a subscription.
        case observers
        /// Buffers of streams and of their iterators.
        case streams
        /// Promises.
        case promises
    }

    /// The counts new objects are entered in.
    @TaskLocal public static var current = LiveCounts()

    private struct State {
        var counts = Array(repeating: 0, count: Kind.allCases.count)
        var waiters: [@Sendable () -> Void] = []

        mutating func takeWaiters() -> [@Sendable () -> Void] {
            guard counts.allSatisfy({ $0 == 0 }) else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    /// Creates counts that are all zero.
    public init() {}

    /// How many objects of one kind are alive.
    public subscript(kind: Kind) -> Int { state.withLock { $0.counts[kind.rawValue] } }

    /// How many objects are alive.
    public var total: Int { state.withLock { $0.counts.reduce(0, +) } }

    /// Calls `body` once when no object is alive, which may be now.
    package func whenZero(_ body: @escaping @Sendable () -> Void) {
        let due = state.withLock { state in
            state.waiters.append(body)
            return state.takeWaiters()
        }
        for body in due { body() }
    }

    func change(_ kind: Kind, by difference: Int) {
        let due = state.withLock { state in
            state.counts[kind.rawValue] += difference
            return state.takeWaiters()
        }
        for body in due { body() }
    }
}

/// A property that counts its owner among the living; takes no space in release builds.
struct LiveToken: ~Copyable, Sendable {
    #if DEBUG
        private let kind: LiveCounts.Kind
        private let counts: LiveCounts

        init(_ kind: LiveCounts.Kind) {
            self.kind = kind
            counts = .current
            counts.change(kind, by: 1)
        }

        deinit {
            counts.change(kind, by: -1)
        }
    #else
        init(_ kind: LiveCounts.Kind) {}
    #endif
}
