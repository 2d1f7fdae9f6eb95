// SPDX-License-Identifier: MIT
import Synchronization

/// Limits the number of concurrent streams of a kind that uses much memory or time.
final class StreamLimit: Sendable {
    /// A permit for one stream, returned when it is released.
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

    /// Returns a permit for another stream; `nil` if the limit is reached.
    func place() -> Place? {
        let place = count.add(1, ordering: .relaxed).newValue
        // Released on return if the limit is exceeded.
        let taken = Place(self)
        return place <= most ? taken : nil
    }
}
