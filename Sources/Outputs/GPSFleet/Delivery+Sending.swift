// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import GPSReceivers

extension Delivery {
    /// Sends all messages that may be sent now. Returns the time of the next call; `nil` if the
    /// next call is only needed after an `EngineEvent`.
    package mutating func work(_ spool: Spool, now: Instant) throws(FleetError) -> Instant? {
        guard isConnected else { return nil }
        if let pauseEnd, now < pauseEnd { return pauseEnd }
        pauseEnd = nil
        let retryTime = try endPauses(spool, now: now)
        guard sendRetries(now: now) else {
            sendProbe(spool, now: now)
            return nil
        }
        sendLastAttempts(now: now)
        if let question = kept.nextQuestion(now: now) {
            if let message = try spool.keptMessage(question.entry.number) {
                engine.check(message.id, at: question.entry.position, token: question.token)
            } else {
                // The message was removed from a full spool.
                _ = kept.answer(question.token, .present, now: now)
            }
        }
        if isOrdered {
            try sendBacklog(spool, now: now)
            let isCaughtUp = backlog.isEmpty && prepared.first == nil && pendingBacklogCount == 0
            let deadline = isCaughtUp ? sendLive(spool, now: now) : nil
            return [retryTime, deadline].compactMap(\.self).min()
        }
        let deadline = sendLive(spool, now: now)
        try sendKept(spool, now: now)
        try sendBacklog(spool, now: now)
        return [retryTime, deadline].compactMap(\.self).min()
    }

    /// Sends failed messages again, before all others. Returns `true` if other messages may be sent
    /// now. While the server stores no messages, only one failed message is sent, to find out
    /// whether the server stores messages again.
    private mutating func sendRetries(now: Instant) -> Bool {
        guard retries.first != nil else { return true }
        let ids = retries.contents.filter { pending[$0] != nil }
        retries = Queue()
        let backlog = ids.count { pending[$0]?.origin.isBacklog ?? false }
        var inFlight = pendingBacklogCount - backlog
        var mayContinue = true
        for id in ids {
            guard let message = pending[id] else { continue }
            let isBacklog = message.origin.isBacklog
            // If a link has become slow, all failed messages at once would not be answered in time
            // either.
            guard mayContinue, isOrdered || !isBacklog || inFlight < pace.window else {
                retries.append(id)
                continue
            }
            if isBacklog { inFlight += 1 }
            pending[id]?.sent = now
            engine.send(message.message)
            mayContinue = reportedProblem == nil || pauseLength <= .milliseconds(100)
        }
        return mayContinue
    }

    /// Sends a live message of another receiver than the failed messages. If it is stored, the
    /// server does not store messages of some receivers only (see `FailingMembers`). Does nothing
    /// until the server has failed several times, because it usually stores no message at all.
    private mutating func sendProbe(_ spool: Spool, now: Instant) {
        guard !engine.isOrdered, pauseLength > Self.probePause, pending.count < engine.window
        else { return }
        let tried = Set(pending.values.compactMap(\.member))
        guard tried.count <= Self.probeLimit else { return }
        let other = lanes.first { number, lane in
            guard !lane.isInFlight, !lane.rows.isEmpty, lane.due <= now,
                let member = spool.streams[number]?.member
            else { return false }
            return !tried.contains(member) && !refusals.isPausing(member)
        }
        if let other { sendLane(other.key, spool, now: now) }
    }

    /// Sends refused messages for the last time. A receiver's next message waits until no other
    /// message of the receiver is in flight.
    private mutating func sendLastAttempts(now: Instant) {
        while pending.count < engine.window, var message = lastAttempts.first,
            !pending.values.contains(where: { $0.member == message.member })
        {
            lastAttempts.removeFirst()
            message.origin = .backlog
            message.sent = now
            pendingBacklogCount += 1
            counts.retries += 1
            pending[message.message.id] = message
            engine.send(message.message)
        }
    }

    /// Moves the fixes of refused messages back to the backlog when their pause is over. Returns
    /// the end of the next pause; `nil` if there is none.
    private mutating func endPauses(_ spool: Spool, now: Instant) throws(FleetError) -> Instant? {
        guard let end = refusals.nextEnd, end <= now else { return refusals.nextEnd }
        let range = try spool.range()
        for message in refusals.takeDue(now: now) { held.subtract(message.sequences) }
        spill()
        if let range { backlog.append(range) }
        return refusals.nextEnd
    }

    /// Sends live fixes that fill a message or are due. Returns the next due time; `nil` if there
    /// is none, or if the maximum number of messages is in flight.
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

    /// Sends as many live fixes of the stream with this number as fit into one message.
    private mutating func sendLane(_ stream: Int64, _ spool: Spool, now: Instant) {
        guard var lane = lanes.removeValue(forKey: stream) else { return }
        guard !isPaused(stream, spool) else {
            // The fixes are in the spool, from which they are read after the pause.
            liveCount -= lane.rows.count
            lane.rows = []
            return lanes[stream] = lane
        }
        let count = min(lane.rows.count, format.maximumCount)
        let rows = Array(lane.rows.prefix(count))
        lane.rows.removeFirst(count)
        // The rest was collected in the same time, so it does not wait for another one.
        if !lane.rows.isEmpty { lane.due = now }
        lane.isInFlight = true
        lane.hasSent = true
        lane.lastSent = now
        lanes[stream] = lane
        liveCount -= count
        send(rows, stream, spool, isBacklog: false, now: now)
    }

    /// Resends messages that the server may have lost.
    private mutating func sendKept(_ spool: Spool, now: Instant) throws(FleetError) {
        while pendingBacklogCount < pace.window, pending.count < engine.window,
            let resend = kept.nextResend()
        {
            guard let message = try spool.keptMessage(resend.entry.number) else { continue }
            pendingBacklogCount += 1
            counts.retries += 1
            pending[message.id] = PendingMessage(
                message: message, member: nil, origin: .kept(resend), sent: now)
            engine.send(message)
        }
    }

    /// Reads backlog fixes from the spool and sends them, until the maximum number of messages is
    /// in flight or no backlog is left.
    private mutating func sendBacklog(_ spool: Spool, now: Instant) throws(FleetError) {
        while pendingBacklogCount < pace.window, pending.count < engine.window {
            if let (stream, rows) = prepared.first {
                if isOrdered, isBusy(stream, spool) { return }
                prepared.removeFirst()
                if isPaused(stream, spool) {
                    held.subtract(rows.map(\.sequence))
                } else {
                    send(rows, stream, spool, isBacklog: true, now: now)
                }
            } else if let range = backlog.next(newestFirst: isNewestFirst) {
                try prepare(range, spool)
            } else {
                return
            }
        }
    }

    /// Reads a part of the backlog from the spool and divides it into messages. The part is larger
    /// if there are more receivers, so that each of them has enough fixes for a message.
    private mutating func prepare(
        _ range: ClosedRange<Int64>, _ spool: Spool
    ) throws(FleetError) {
        let newestFirst = isNewestFirst
        let messages = format.maximumCount == 1 ? 1 : max(2, spool.streams.count)
        let limit = min(pace.count * messages, Self.preparedLimit)
        let paused =
            refusals.isPausing ? Set(spool.streams.keys.filter { isPaused($0, spool) }) : []
        let entries = try spool.read(
            range, newestFirst: newestFirst, limit: limit, bit: bit, without: paused)
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
        // Streams are numbered in order of their creation, so a receiver's streams stay in order.
        for (stream, rows) in streams.sorted(by: { $0.key < $1.key }) {
            var message: [FixRow] = []
            for row in newestFirst ? rows.reversed() : rows {
                let isAlone = alone.contains(row.sequence)
                if isAlone || message.count == pace.count {
                    prepare(&message, of: stream)
                }
                message.append(row)
                if isAlone { prepare(&message, of: stream) }
            }
            prepare(&message, of: stream)
        }
    }

    /// Queues `rows` as one message, unless the array is empty, and empties the array.
    private mutating func prepare(_ rows: inout [FixRow], of stream: Int64) {
        if !rows.isEmpty { prepared.append((stream, rows)) }
        rows = []
    }

    private mutating func send(
        _ rows: [FixRow], _ number: Int64, _ spool: Spool, isBacklog: Bool, now: Instant
    ) {
        let sequences = rows.map(\.sequence)
        guard let batch = batch(rows, number, spool), var message = format.message(batch) else {
            noteUndated(rows)
            done += sequences
            held.subtract(sequences)
            if !isBacklog { releaseLane(number) }
            return
        }
        sendCompanions(of: batch)
        // A broker shows the retained message as the current one, and the backlog is older.
        if isBacklog { message.isRetained = false }
        held.formUnion(sequences)
        if isBacklog { pendingBacklogCount += 1 }
        pending[message.id] = PendingMessage(
            message: message, member: batch.member, origin: isBacklog ? .backlog : .live(number),
            sent: now, sequences: sequences,
            failureCount: refusals.isSuspected(message.id) ? Self.maximumFailures : 0)
        engine.send(message)
    }

    /// Sends the messages that accompany a batch: the announcement of its receiver, if it is due,
    /// and the format's additional messages, such as states.
    private mutating func sendCompanions(of batch: FixBatch) {
        if announcements.isDue(batch) {
            for message in format.announcement(of: batch) { engine.send(message) }
        }
        for message in format.additionalMessages(batch) { engine.send(message) }
    }

    private var isNewestFirst: Bool { !isOrdered && settings.backlog != .oldest }

    /// Returns whether a message of the stream's receiver is in flight.
    private func isBusy(_ stream: Int64, _ spool: Spool) -> Bool {
        guard let member = spool.streams[stream]?.member else { return false }
        return pending.values.contains { $0.member == member }
    }

    /// Returns whether sending is paused for the stream's receiver, because the server refuses all
    /// its messages.
    private func isPaused(_ stream: Int64, _ spool: Spool) -> Bool {
        guard refusals.isPausing, let member = spool.streams[stream]?.member else { return false }
        return refusals.isPausing(member)
    }

    /// Reports once that the format cannot represent positions without a date.
    private mutating func noteUndated(_ rows: [FixRow]) {
        guard !hasUndated, rows.contains(where: { $0.time == nil && $0.coordinate != nil }) else {
            return
        }
        hasUndated = true
        note("positions without a date are not sent: the format cannot express them")
    }

    private func batch(_ rows: [FixRow], _ number: Int64, _ spool: Spool) -> FixBatch? {
        guard let stream = spool.streams[number] else { return nil }
        return FixBatch(
            member: stream.member, boot: stream.boot, origin: stream.origin,
            software: settings.software, waiting: spool.count, rows: rows)
    }

    /// Resends the last fix of receivers without new fixes, to show that the bridge is running.
    /// Call this function about once a second.
    package mutating func sendHeartbeats(_ spool: Spool, now: Instant) {
        if let text = connection.lasting(now: now) { note(text, .info) }
        guard isConnected, format.hasHeartbeat, retries.first == nil else { return }
        let due = lanes.filter { $0.value.lastSent + settings.heartbeat <= now }
        guard !due.isEmpty else { return }
        let current = currentStreams(spool)
        for (number, lane) in due {
            guard !lane.isInFlight, lane.rows.isEmpty, let row = lane.lastRow,
                pending.count < engine.window, let batch = batch([row], number, spool)
            else { continue }
            guard current[batch.member] == number else {
                lanes[number] = nil
                continue
            }
            guard var message = format.message(batch) else { continue }
            sendCompanions(of: batch)
            heartbeats += 1
            message.id += "/alive-\(heartbeats)"
            lanes[number]?.lastSent = now
            engine.send(message)
        }
    }

    /// Returns the number of the stream with each receiver's newest fix. A receiver has several
    /// streams if the origin of its data has changed, for example because it was unknown at first.
    private func currentStreams(_ spool: Spool) -> [MemberName: Int64] {
        var newest: [MemberName: (stream: Int64, sequence: Int64)] = [:]
        for (number, lane) in lanes {
            guard let member = spool.streams[number]?.member, let sequence = lane.lastRow?.sequence,
                sequence > newest[member]?.sequence ?? 0
            else { continue }
            newest[member] = (number, sequence)
        }
        return newest.mapValues { $0.stream }
    }
}

/// Adapts the number of backlog fixes in flight (sent, but not answered yet). It is as large as
/// possible without delaying live fixes.
///
/// While answers arrive within half a second, messages become larger and then more numerous. After
/// a slow or missing answer, the number of messages is halved or, if it is already 1, the size of a
/// message.
struct BacklogPace {
    /// The maximum number of fixes in one message.
    private(set) var count = 60
    /// The maximum number of backlog messages in flight.
    private(set) var window = 1

    private let maximumCount: Int
    private let maximumWindow: Int

    private static let quickAnswer = Duration.milliseconds(500)

    init(maximumCount: Int, maximumWindow: Int) {
        self.maximumCount = maximumCount
        self.maximumWindow = max(1, maximumWindow)
        count = min(count, maximumCount)
    }

    /// Adapts the pace to the delay between sending a message and receiving its answer.
    mutating func answered(after delay: Duration) {
        guard delay < Self.quickAnswer else { return slowDown() }
        if count < maximumCount {
            count = min(maximumCount, count * 2)
        } else {
            window = min(maximumWindow, window + 1)
        }
    }

    /// Slows down after a message was not answered in time.
    mutating func slowDown() {
        if window > 1 {
            window /= 2
        } else {
            count = max(min(20, maximumCount), count / 2)
        }
    }
}

/// Determines the log lines about the connection to a server.
///
/// If two bridges have the same name, an MQTT broker disconnects each of them when the other one
/// connects, so both reconnect every few seconds. The log reports this once.
package struct ConnectionLog {
    /// The duration below which a connection counts as short.
    private static let shortTime = Duration.seconds(30)
    /// The number of consecutive short connections after which further ones are not reported.
    private static let limit = 4

    private var start: MonotonicInstant?
    private var shortCount = 0

    /// Creates the log of a connection that has not been established yet.
    package init() {}

    /// Returns the log line for a new connection; `nil` if it is not reported.
    package mutating func connected(now: MonotonicInstant) -> String? {
        start = now
        return shortCount < Self.limit ? "connected" : nil
    }

    /// Returns the line for a lost connection, or for a failed attempt to connect; `nil` if it is
    /// not reported.
    package mutating func disconnected(_ reason: String, now: MonotonicInstant) -> String? {
        let text = "not connected: \(reason)"
        guard let start else { return text }
        self.start = nil
        shortCount = now - start < Self.shortTime ? shortCount + 1 : 0
        guard shortCount == Self.limit else { return shortCount < Self.limit ? text : nil }
        return text + "; connections are lost again after a few seconds: if another bridge has the "
            + "same name, give this bridge a different one with --bridge NAME"
    }

    /// Returns the log line for a connection that lasts after many short ones; `nil` otherwise.
    package mutating func lasting(now: MonotonicInstant) -> String? {
        guard shortCount >= Self.limit, let start, start + Self.shortTime <= now else {
            return nil
        }
        shortCount = 0
        return "connected"
    }
}

/// The receivers that were announced to the server since it was connected (see
/// `MessageFormat.announcement`), with the columns and the origin announced for each.
package struct Announcements {
    /// The announced columns of each receiver, as one bit per column, and the origin of its data.
    private var sent: [MemberName: (columns: UInt64, origin: DataOrigin)] = [:]

    /// Creates an empty list.
    package init() {}

    /// Returns whether the receiver of a batch must be announced, and records it as announced. It
    /// must be announced if it is new, if it has a new column (for example after an instrument was
    /// switched on), or if the origin of its data has changed.
    package mutating func isDue(_ batch: FixBatch) -> Bool {
        let known = batch.rows.last?.knownOthers ?? 0
        let former = sent[batch.member]
        let columns = former?.columns ?? 0
        sent[batch.member] = (known | columns, batch.origin)
        return former?.origin != batch.origin || known & ~columns != 0
    }
}

/// Finds the receivers whose messages a server does not store while it stores messages of other
/// receivers.
///
/// An example is a receiver of an earlier run with another name, whose subject no stream contains
/// or on which this user may not publish. A NATS server does not refuse such a message: it answers
/// as without a leader, or not at all.
struct FailingMembers {
    private struct Failures {
        /// The number of failures that came after a stored message of another receiver.
        var count = 0
        /// Whether a message of another receiver was stored after the last counted failure.
        var isOtherStored = false
    }

    /// The value of `Failures.count` from which on the receiver is the cause.
    private static let limit = 3

    /// The receivers with a failed message, and without a stored one since.
    private var members: [MemberName: Failures] = [:]

    /// Records that a message of this receiver was stored; `nil` for a kept message.
    mutating func stored(_ member: MemberName?) {
        guard !members.isEmpty, let member else { return }
        members[member] = nil
        for other in Array(members.keys) { members[other]?.isOtherStored = true }
    }

    /// Records that a message of this receiver was not stored. Returns whether the server stores
    /// only messages of other receivers.
    mutating func failed(_ member: MemberName) -> Bool {
        var failures = members[member] ?? Failures()
        if failures.isOtherStored { failures.count += 1 }
        failures.isOtherStored = false
        members[member] = failures
        return failures.count >= Self.limit
    }
}
