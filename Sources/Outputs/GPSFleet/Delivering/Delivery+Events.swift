// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

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
