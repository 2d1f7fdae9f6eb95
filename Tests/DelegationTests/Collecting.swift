// SPDX-License-Identifier: MIT
import Delegation

/// Returns all values of a stream.
func collect<Element>(_ stream: EventStream<Element>) async -> [Element] {
    await collect(.max, of: stream)
}

/// Returns the first `count` values of a stream.
func collect<Element>(_ count: Int, of stream: EventStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream {
        elements.append(element)
        if elements.count == count { break }
    }
    return elements
}
