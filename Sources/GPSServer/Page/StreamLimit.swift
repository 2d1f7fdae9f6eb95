// SPDX-License-Identifier: MIT
import Synchronization

/// Limits the number of concurrent streams of one kind that take much memory or time.
final class StreamLimit: Sendable {
    /// The right to be one of the streams, until it is released.
    final class Place: Sendable {
        private let limit: StreamLimit

        fileprivate init(_ limit: StreamLimit) {
            self.limit = limit
        }

        deinit { limit.count.subtract(1, ordering: .relaxed) }
    }

    private let most: Int
    private let count = Atomic<Int>(0)

    /// Creates a limit of `most` streams.
    init(_ most: Int) {
        self.most = most
    }

    /// Reserves a place for a stream; returns `nil` if the limit is reached.
    func place() -> Place? {
        let place = count.add(1, ordering: .relaxed).newValue
        // Released at once if there are too many.
        let taken = Place(self)
        return place <= most ? taken : nil
    }
}
