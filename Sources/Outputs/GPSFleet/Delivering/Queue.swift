// SPDX-License-Identifier: MIT

/// A first-in, first-out queue.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var start = 0

    /// The oldest element; `nil` if the queue is empty.
    var first: Element? { start < elements.count ? elements[start] : nil }

    var count: Int { elements.count - start }

    /// All elements, oldest first.
    var contents: [Element] { elements[start...].compactMap { $0 } }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() {
        guard start < elements.count else { return }
        elements[start] = nil
        start += 1
        guard start > 1024, start * 2 > elements.count else { return }
        elements.removeFirst(start)
        start = 0
    }

    /// Removes and returns the elements that satisfy a condition, oldest first.
    mutating func extract(where condition: (Element) -> Bool) -> [Element] {
        let all = contents
        self = Queue()
        for element in all where !condition(element) { append(element) }
        return all.filter(condition)
    }
}
