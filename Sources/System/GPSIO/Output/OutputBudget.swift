// SPDX-License-Identifier: MIT
import Synchronization

/// Limits the total number of bytes that wait for all readers, such as the clients of a server.
package final class OutputBudget: Sendable {
    /// The limit in bytes per reader while the budget is exceeded.
    private static let shortLimit = 32 * 1024

    private let limit: Int
    private let total = Atomic<Int>(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// The number of bytes that wait for all readers.
    package var count: Int { total.load(ordering: .relaxed) }

    /// Returns the current limit in bytes for one reader. It is `usual` or, while the budget is
    /// exceeded, at most 32 KiB.
    func limit(_ usual: Int) -> Int { count > limit ? min(usual, Self.shortLimit) : usual }

    /// Adds to the number of waiting bytes. `bytes` is negative for bytes sent or dropped.
    func add(_ bytes: Int) {
        if bytes != 0 { total.wrappingAdd(bytes, ordering: .relaxed) }
    }
}
