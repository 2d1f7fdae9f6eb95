// SPDX-License-Identifier: MIT

/// A queue that reuses its storage. Elements are added at the end and removed at either end, in
/// constant time.
@usableFromInline
struct Ring<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @usableFromInline
    init() {}

    var first: Element? { count > 0 ? slots[head] : nil }

    @inlinable
    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        let end = head + count
        slots[end < slots.count ? end : end - slots.count] = element
        count += 1
    }

    @inlinable
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            slots[head] = nil
            head = head + 1 < slots.count ? head + 1 : 0
            count -= 1
        }
        return slots[head]
    }

    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        let end = head + count
        let index = end < slots.count ? end : end - slots.count
        return exchange(&slots[index], with: nil)
    }

    /// Empties the queue. Returns its elements as a queue.
    mutating func removeAll() -> Ring { exchange(&self, with: Ring()) }

    @usableFromInline
    mutating func grow() {
        let ordered = slots[head...] + slots[..<head]
        slots = ordered + Array(repeating: nil, count: max(8, slots.count))
        head = 0
    }
}

extension Ring: Sendable where Element: Sendable {}
