// SPDX-License-Identifier: MIT
import Synchronization

/// Limits the bytes that wait for all clients of a server together.
package final class OutputBudget: Sendable {
    /// The limit per reader while the budget is exceeded.
    private static let shortLimit = 32 * 1024

    private let limit: Int
    private let total = Atomic<Int>(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// The number of waiting bytes.
    package var count: Int { total.load(ordering: .relaxed) }

    /// Returns the current limit for a reader, which is lower while the budget is exceeded.
    func limit(_ usual: Int) -> Int { count > limit ? min(usual, Self.shortLimit) : usual }

    /// Adds to the waiting bytes; a negative number subtracts.
    func add(_ bytes: Int) {
        if bytes != 0 { total.wrappingAdd(bytes, ordering: .relaxed) }
    }
}
