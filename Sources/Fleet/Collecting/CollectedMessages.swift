// SPDX-License-Identifier: MIT

/// The messages of a consumer, and those that it passes over since the servers have lost others: a consumer goes on
/// behind the last message that it has delivered, whatever is in the stream by now.
struct CollectedMessages {
    private let connection: NATSConnection
    private let settings: JetStreamReader.Settings
    private var reader: JetStreamReader?
    /// The newest message that was fetched.
    private var mark: JetStreamReader.Mark?
    private var gap: JetStreamReader.Gap?
    private var gapReader: JetStreamReader?

    /// Names a consumer, which is made when it is needed.
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

    /// Finds out what was lost while the engine was away.
    mutating func look() throws(FleetError) {
        let new = try consumer().gap(after: mark)
        // A gap that was not read to its end is.
        if let start = new?.start ?? gap?.start, let end = [new?.end, gap?.end].compactMap({ $0 }).max() {
            gap = .init(start: min(start, gap?.start ?? start), end: end)
        }
        gapReader = nil
    }

    /// Waits for messages, for about a second.
    mutating func fetch(atMost count: Int) throws(FleetError) -> [StreamMessage] {
        if let gap {
            let present: JetStreamReader
            if let gapReader {
                present = gapReader
            } else {
                present = try JetStreamReader(connection, settings, gap: gap)
                gapReader = present
            }
            let messages = try present.fetch(atMost: count, wait: .milliseconds(200))
            if messages.contains(where: { $0.sequence >= gap.end }) {
                self.gap = nil
                gapReader = nil
            }
            if !messages.isEmpty { return messages }
        }
        return try consumer().fetch(atMost: count, wait: .seconds(1))
    }

    /// Remembers the newest of messages that were fetched while the engine was there, by which `look` knows the stream.
    mutating func note(_ messages: [StreamMessage]) {
        guard let newest = messages.max(by: { $0.time < $1.time }),
            mark.map({ $0.time <= newest.time }) ?? true
        else { return }
        mark = .init(sequence: newest.sequence, time: newest.time)
    }

    /// How many messages have not been acknowledged; `nil` where the engine does not say.
    func waiting() -> Int? {
        guard let reader, let count = reader.waiting() else { return nil }
        guard let gapReader else { return count }
        return gapReader.waiting().map { $0 + count }
    }

    /// Lets go of the consumer, which is found again.
    mutating func close() {
        reader = nil
        gapReader = nil
    }
}
