// SPDX-License-Identifier: MIT
public import Synchronization

/// Determines which values are buffered for a consumer that is slower than its source.
public enum BufferingPolicy: Hashable, Sendable {
    /// Buffers at most this number of values. A new value replaces the oldest one in a full buffer.
    case newest(Int)
    /// Buffers at most this number of values. A new value is dropped if the buffer is full.
    case oldest(Int)
    /// Buffers all values. The memory use grows while the consumer is too slow.
    case unbounded

    /// The maximum number of buffered values, at least 0.
    @usableFromInline var limit: Int {
        switch self {
        case .newest(let count), .oldest(let count): max(0, count)
        case .unbounded: .max
        }
    }
}

/// Counts the values that full buffers have dropped.
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
