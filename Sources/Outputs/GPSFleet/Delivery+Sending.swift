// SPDX-License-Identifier: MIT
import GNSS
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
