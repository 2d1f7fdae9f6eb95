// SPDX-License-Identifier: MIT

/// The messages of a consumer, and those that it skips since the servers have lost others: a consumer continues
/// behind the last number that it has delivered, also where the stream has been cut off before that.
struct CollectedMessages {
    private let connection: NATSConnection
    private let settings: JetStreamReader.Settings
    private var reader: JetStreamReader?
    /// The newest message that was fetched before an interruption.
    private var mark: JetStreamReader.Mark?
    /// The newest that was fetched at all.
    private var newest: JetStreamReader.Mark?
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

    /// Looks for messages that the consumer skips, after the engine was away.
    mutating func look() throws(FleetError) {
        let new = try consumer().gap(after: mark)
        // A gap that was not read to its end is.
        if let start = new?.start ?? gap?.start,
            let end = [new?.end, gap?.end].compactMap({ $0 }).max()
        {
            gap = .init(start: min(start, gap?.start ?? start), end: end)
        }
        gapReader = nil
        confirm()
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

    private mutating func note(_ messages: [StreamMessage]) {
        guard let last = messages.max(by: { $0.time < $1.time }),
            newest.map({ $0.time <= last.time }) ?? true
        else { return }
        newest = .init(sequence: last.sequence, time: last.time)
    }

    /// The engine was there when messages were fetched: by the newest of them `look` knows the stream.
    mutating func confirm() { mark = newest }

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
