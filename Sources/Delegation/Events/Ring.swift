// SPDX-License-Identifier: MIT

/// A first-in, first-out queue that keeps its storage.
struct Ring<Element> {
    private var slots: [Element?] = []
    private var head = 0
    private(set) var count = 0

    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head + count) % slots.count] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            slots[head] = nil
            head = (head + 1) % slots.count
            count -= 1
        }
        return slots[head]
    }

    mutating func removeAll() {
        self = Ring()
    }

    private mutating func grow() {
        let ordered = slots[head...] + slots[..<head]
        slots = ordered + Array(repeating: nil, count: max(8, slots.count))
        head = 0
    }
}

extension Ring: Sendable where Element: Sendable {}
