// SPDX-License-Identifier: MIT
import GNSS

/// Fetches the messages of a JetStream consumer, and also messages that the consumer skips after an
/// interruption of the connection.
///
/// A consumer continues after the last sequence number it delivered. It therefore skips messages if
/// the servers have lost earlier ones, or if the server that takes over has numbered them
/// differently. This type reads the skipped messages with a second consumer.
struct CollectedMessages {
    private let connection: NATSConnection
    private let settings: Collector.Settings
    private var reader: JetStreamReader?
    /// The time at which the newest fetched message was stored, in nanoseconds of Unix time; `nil`
    /// before the first message.
    private var newest: Int64?
    /// When the newest message was fetched.
    private var newestArrival: MonotonicInstant?
    /// The time at which the newest message fetched before the last interruption of the connection
    /// was stored, in nanoseconds of Unix time; `nil` if there was none.
    private var newestBefore: Int64?
    /// The time of the second search for skipped messages; `nil` if none is due. The second search
    /// is needed because another server may still take over after the first search.
    private var secondCheckTime: MonotonicInstant?
    /// The range of skipped messages; `nil` if there are none or all have been read.
    private var gap: JetStreamReader.Gap?
    private var gapReader: JetStreamReader?

    /// Creates an instance. The first call of a method that needs the consumer finds or creates it.
    init(_ connection: NATSConnection, _ settings: Collector.Settings) {
        self.connection = connection
        self.settings = settings
    }

    private mutating func consumer() throws(FleetError) -> JetStreamReader {
        if let reader { return reader }
        let new = try JetStreamReader(connection, settings)
        reader = new
        return new
    }

    /// Finds the messages that the consumer may skip after an interruption of the connection.
    /// Schedules a second search for ten seconds later, because another server may still take over.
    mutating func look() throws(FleetError) {
        newestBefore = newest
        try findGap()
        secondCheckTime = .now + .seconds(10)
    }

    private mutating func findGap() throws(FleetError) {
        let new = try consumer().gap(after: newestBefore)
        // The new gap also covers an earlier gap that has not been read completely.
        if let start = new?.start ?? gap?.start,
            let end = [new?.end, gap?.end].compactMap({ $0 }).max()
        {
            gap = .init(start: min(start, gap?.start ?? start), end: end)
        }
        gapReader = nil
    }

    /// Returns up to `count` messages, skipped ones first. Waits about a second if there are none.
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
        for message in messages where message.time > newest ?? 0 {
            newest = message.time
            newestArrival = .now
        }
    }

    /// The current day by the NATS server's clock, as days since 1970; `nil` before the first
    /// message. It is too early if the newest message was fetched long after the server had stored
    /// it.
    var engineDay: Int? {
        guard let newest, let newestArrival else { return nil }
        let seconds = (MonotonicInstant.now - newestArrival).components.seconds
        return Int((newest / 1_000_000_000 + seconds) / 86_400)
    }

    /// Returns the number of messages that have not been delivered yet, plus those that have been
    /// delivered but not acknowledged; `nil` if the number is unknown.
    func waiting() -> Int? {
        guard let reader, let count = reader.waiting() else { return nil }
        guard let gapReader else { return count }
        return gapReader.waiting().map { $0 + count }
    }

    /// Releases the consumer on the NATS server. The next call of `fetch(atMost:)` finds it again.
    mutating func close() {
        reader = nil
        gapReader = nil
    }
}
