// SPDX-License-Identifier: MIT

/// What waits to be sent to one reader: what is kept, such as replies, and reports, of which the oldest are
/// dropped where there are too many.
///
/// Reports are shared with the other clients' queues. What has been sent in part is never dropped.
package struct OutputQueue: Sendable {
    private struct Item {
        let bytes: [UInt8]
        let isReport: Bool
    }

    private var items: [Item] = []
    /// The first item that is neither sent nor dropped.
    private var first = 0
    /// How many bytes of the first item are sent.
    private var offset = 0
    /// Reports are dropped where more bytes than this wait.
    package var limit: Int

    /// How many bytes wait.
    package private(set) var count = 0
    /// How many chunks of reports have been dropped.
    package private(set) var droppedCount = 0
    /// How many bytes these had.
    package private(set) var droppedByteCount = 0

    /// Creates an empty queue that drops reports where more than `limit` bytes wait.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether nothing waits.
    package var isEmpty: Bool { count == 0 }

    /// Appends a reply.
    package mutating func append(kept bytes: [UInt8]) {
        append(Item(bytes: bytes, isReport: false))
    }

    /// Appends reports, whole lines; drops the oldest that wait where there is no room.
    package mutating func append(droppable bytes: [UInt8]) {
        append(Item(bytes: bytes, isReport: true))
        // What is sent in part stays, and so does the newest, however long it is.
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

    /// Sends from the front until `send` takes no more: it gets bytes and returns how many it took.
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
