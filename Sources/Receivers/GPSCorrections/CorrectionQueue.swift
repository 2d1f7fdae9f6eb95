// SPDX-License-Identifier: MIT
package import RTCM

/// The messages that wait for a receiver's line. It is bounded: if the line carries less than the
/// stream, the oldest observations are dropped first, because the next ones replace them, then
/// ephemerides, and the station's data last. Assistance data has a limit of its own, because it is
/// sent only once.
package struct CorrectionQueue: Sendable {
    /// The maximum number of bytes of assistance data: the satellites' data for some weeks.
    private static let assistanceLimit = 1 << 18

    /// The maximum number of queued bytes, without assistance data.
    package var limit: Int { didSet { removeExcess() } }
    private var messages: [CorrectionMessage] = []
    /// The number of queued bytes, without assistance data.
    private var byteCount = 0
    private var assistanceCount = 0
    /// The number of messages that have been dropped.
    package private(set) var droppedCount = 0

    /// Creates a queue of at most `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    package var isEmpty: Bool { messages.isEmpty }

    /// Adds a message, and drops others or itself if there is no room.
    package mutating func add(_ message: CorrectionMessage) {
        guard message.content != .assistance else {
            guard assistanceCount + message.bytes.count <= Self.assistanceLimit else {
                return droppedCount += 1
            }
            assistanceCount += message.bytes.count
            return messages.append(message)
        }
        messages.append(message)
        byteCount += message.bytes.count
        removeExcess()
    }

    private mutating func removeExcess() {
        while byteCount > limit, let index = leastUseful {
            byteCount -= messages.remove(at: index).bytes.count
            droppedCount += 1
        }
    }

    /// The index of the message that a receiver needs least.
    private var leastUseful: Int? {
        messages.indices.filter { messages[$0].content != .assistance }
            .min { messages[$0].content < messages[$1].content }
    }

    /// Removes and returns the first messages: at least one, if there is one, and together at most
    /// `count` bytes.
    package mutating func batch(of count: Int) -> [CorrectionMessage] {
        var batch: [CorrectionMessage] = []
        var size = 0
        while let first = messages.first, batch.isEmpty || size + first.bytes.count <= count {
            size += first.bytes.count
            next().map { batch.append($0) }
        }
        return batch
    }

    /// Removes and returns the first message.
    package mutating func next() -> CorrectionMessage? {
        guard !messages.isEmpty else { return nil }
        let message = messages.removeFirst()
        if message.content == .assistance {
            assistanceCount -= message.bytes.count
        } else {
            byteCount -= message.bytes.count
        }
        return message
    }

    /// Drops all messages except assistance data: corrections that are some seconds old are worse
    /// than none.
    package mutating func removeOutdated() {
        droppedCount += messages.count
        messages.removeAll { $0.content != .assistance }
        droppedCount -= messages.count
        byteCount = 0
    }
}
