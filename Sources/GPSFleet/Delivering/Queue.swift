// SPDX-License-Identifier: MIT

/// First in, first out.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var start = 0

    /// The one that is next.
    var first: Element? { start < elements.count ? elements[start] : nil }

    var count: Int { elements.count - start }

    /// All, in their order.
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

    /// Takes out what a condition holds for, in its order.
    mutating func extract(where condition: (Element) -> Bool) -> [Element] {
        let all = contents
        self = Queue()
        for element in all where !condition(element) { append(element) }
        return all.filter(condition)
    }
}
