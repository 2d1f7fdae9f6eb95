// SPDX-License-Identifier: MIT
public import Synchronization

/// Selects the values that are kept for a consumer that is slower than its source.
public enum BufferingPolicy: Hashable, Sendable {
    /// Keeps the last `n` values and drops older ones.
    case newest(Int)
    /// Keeps the first `n` values and drops later ones.
    case oldest(Int)
    /// Keeps everything; memory grows while the consumer is too slow.
    case unbounded

    /// The maximum number of values kept, at least zero.
    @usableFromInline var limit: Int {
        switch self {
        case .newest(let count), .oldest(let count): max(0, count)
        case .unbounded: .max
        }
    }
}

/// The number of values that bounded buffers have dropped.
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
