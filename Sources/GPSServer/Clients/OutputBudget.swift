// SPDX-License-Identifier: MIT
import Synchronization

/// Counts the bytes that wait for all clients of a server together.
package final class OutputBudget: Sendable {
    private let limit: Int
    private let total = Atomic<Int>(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// How many bytes wait.
    package var count: Int { total.load(ordering: .relaxed) }

    /// Whether the budget is exceeded: each client's queue has to be short.
    var isExceeded: Bool { count > limit }

    /// Adds to what waits; a negative number for what no longer does.
    func add(_ bytes: Int) {
        if bytes != 0 { total.wrappingAdd(bytes, ordering: .relaxed) }
    }
}
