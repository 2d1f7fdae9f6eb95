// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The messages of a consumer, and those that it skips after an interruption: a consumer continues behind the last number
/// that it has delivered, also where the servers have lost messages before that, or the one that takes over has given
/// them other numbers.
struct CollectedMessages {
    private let connection: NATSConnection
    private let settings: JetStreamReader.Settings
    private var reader: JetStreamReader?
    /// When the newest message that was fetched was stored, in nanoseconds of Unix time; and the newest one before the last
    /// interruption.
    private var newest: Int64?
    private var newestBefore: Int64?
    /// When messages are read once more: until then another server may take over.
    private var secondLook: MonotonicInstant?
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

    /// Reads again what the consumer may skip, after the engine was away; and once more when the servers have settled.
    mutating func look() throws(FleetError) {
        newestBefore = newest
        try lookOnce()
        secondLook = .now + .seconds(10)
    }

    private mutating func lookOnce() throws(FleetError) {
        let new = try consumer().gap(after: newestBefore)
        // A gap that was not read to its end is.
        if let start = new?.start ?? gap?.start,
            let end = [new?.end, gap?.end].compactMap({ $0 }).max()
        {
            gap = .init(start: min(start, gap?.start ?? start), end: end)
        }
        gapReader = nil
    }

    /// Waits for messages, for about a second.
    mutating func fetch(atMost count: Int) throws(FleetError) -> [NATSMessage] {
        if let secondLook, secondLook <= .now {
            try lookOnce()
            self.secondLook = nil
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
