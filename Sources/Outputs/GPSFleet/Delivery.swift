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
    private static let notedErrorLimit = 64

    /// The server's name in the log.
    package let name: String
    /// The bit that marks, in the spool, the fixes that this server must still store.
    let bit: Int64
    let engine: any Engine
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
    private var notedErrors: Set<String> = []
    var kept: KeptMessages
    /// Whether the fixes of each receiver are sent oldest first, and the backlog before live fixes.
    let isOrdered: Bool
    /// Whether the event `EngineEvent.ready` has arrived and the server has not stored a message
    /// since.
    private var isUnproven = false
    var refusals = RefusalTracker()
    private var failing = FailingMembers()
    /// The sequence numbers of backlog fixes that are each sent in their own message.
    var alone: Set<Int64> = []
    /// Whether the log already reports that positions without a date are not sent.
    var hasUndated = false
    /// The refused messages that wait for their last attempt.
    var lastAttempts = Queue<PendingMessage>()
    /// The messages refused for the last time, which must be moved to the spool's table of refused
    /// messages.
    private var setAside: [RefusedMessage] = []

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

extension Delivery {
    /// Handles a server's event.
    package mutating func handle(_ event: EngineEvent, now: Instant) {
        switch event {
        case .connected:
            if !isConnected, let text = connection.connected(now: now) { note(text, .info) }
            isConnected = true
            kept.startCheck(now: now)
            reportedProblem = nil
            announcements = Announcements()
            notedErrors = []
            pauseEnd = nil
            // The server may have missed changes of a state, or have lost the state.
            if format.isState {
                let time = now - settings.heartbeat
                for (stream, _) in lanes { lanes[stream]?.lastSent = time }
            }
        case .ready:
            isConnected = true
            isUnproven = true
        case .disconnected(let reason):
            if isConnected || reportedProblem != reason,
                let text = connection.disconnected(reason, now: now)
            {
                note(text)
            }
            reportedProblem = reason
            isConnected = false
            kept.recordInterruption()
            spill()
        case .note(let text):
            if notedErrors.count >= Self.notedErrorLimit { notedErrors = [] }
            if notedErrors.insert(text).inserted { note(text) }
        case .stored(let id, let receipt): stored(id, receipt, now: now)
        case .checked(let token, let presence):
            if kept.answer(token, presence, now: now) { note(KeptMessages.lossNote) }
        case .failed(let id, let failure): failed(id, failure, now: now)
        case .refused(let id, let refusal):
            guard let message = pending.removeValue(forKey: id) else { return }
            refuse(message, refusal, now: now)
        }
    }

    private mutating func stored(_ id: String, _ receipt: StoreReceipt?, now: Instant) {
        guard let message = pending.removeValue(forKey: id) else { return }
        recordStored(message, receipt, now: now)
        failing.stored(message.member)
        pauseLength = .milliseconds(100)
        queueLastAttempts(of: message)
        if reportedProblem != nil, isConnected {
            note("the server stores messages again", .info)
            reportedProblem = nil
            kept.startCheck(now: now)
        }
        if message.origin.isBacklog { pace.answered(after: now - message.sent) }
    }

    private mutating func failed(_ id: String, _ failure: EngineFailure, now: Instant) {
        guard var message = pending[id] else { return }
        counts.retries += 1
        if failure.mayBeOfMessage { message.failureCount += 1 }
        pending[id] = message
        let mayBeCause = failure.mayBeOfMessage && message.member != nil
        // This check comes first, because a message that fails again does not mean that the server
        // stores no other messages.
        if mayBeCause, message.failureCount > Self.maximumFailures {
            if failure.isGeneral { pause(now: now, atLeast: failure.retryAfter) }
            return treatAsRefused(message, failure, now: now)
        }
        if isConnected, !engine.isOrdered, let member = message.member, failing.failed(member) {
            if message.origin.isBacklog { pace.slowDown() }
            return treatAsRefused(message, failure, isOfReceiver: true, now: now)
        }
        kept.recordInterruption()
        if reportedProblem != failure.text { note("a message is not stored: \(failure.text)") }
        reportedProblem = failure.text
        if message.origin.isBacklog { pace.slowDown() }
        if mayBeCause, message.failureCount == Self.maximumFailures {
            return treatAsRefused(message, failure, now: now)
        }
        if failure.isGeneral { pause(now: now, atLeast: failure.retryAfter) }
        // During the pause, live fixes wait in the spool on the disk.
        if failure.isGeneral, engine.isOrdered { spill() }
        retries.append(id)
    }

    /// Treats a message that the server has repeatedly failed to store as refused, because the
    /// message may be the cause. If the server stores none of the receiver's next messages either,
    /// the server is the cause, and sending of that receiver's messages is paused. With
    /// `isOfReceiver`, it is paused at once.
    private mutating func treatAsRefused(
        _ message: PendingMessage, _ failure: EngineFailure, isOfReceiver: Bool = false,
        now: Instant
    ) {
        pending[message.message.id] = nil
        let refusal = EngineRefusal(
            failure.text, isOfReceiver: isOfReceiver, mayBeTemporary: !isOfReceiver)
        refuse(message, refusal, now: now)
    }

    /// Marks the fixes of a message as delivered, because the server has stored it. Keeps the
    /// message, so that it can be resent if the server loses it.
    private mutating func recordStored(
        _ message: PendingMessage, _ receipt: StoreReceipt?, now: Instant
    ) {
        done += message.sequences
        held.subtract(message.sequences)
        if !alone.isEmpty { alone.subtract(message.sequences) }
        releaseLane(of: message)
        if case .kept(let resend) = message.origin {
            if kept.storedAgain(message.message, receipt, resend, now: now) {
                note(KeptMessages.lossNote)
            }
            return
        }
        counts.messages += 1
        counts.fixes += message.sequences.count
        counts.bytes += message.message.bytes.count
        kept.stored(message.message, receipt, now: now)
    }

    /// Allows the next message of the same stream, or the next backlog message, to be sent, because
    /// this message has been answered.
    private mutating func releaseLane(of message: PendingMessage) {
        if message.origin.isBacklog { pendingBacklogCount -= 1 }
        if case .live(let stream) = message.origin { releaseLane(stream) }
    }

    /// Allows the next live message of a stream to be sent.
    mutating func releaseLane(_ stream: Int64) {
        guard var lane = lanes.removeValue(forKey: stream) else { return }
        lane.isInFlight = false
        if !lane.rows.isEmpty { enqueue(stream, lane) }
        if lane.rows.count >= settings.batchCount { full.append(stream) }
        lanes[stream] = lane
    }

    /// Handles a message that the server does not accept. The receiver's next messages show whether
    /// the server refuses only this message or all messages of the receiver.
    private mutating func refuse(
        _ message: PendingMessage, _ refusal: EngineRefusal, now: Instant
    ) {
        releaseLane(of: message)
        if refusals.lastText != refusal.text { note("a message is refused: \(refusal.text)") }
        guard message.sequences.count == 1 || refusal.isOfReceiver else {
            return divide(message, refusal)
        }
        switch refusals.add(message, refusal, now: now) {
        case .giveUp:
            held.subtract(message.sequences)
            alone.subtract(message.sequences)
            counts.refused += message.sequences.count
            setAside.append(
                RefusedMessage(
                    message: message.message, reason: refusal.text, sequences: message.sequences))
        case .pause:
            guard let member = message.member else { return }
            note(
                "no message of \(member) is accepted: its fixes stay in the spool, and are sent again "
                    + "later")
        case .sendOthers: break
        }
    }

    /// Queues the fixes of a refused message to be sent again, each in its own message, because the
    /// message may be too large or contain a single unacceptable fix.
    private mutating func divide(_ message: PendingMessage, _ refusal: EngineRefusal) {
        refusals.note(refusal)
        pace.slowDown()
        counts.retries += 1
        alone.formUnion(message.sequences)
        // To keep the order, all fixes in memory return to the backlog, so that they are sent after
        // these fixes.
        spill()
        let sequences = message.sequences + prepared.contents.flatMap { $0.rows.map(\.sequence) }
        prepared = Queue()
        held.subtract(sequences)
        if let first = sequences.min(), let last = sequences.max() { backlog.append(first...last) }
    }

    /// Queues the receiver's refused messages for a last attempt, because the server has accepted a
    /// message of the same receiver.
    private mutating func queueLastAttempts(of message: PendingMessage) {
        if isUnproven { note("connected", .info) }
        isUnproven = false
        guard let member = message.member else { return }
        if refusals.hasPaused(member) { note("messages of \(member) are accepted again", .info) }
        for message in refusals.sendAgain(member, after: message.message.id) {
            lastAttempts.append(message)
        }
    }

    /// Pauses sending. Each pause is twice as long as the previous one, up to 10 s, with a random
    /// variation of 25 %. `minimum` is the pause that the server demands; `nil` if it demands none.
    private mutating func pause(now: Instant, atLeast minimum: Duration?) {
        if pauseEnd.map({ $0 <= now }) ?? true {
            pauseEnd = now + pauseLength * Double.random(in: 0.75...1.25)
            pauseLength = min(.seconds(10), pauseLength * 2)
        }
        if let minimum {
            let end = now + minimum * Double.random(in: 1...1.25)
            pauseEnd = pauseEnd.map { max($0, end) } ?? end
        }
    }

    mutating func note(_ text: String, _ level: MessageLevel = .warning) {
        notes.append(LeveledMessage("\(name): \(text)", level))
    }
}
