// SPDX-License-Identifier: MIT

/// A first-in, first-out queue that keeps its storage.
@usableFromInline
struct Ring<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @usableFromInline
    init() {}

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

    @inlinable
    mutating func removeAll() {
        self = Ring()
    }

    @usableFromInline
    mutating func grow() {
        let ordered = slots[head...] + slots[..<head]
        slots = ordered + Array(repeating: nil, count: max(8, slots.count))
        head = 0
    }
}

extension Ring: Sendable where Element: Sendable {}
