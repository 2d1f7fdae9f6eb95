// SPDX-License-Identifier: MIT
import Synchronization

/// Counts the bytes that wait for all clients of a server together.
package final class OutputBudget: Sendable {
    /// How much may wait for each reader where the budget is exceeded.
    private static let shortLimit = 32 * 1024

    private let limit: Int
    private let total = Atomic<Int>(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// How many bytes wait.
    package var count: Int { total.load(ordering: .relaxed) }

    /// How much may wait for a reader now: less than usual where the budget is exceeded.
    func limit(_ usual: Int) -> Int { count > limit ? min(usual, Self.shortLimit) : usual }

    /// Adds to what waits; a negative number for what no longer does.
    func add(_ bytes: Int) {
        if bytes != 0 { total.wrappingAdd(bytes, ordering: .relaxed) }
    }
}
