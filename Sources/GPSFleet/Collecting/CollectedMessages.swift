// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The messages of a consumer, including those that it skips after an interruption.
///
/// A consumer continues after the last number it delivered, even if the servers lost earlier
/// messages or the server that takes over has assigned other numbers. The skipped messages are read
/// again.
struct CollectedMessages {
    private let connection: NATSConnection
    private let settings: JetStreamReader.Settings
    private var reader: JetStreamReader?
    /// When the newest fetched message was stored, in nanoseconds of Unix time; and the same as of
    /// the last interruption.
    private var newest: Int64?
    private var newestBefore: Int64?
    /// When skipped messages are looked for a second time, because another server may still take
    /// over.
    private var secondCheckTime: MonotonicInstant?
    private var gap: JetStreamReader.Gap?
    private var gapReader: JetStreamReader?

    /// Creates the messages of a consumer; the consumer is found or created when it is needed.
    init(_ connection: NATSConnection, _ settings: JetStreamReader.Settings) {
        self.connection = connection
        self.settings = settings
    }

    private mutating func consumer() throws(FleetError) -> JetStreamReader {
        if let reader { return reader }
        let new = try JetStreamReader(connection, settings)
        reader = new
        return new
    }

    /// Finds the messages that the consumer may skip after an interruption, and does so once more
    /// when the servers have settled.
    mutating func look() throws(FleetError) {
        newestBefore = newest
        try findGap()
        secondCheckTime = .now + .seconds(10)
    }

    private mutating func findGap() throws(FleetError) {
        let new = try consumer().gap(after: newestBefore)
        // A gap that has not been read completely is included.
        if let start = new?.start ?? gap?.start,
            let end = [new?.end, gap?.end].compactMap({ $0 }).max()
        {
            gap = .init(start: min(start, gap?.start ?? start), end: end)
        }
        gapReader = nil
    }

    /// Waits about a second for messages.
    mutating func fetch(atMost count: Int) throws(FleetError) -> [NATSMessage] {
        if let secondCheckTime, secondCheckTime <= .now {
            try findGap()
            self.secondCheckTime = nil
        }
        if let gap {
            let present: JetStreamReader
            if let gapReader {
                present = gapReader
            } else {
                present = try JetStreamReader(connection, settings, gap: gap)
                gapReader = present
            }
            let messages = try present.fetch(atMost: count, wait: .milliseconds(200))
            note(messages)
            if messages.contains(where: { $0.sequence >= gap.end }) {
                self.gap = nil
                gapReader = nil
            }
            if !messages.isEmpty { return messages }
        }
        let messages = try consumer().fetch(atMost: count, wait: .seconds(1))
        note(messages)
        return messages
    }

    private mutating func note(_ messages: [NATSMessage]) {
        for message in messages { newest = max(newest ?? message.time, message.time) }
    }

    /// The number of unacknowledged messages; `nil` if the engine does not report it.
    func waiting() -> Int? {
        guard let reader, let count = reader.waiting() else { return nil }
        guard let gapReader else { return count }
        return gapReader.waiting().map { $0 + count }
    }

    /// Releases the consumer; the next call finds it again.
    mutating func close() {
        reader = nil
        gapReader = nil
    }
}
