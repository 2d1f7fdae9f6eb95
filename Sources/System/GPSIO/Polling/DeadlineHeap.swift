// SPDX-License-Identifier: MIT
package import GNSS

/// A binary heap of deadlines, earliest first. Each deadline has a token that identifies its
/// waiting task.
package struct DeadlineHeap<Token> {
    private struct Entry {
        let instant: MonotonicInstant
        let token: Token
    }

    private var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// The earliest deadline and its token, even if the token's task no longer waits; `nil` if the
    /// heap is empty.
    package var first: (instant: MonotonicInstant, token: Token)? {
        entries.first.map { ($0.instant, $0.token) }
    }

    package mutating func insert(_ instant: MonotonicInstant, token: Token) {
        entries.append(Entry(instant: instant, token: token))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].instant < entries[parent].instant else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the deadlines of tasks that no longer wait, according to `isWaiting`.
    package mutating func compact(where isWaiting: (Token) -> Bool) {
        let kept = entries.filter { isWaiting($0.token) }
        entries.removeAll(keepingCapacity: true)
        for entry in kept { insert(entry.instant, token: entry.token) }
    }

    /// Removes the earliest deadline.
    package mutating func removeFirst() {
        guard !entries.isEmpty else { return }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].instant < entries[smallest].instant { smallest = child }
            }
            guard smallest != parent else { return }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
