// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
package import GPSReceivers

/// Delivers fixes from the spool to one server. It has no clock and no thread: callers pass the
/// time.
///
/// A stream (`Spool.Stream`) contains the fixes of one receiver. Its live fixes, which were just
/// appended to the spool, wait in memory, and at most one message with live fixes of each stream is
/// in flight. If the server is slow, the next message contains more fixes. All other fixes are the
/// backlog. It is read from the spool in batches, so that messages contain several fixes of each
/// receiver.
package struct Delivery {
    package typealias Instant = MonotonicInstant

    /// The maximum number of backlog fixes that are read from the spool at once.
    static let preparedLimit = 100_000

    /// The number of failures after which a message is treated as refused, if the message itself
    /// may be the cause. Other messages are then sent, to find out whether they are stored. The
    /// pauses between the failures take about 13 s in total.
    static let maximumFailures = 8

    /// While each pause is at most this long, no live message is sent as a probe (see
    /// `sendProbe`).
    static let probePause = Duration.milliseconds(400)

    /// The maximum number of receivers with messages in flight at which another probe is sent.
    static let probeLimit = 8

    /// The maximum number of errors in `notedErrors`. When it is reached, all are forgotten, so
    /// they may be logged again.
    static let notedErrorLimit = 64

    /// The server's name in the log.
    package let name: String
    /// The bit that marks, in the spool, the fixes that this server must still store.
    package let bit: Int64
    package let engine: any Engine
    let format: any MessageFormat
    let settings: PublishSettings
    /// The live fixes of each stream, by the stream's number.
    var lanes: [Int64: LiveLane] = [:]
    /// The numbers of streams with waiting live fixes, ordered by the time to send them. An entry
    /// is ignored if its time differs from `LiveLane.due` of the stream.
    var queue = DeadlineHeap<UInt64>()
    /// The numbers of streams with enough live fixes for a full message.
    var full = Queue<Int64>()
    /// The number of live fixes in memory.
    var liveCount = 0
    /// The sequence numbers of fixes that must be read from the spool.
    var backlog = SequenceRanges()
    /// The fixes of backlog messages that were read from the spool but have not been sent.
    var prepared = Queue<(stream: Int64, rows: [FixRow])>()
    /// The messages that were sent but are neither stored nor refused, by id.
    var pending: [String: PendingMessage] = [:]
    var pendingBacklogCount = 0
    /// The sequence numbers of fixes that were read from the spool or sent, but that the server has
    /// not stored yet. They are skipped when the backlog is read from the spool.
    var held: Set<Int64> = []
    /// The ids of failed messages that must be sent again.
    var retries = Queue<String>()
    var pace: BacklogPace
    var isConnected = false
    /// Determines the log lines about the connection.
    var connection = ConnectionLog()
    var announcements = Announcements()
    /// The time until which nothing is sent; `nil` if sending is not paused.
    var pauseEnd: Instant?
    var pauseLength = Duration.milliseconds(100)
    var heartbeats = 0
    /// The last reported problem, which is not reported again while it lasts.
    var reportedProblem: String?
    /// The errors that were reported since the connection was established. Each is logged once,
    /// because a server may refuse every message with the same one.
    var notedErrors: Set<String> = []
    var kept: KeptMessages
    /// Whether the fixes of each receiver are sent oldest first, and the backlog before live fixes.
    let isOrdered: Bool
    /// Whether the event `EngineEvent.ready` has arrived and the server has not stored a message
    /// since.
    var isUnproven = false
    var refusals = RefusalTracker()
    var failing = FailingMembers()
    /// The sequence numbers of backlog fixes that are each sent in their own message.
    var alone: Set<Int64> = []
    /// Whether the log already reports that positions without a date are not sent.
    var hasUndated = false
    /// The refused messages that wait for their last attempt.
    var lastAttempts = Queue<PendingMessage>()
    /// The messages refused for the last time, which must be moved to the spool's table of refused
    /// messages.
    var setAside: [RefusedMessage] = []

    /// The sequence numbers of fixes to be acknowledged in the spool, because the server has stored
    /// them or does not need them (for example fixes that the format cannot represent).
    var done: [Int64] = []
    /// Lines for the log.
    package internal(set) var notes: [LeveledMessage] = []
    /// The numbers of messages, fixes, bytes, retries and refusals.
    package internal(set) var counts = PublishCounts()

    /// Creates the delivery to a server.
    ///
    /// - `bit` is the server's bit in the spool.
    /// - `range` contains the sequence numbers of the fixes that the spool already contains.
    /// - `kept` contains messages that the server acknowledged before the start.
    package init(
        name: String, bit: Int64, engine: any Engine, format: any MessageFormat,
        settings: PublishSettings, backlog range: ClosedRange<Int64>?, kept: [Spool.Kept] = [],
        now: Instant = .now
    ) {
        self.name = name
        self.bit = bit
        self.engine = engine
        self.format = format
        self.settings = settings
        isOrdered = engine.isOrdered && settings.backlog == nil
        // In ordered mode, live fixes wait for the backlog anyway, so it may use the whole window.
        pace = BacklogPace(
            maximumCount: format.maximumCount,
            maximumWindow: isOrdered ? engine.window : engine.window / 4)
        self.kept = KeptMessages(kept, duration: settings.keepTime, now: now)
        if !kept.isEmpty { self.kept.startCheck(now: now) }
        if let range { backlog.append(range) }
    }

    /// Whether everything has been sent and stored, apart from fixes that the server has refused
    /// twice.
    package var isIdle: Bool {
        liveCount == 0 && pending.isEmpty && backlog.isEmpty && prepared.first == nil && kept.isIdle
            && refusals.isIdle && lastAttempts.first == nil && setAside.isEmpty
    }

    /// Whether the server is connected and has not answered all messages yet.
    var isBusy: Bool { isConnected && !pending.isEmpty }

    /// Writes to the spool which fixes are acknowledged, which messages are kept, and which refused
    /// messages are set aside.
    package mutating func acknowledge(_ spool: Spool) throws(FleetError) {
        try spool.setAside(setAside, by: name)
        done += setAside.flatMap(\.sequences)
        setAside.removeAll()
        kept.expire(limit: spool.limits.keptSize)
        let numbers = try spool.acknowledge(
            done, keeping: kept.unwritten, forgetting: kept.forgotten, bit: bit)
        done.removeAll(keepingCapacity: true)
        kept.didWrite(numbers)
    }

    /// Removes and returns the lines for the log.
    package mutating func drainNotes() -> [LeveledMessage] { exchange(&notes, with: []) }

    // MARK: Fixes

    /// Queues fixes that were just appended to the spool, in the order of their sequence numbers.
    package mutating func offer(_ entries: [Spool.Entry], now: Instant) {
        guard let first = entries.first, let last = entries.last else { return }
        for entry in entries { lanes[entry.stream]?.lastRow = entry.row }
        guard isConnected else {
            for entry in entries where lanes[entry.stream] == nil {
                lanes[entry.stream] = LiveLane(due: now, lastRow: entry.row, lastSent: now)
            }
            return backlog.append(first.row.sequence...last.row.sequence)
        }
        for entry in entries {
            var lane = lanes.removeValue(forKey: entry.stream) ?? LiveLane(due: now, lastSent: now)
            if lane.rows.isEmpty { lane.due = due(lane, now: now) }
            lane.rows.append(entry.row)
            lane.lastRow = entry.row
            liveCount += 1
            if format.isState, lane.rows.count > 1 {
                done.append(lane.rows.removeFirst().sequence)
                liveCount -= 1
            }
            if !lane.isInFlight {
                if lane.rows.count == 1 { enqueue(entry.stream, lane) }
                if lane.rows.count == settings.batchCount { full.append(entry.stream) }
            }
            lanes[entry.stream] = lane
        }
        if liveCount > max(settings.liveLimit, 2 * settings.batchCount * lanes.count) { spill() }
    }

    /// Returns the time to send the live fixes of a stream. The oldest of these fixes was just
    /// received. The first message after connecting waits only for a part of `batchTime`, because
    /// otherwise bridges that start together would always send together.
    private func due(_ lane: LiveLane, now: Instant) -> Instant {
        now + settings.batchTime * (lane.hasSent ? 1 : settings.firstFraction())
    }

    /// Adds the stream with this number to `queue`, with the due time of its live fixes.
    mutating func enqueue(_ stream: Int64, _ lane: LiveLane) {
        queue.insert(lane.due, token: UInt64(bitPattern: stream))
    }

    /// Moves all live fixes to the backlog.
    mutating func spill() {
        var range: ClosedRange<Int64>?
        for (stream, lane) in lanes where !lane.rows.isEmpty {
            for row in lane.rows {
                let low = min(range?.lowerBound ?? row.sequence, row.sequence)
                range = low...max(range?.upperBound ?? row.sequence, row.sequence)
            }
            lanes[stream]?.rows = []
            lanes[stream]?.hasSent = false
        }
        liveCount = 0
        if let range { backlog.append(range) }
    }
}

/// The live fixes of one stream that wait in memory to be sent.
struct LiveLane {
    var rows: [FixRow] = []
    /// The time to send the fixes, even if they do not fill a message.
    var due: MonotonicInstant
    var isInFlight = false
    /// Whether a message was sent since the live fixes were last moved to the backlog.
    var hasSent = false
    /// The newest fix, which a heartbeat repeats.
    var lastRow: FixRow?
    /// The time at which the last message or heartbeat was sent.
    var lastSent: MonotonicInstant
}
