// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import GPSReceivers

/// The delivery of fixes from the spool to one engine, without a clock or a thread.
///
/// Live fixes wait in memory, per stream, with one message of a stream in flight at a time; if the
/// engine is slow, the next message holds more fixes. All other fixes are the backlog. It is read
/// from the spool in portions large enough for messages of several fixes even with many receivers.
package struct Delivery {
    package typealias Instant = MonotonicInstant

    /// The maximum number of backlog fixes read at once.
    private static let preparedLimit = 100_000

    /// The engine's name in the log.
    package let name: String
    /// The bit of the target in the spool.
    package let bit: Int64
    package let engine: any Engine
    private let format: any MessageFormat
    private let settings: PublishSettings
    private var lanes: [Int64: LiveLane] = [:]
    /// Lanes by due time. An entry whose lane has been given another due time is ignored.
    private var queue = DeadlineHeap<UInt64>()
    /// Lanes that have enough fixes for a full message.
    private var full = Queue<Int64>()
    private var liveCount = 0
    private var backlog = SequenceRanges()
    /// Backlog messages that have been read from the spool.
    private var prepared = Queue<(stream: Int64, rows: [FixRow])>()
    private var pending: [String: PendingMessage] = [:]
    private var pendingBacklogCount = 0
    private var held: Set<Int64> = []
    private var retries = Queue<String>()
    private var pace: BacklogPace
    private var isConnected = false
    private var announced: Set<MemberName> = []
    private var pauseEnd: Instant?
    private var pauseLength = Duration.milliseconds(100)
    private var heartbeats = 0
    private var complaint: String?
    private var kept: KeptMessages

    /// Fixes to be acknowledged: the engine has stored them, or the format cannot represent them.
    package private(set) var done: [Int64] = []
    /// Lines for the log.
    package private(set) var notes: [String] = []
    /// The numbers of fixes stored.
    package private(set) var counts = PublishCounts()

    /// Creates the delivery to an engine; the spool already holds fixes in `range`.
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
        pace = BacklogPace(
            maximumCount: format.maximumCount, maximumWindow: engine.window / 4)
        self.kept = KeptMessages(kept, duration: settings.keepTime, now: now)
        if !kept.isEmpty { self.kept.startCheck(now: now) }
        if let range { backlog.append(range) }
    }

    /// Whether everything has been sent and stored.
    package var isIdle: Bool {
        liveCount == 0 && pending.isEmpty && backlog.isEmpty && prepared.first == nil && kept.isIdle
    }

    /// Whether messages are in flight.
    package var isBusy: Bool { isConnected && !pending.isEmpty }

    /// Records in the spool which fixes are acknowledged, and which messages to keep.
    package mutating func acknowledge(_ spool: Spool) throws(FleetError) {
        kept.expire(limit: spool.limits.keptSize)
        let numbers = try spool.acknowledge(
            done, keeping: kept.unwritten, forgetting: kept.forgotten, bit: bit)
        done.removeAll(keepingCapacity: true)
        kept.didWrite(numbers)
    }

    /// Removes and returns the lines to be logged.
    package mutating func drainNotes() -> [String] {
        defer { notes.removeAll() }
        return notes
    }

    // MARK: Fixes

    /// Queues fixes that were just appended to the spool, in order of their numbers.
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

    /// Returns when a lane's fixes are to be sent; the first of them has just been received.
    ///
    /// The first message after connecting waits for only a part of the batch time. Otherwise
    /// bridges that start together, for example after a power failure, would always send together.
    private func due(_ lane: LiveLane, now: Instant) -> Instant {
        now + settings.batchTime * (lane.hasSent ? 1 : settings.firstShare())
    }

    private mutating func enqueue(_ stream: Int64, _ lane: LiveLane) {
        queue.insert(lane.due, token: UInt64(bitPattern: stream))
    }

    /// Moves all live fixes to the backlog.
    private mutating func spill() {
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

    // MARK: Events

    /// Handles an engine's event.
    package mutating func handle(_ event: EngineEvent, now: Instant) {
        switch event {
        case .connected:
            if !isConnected { note("connected") }
            isConnected = true
            kept.startCheck(now: now)
            complaint = nil
            announced = []
            pauseEnd = nil
        case .disconnected(let reason):
            if isConnected || complaint != reason { note("not connected: \(reason)") }
            complaint = reason
            isConnected = false
            kept.recordInterruption()
            spill()
        case .note(let text): note(text)
        case .stored(let id, let receipt):
            guard let message = pending.removeValue(forKey: id) else { return }
            settle(message, receipt, now: now)
            pauseLength = .milliseconds(100)
            if complaint != nil, isConnected {
                note("messages are stored again")
                complaint = nil
                kept.startCheck(now: now)
            }
            if message.origin.isBacklog { pace.answered(after: now - message.sent) }
        case .checked(let token, let presence):
            if kept.answer(token, presence, now: now) { note(KeptMessages.lossNote) }
        case .failed(let id, let failure):
            guard let message = pending[id] else { return }
            counts.retries += 1
            kept.recordInterruption()
            if complaint != failure.text { note("a message is not stored: \(failure.text)") }
            complaint = failure.text
            if message.origin.isBacklog { pace.slowDown() }
            if failure.isGeneral { pause(now: now) }
            retries.append(id)
        }
    }

    private mutating func settle(_ message: PendingMessage, _ receipt: StoreReceipt?, now: Instant)
    {
        done += message.sequences
        held.subtract(message.sequences)
        if message.origin.isBacklog { pendingBacklogCount -= 1 }
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
        if case .live(let stream) = message.origin, var lane = lanes.removeValue(forKey: stream) {
            lane.isInFlight = false
            if !lane.rows.isEmpty { enqueue(stream, lane) }
            if lane.rows.count >= settings.batchCount { full.append(stream) }
            lanes[stream] = lane
        }
    }

    /// Pauses sending. The pause doubles each time, up to 10 s, with a random variation.
    private mutating func pause(now: Instant) {
        guard pauseEnd.map({ $0 <= now }) ?? true else { return }
        pauseEnd = now + pauseLength * Double.random(in: 0.75...1.25)
        pauseLength = min(.seconds(10), pauseLength * 2)
    }

    private mutating func note(_ text: String) { notes.append("\(name): \(text)") }

    // MARK: Sending

    /// Sends everything that may be sent now. Returns when to call again; `nil` if only an event
    /// can bring more to send.
    package mutating func work(_ spool: Spool, now: Instant) throws(FleetError) -> Instant? {
        guard isConnected else { return nil }
        if let pauseEnd, now < pauseEnd { return pauseEnd }
        pauseEnd = nil
        // Failed messages go first; one of them shows whether the engine stores messages again.
        while let id = retries.first {
            retries.removeFirst()
            guard let message = pending[id]?.message else { continue }
            pending[id]?.sent = now
            engine.send(message)
            if complaint != nil, pauseLength > .milliseconds(100) { return nil }
        }
        if let question = kept.nextQuestion(now: now) {
            if let message = try spool.keptMessage(question.entry.number) {
                engine.check(message.id, at: question.entry.place, token: question.token)
            } else {
                // The message was removed from a full spool.
                _ = kept.answer(question.token, .present, now: now)
            }
        }
        let deadline = sendLive(spool, now: now)
        try sendKept(spool, now: now)
        try sendBacklog(spool, now: now)
        return deadline
    }

    private mutating func sendLive(_ spool: Spool, now: Instant) -> Instant? {
        while pending.count < engine.window, let stream = full.first {
            full.removeFirst()
            guard let lane = lanes[stream], !lane.isInFlight,
                lane.rows.count >= settings.batchCount
            else { continue }
            sendLane(stream, spool, now: now)
        }
        while let (due, token) = queue.first {
            let stream = Int64(bitPattern: token)
            guard let lane = lanes[stream], !lane.isInFlight, !lane.rows.isEmpty, lane.due == due
            else {
                queue.removeFirst()
                continue
            }
            guard due <= now else { return due }
            guard pending.count < engine.window else { return nil }
            queue.removeFirst()
            sendLane(stream, spool, now: now)
        }
        return nil
    }

    /// Sends the fixes of a lane.
    private mutating func sendLane(_ stream: Int64, _ spool: Spool, now: Instant) {
        guard var lane = lanes.removeValue(forKey: stream) else { return }
        let count = min(lane.rows.count, format.maximumCount)
        let rows = Array(lane.rows.prefix(count))
        lane.rows.removeFirst(count)
        lane.due = now + settings.batchTime
        lane.isInFlight = true
        lane.hasSent = true
        lane.lastSent = now
        lanes[stream] = lane
        liveCount -= count
        send(rows, stream, spool, isBacklog: false, now: now)
    }

    /// Sends messages again that the engine may have lost.
    private mutating func sendKept(_ spool: Spool, now: Instant) throws(FleetError) {
        while pendingBacklogCount < pace.window, pending.count < engine.window,
            let resend = kept.nextResend()
        {
            guard let message = try spool.keptMessage(resend.entry.number) else { continue }
            pendingBacklogCount += 1
            counts.retries += 1
            pending[message.id] = PendingMessage(message: message, origin: .kept(resend), sent: now)
            engine.send(message)
        }
    }

    private mutating func sendBacklog(_ spool: Spool, now: Instant) throws(FleetError) {
        while pendingBacklogCount < pace.window, pending.count < engine.window {
            if let (stream, rows) = prepared.first {
                prepared.removeFirst()
                send(rows, stream, spool, isBacklog: true, now: now)
            } else if let range = backlog.next(newestFirst: settings.backlog == .newest) {
                try prepare(range, spool)
            } else {
                return
            }
        }
    }

    /// Reads a part of the backlog: more if there are many receivers with few fixes each.
    private mutating func prepare(
        _ range: ClosedRange<Int64>, _ spool: Spool
    ) throws(FleetError) {
        let newestFirst = settings.backlog == .newest
        let messages = format.maximumCount == 1 ? 1 : max(2, spool.streams.count)
        let limit = min(pace.count * messages, Self.preparedLimit)
        let entries = try spool.read(range, newestFirst: newestFirst, limit: limit, bit: bit)
        backlog.remove(
            newestFirst: newestFirst,
            upTo: entries.count < limit ? nil : entries.last?.row.sequence)
        let wanted = entries.filter { !held.contains($0.row.sequence) }
        guard !format.isState else {
            done += wanted.map(\.row.sequence)
            return
        }
        var streams: [Int64: [FixRow]] = [:]
        for entry in wanted {
            held.insert(entry.row.sequence)
            streams[entry.stream, default: []].append(entry.row)
        }
        for (stream, rows) in streams {
            let rows = newestFirst ? rows.reversed() : rows
            for start in stride(from: 0, to: rows.count, by: pace.count) {
                prepared.append(
                    (stream, Array(rows[start..<min(rows.count, start + pace.count)])))
            }
        }
    }

    private mutating func send(
        _ rows: [FixRow], _ number: Int64, _ spool: Spool, isBacklog: Bool, now: Instant
    ) {
        let sequences = rows.map(\.sequence)
        guard let batch = batch(rows, number, spool), let message = format.message(batch) else {
            // The format cannot represent the fix.
            done += sequences
            held.subtract(sequences)
            if !isBacklog, var lane = lanes.removeValue(forKey: number) {
                lane.isInFlight = false
                if !lane.rows.isEmpty { enqueue(number, lane) }
                lanes[number] = lane
            }
            return
        }
        if announced.insert(batch.member).inserted {
            for message in format.announcement(of: batch) { engine.send(message) }
        }
        for companion in format.additionalMessages(batch) { engine.send(companion) }
        held.formUnion(sequences)
        if isBacklog { pendingBacklogCount += 1 }
        pending[message.id] = PendingMessage(
            message: message, origin: isBacklog ? .backlog : .live(number), sent: now,
            sequences: sequences)
        engine.send(message)
    }

    private func batch(_ rows: [FixRow], _ number: Int64, _ spool: Spool) -> FixBatch? {
        guard let stream = spool.streams[number] else { return nil }
        return FixBatch(
            member: stream.member, boot: stream.boot, origin: stream.origin,
            software: settings.software, waiting: spool.count, rows: rows)
    }

    /// Sends the last fix of receivers that have been silent for long again, to show that the
    /// bridge runs.
    package mutating func sendHeartbeats(_ spool: Spool, now: Instant) {
        guard isConnected, retries.first == nil else { return }
        for (number, lane) in lanes where lane.lastSent + settings.heartbeat <= now {
            guard !lane.isInFlight, lane.rows.isEmpty, let row = lane.lastRow,
                pending.count < engine.window, let batch = batch([row], number, spool),
                var message = format.message(batch)
            else { continue }
            heartbeats += 1
            message.id += "/alive-\(heartbeats)"
            lanes[number]?.lastSent = now
            engine.send(message)
        }
    }
}
