// SPDX-License-Identifier: MIT
import Synchronization

/// Limits the number of concurrent streams of one kind, because each needs much memory or time.
final class StreamLimit: Sendable {
    /// A permit for one stream. Releasing the object makes it available again.
    final class Permit: Sendable {
        private let limit: StreamLimit

        fileprivate init(_ limit: StreamLimit) {
            self.limit = limit
        }

        deinit { limit.count.subtract(1, ordering: .relaxed) }
    }

    private let maximum: Int
    private let count = Atomic<Int>(0)

    /// Creates a limit that permits `maximum` concurrent streams.
    init(_ maximum: Int) {
        self.maximum = maximum
    }

    /// Returns a permit for another stream; `nil` if the limit is reached.
    func acquire() -> Permit? {
        let newCount = count.add(1, ordering: .relaxed).newValue
        // If the limit is exceeded, `permit` is released on return, which corrects the count.
        let permit = Permit(self)
        return newCount <= maximum ? permit : nil
    }
}
