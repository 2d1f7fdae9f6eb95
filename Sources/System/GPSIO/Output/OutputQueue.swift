// SPDX-License-Identifier: MIT

/// The bytes that wait to be sent to one reader: replies to its requests, which are never dropped,
/// and reports, such as sentences. When the limit is exceeded, the oldest reports are dropped.
///
/// The arrays of reports are shared with the queues of other readers, not copied. A partly sent
/// report is never dropped.
package struct OutputQueue: Sendable {
    private struct Item {
        let bytes: [UInt8]
        let isReport: Bool
    }

    private var items: [Item] = []
    /// The index of the first item that is neither sent nor dropped.
    private var first = 0
    /// The number of bytes of the first item that have been sent.
    private var offset = 0
    /// The number of waiting bytes above which reports are dropped.
    package var limit: Int

    /// The number of waiting bytes.
    package private(set) var count = 0
    /// The number of dropped reports.
    package private(set) var droppedCount = 0
    /// The number of dropped bytes.
    package private(set) var droppedByteCount = 0

    /// Creates an empty queue that drops reports while more than `limit` bytes wait.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether the queue is empty.
    package var isEmpty: Bool { count == 0 }

    /// Appends a reply, which is never dropped.
    package mutating func append(kept bytes: [UInt8]) {
        append(Item(bytes: bytes, isReport: false))
    }

    /// Appends a report: complete lines that are dropped as a unit. Above the limit, drops the
    /// oldest reports.
    package mutating func append(droppable bytes: [UInt8]) {
        append(Item(bytes: bytes, isReport: true))
        // Keep a partly sent report, and the newest one regardless of its length.
        var index = offset > 0 ? first + 1 : first
        while count > limit, index < items.count - 1 {
            guard items[index].isReport else {
                index += 1
                continue
            }
            let dropped = items.remove(at: index).bytes.count
            count -= dropped
            droppedCount += 1
            droppedByteCount += dropped
        }
    }

    private mutating func append(_ item: Item) {
        guard !item.bytes.isEmpty else { return }
        items.append(item)
        count += item.bytes.count
    }

    /// Sends bytes from the front until `send` accepts no more. `send` returns the number of bytes
    /// sent.
    package mutating func drain(_ send: (ArraySlice<UInt8>) -> Int) {
        while first < items.count {
            let bytes = items[first].bytes
            let taken = send(bytes[offset...])
            count -= taken
            offset += taken
            guard offset == bytes.count else { break }
            offset = 0
            first += 1
        }
        if first == items.count {
            items.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64 {
            items.removeFirst(first)
            first = 0
        }
    }
}
