// SPDX-License-Identifier: MIT
public import Synchronization

/// What is kept for a consumer that is slower than its source.
public enum BufferingPolicy: Hashable, Sendable {
    /// Keeps the last `n` values and drops older ones.
    case newest(Int)
    /// Keeps the first `n` values and drops what comes after them.
    case oldest(Int)
    /// Keeps everything; memory grows for as long as the consumer lags.
    case unbounded

    /// The number of values kept at most; nothing below zero is asked for.
    @usableFromInline var limit: Int {
        switch self {
        case .newest(let count), .oldest(let count): max(0, count)
        case .unbounded: .max
        }
    }
}

/// A count of what bounded buffers had to drop.
@usableFromInline
final class DropCounter: Sendable {
    @usableFromInline let dropped = Atomic(0)

    @usableFromInline
    init() {}

    var count: Int { dropped.load(ordering: .relaxed) }

    @inlinable
    func increment() {
        dropped.wrappingAdd(1, ordering: .relaxed)
    }
}
