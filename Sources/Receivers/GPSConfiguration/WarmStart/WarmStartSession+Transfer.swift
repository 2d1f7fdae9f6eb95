// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension WarmStartSession {
    /// How long to wait for an acknowledgement.
    private static let acknowledgementTime = Duration.seconds(1)
    /// The maximum number of times that a message is sent.
    private static let attempts = 2
    /// The number of consecutive messages without an acknowledgement after which the transfer
    /// stops.
    private static let maximumMisses = 3

    // MARK: Flow control

    /// Starts to enable acknowledgements of assistance data: reads the current setting. Without
    /// acknowledgements, messages would be lost unnoticed while the receiver's input buffer is
    /// full.
    mutating func beginFlowControl(at now: MonotonicInstant) {
        let poll =
            usesKeys
            ? CfgVALGET([.acknowledgesAiding]).frame : UBXFrame.bytes(CfgNAVX5.id, payload: [])
        ask(.readingFlowControl, Exchange(poll), at: now)
    }

    mutating func didReadFlowControl(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        if usesKeys {
            guard let item = outcome.answer(CfgVALGET.self)?.items?.first else {
                return beginTransfer(at: now)
            }
            hasFlowControl = item.value == 1
            func request(_ isOn: Bool) -> [UInt8] {
                CfgVALSET([ConfigurationItem(.acknowledgesAiding, isOn)]).frame
            }
            enableFlowControl(request(true), undo: request(false), at: now)
        } else {
            guard var settings = outcome.answer(CfgNAVX5.self) else {
                return beginTransfer(at: now)
            }
            hasFlowControl = settings.acknowledgesAiding == 1
            (settings.mask, settings.mask2) = (CfgNAVX5.ackAidingMask, 0)
            let undo = settings.frame
            settings.acknowledgesAiding = 1
            enableFlowControl(settings.frame, undo: undo, at: now)
        }
    }

    private mutating func enableFlowControl(
        _ request: [UInt8], undo: [UInt8], at now: MonotonicInstant
    ) {
        guard !hasFlowControl else { return beginTransfer(at: now) }
        restoration = undo
        ask(.enablingFlowControl, Exchange(request), at: now)
    }

    mutating func beginTransfer(at now: MonotonicInstant) {
        if purpose == .restore { return sendItem(0, at: now) }
        collect(attempt: 1, at: now)
    }

    /// Disables acknowledgements if they were disabled before, then finishes.
    mutating func endTransfer(at now: MonotonicInstant) {
        if result == nil {
            switch purpose {
            case .restore: result = transfer.map { .restored($0) }
            case .collect, .identify: result = data.map { .collected($0) }
            }
        }
        guard let restoration else { return finish(result ?? .failed(.interrupted)) }
        self.restoration = nil
        ask(.restoringFlowControl, Exchange(restoration), at: now)
    }

    // MARK: Sending

    mutating func prepareTransfer(_ stored: WarmStartData?, at now: MonotonicInstant) {
        guard let stored, let receiver else { return finish(.failed(.nothingStored)) }
        do throws(WarmStartObstacle) {
            let plan = try WarmStartPlan(
                stored, to: receiver, clock: clock(), receiverTime: solution?.time,
                sendsEntries: line.carriesDatabase)
            self.plan = plan
            transfer = WarmStartTransfer(age: plan.age)
            beginFlowControl(at: now)
        } catch {
            finish(.failed(error))
        }
    }

    /// Sends the message with this index. Ends the transfer after the last message, or if the
    /// receiver has a fix, does not answer or is too slow.
    private mutating func sendItem(_ index: Int, at now: MonotonicInstant) {
        guard let plan, index < plan.items.count, !hasFix, misses < Self.maximumMisses,
            limit.map({ now < $0 }) ?? false
        else { return endTransfer(at: now) }
        switch plan.items[index] {
        case .time:
            // The clock may have lost its synchronisation since the plan was made.
            guard let clock = clock() else { return endTransfer(at: now) }
            timeAttempts += 1
            // A repetition needs the current time, so `didSend` repeats this message.
            send(index, MgaINITimeUTC(clock).frame, attempts: 1, at: now)
        case .position(let position): send(index, position.frame, attempts: Self.attempts, at: now)
        case .entry(let payload):
            guard hasFlowControl else { return endTransfer(at: now) }
            send(
                index, UBXFrame.bytes(MgaDBD.id, payload: payload), attempts: Self.attempts,
                at: now)
        }
    }

    private mutating func send(
        _ index: Int, _ frame: [UInt8], attempts: Int, at now: MonotonicInstant
    ) {
        let id = frame.ubxMessage?.id ?? MgaINI.id
        let reply: ExpectedReply? = hasFlowControl ? .assistance(id) : nil
        ask(
            .sending(next: index),
            Exchange(frame, attempts: attempts, timeout: Self.acknowledgementTime, reply: reply),
            at: now)
    }

    mutating func didSend(_ index: Int, _ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        let isTime = plan?.items[index] == .time
        switch outcome {
        case .accepted:
            if hasFlowControl {
                transfer?.acceptedCount += 1
            } else {
                transfer?.unconfirmedCount += 1
            }
            if isTime { transfer?.hasTime = true }
            misses = 0
        case .refused:
            transfer?.refusedCount += 1
            misses = 0
            // Without the time, the receiver uses no other message.
            if isTime, solution?.time == nil { return endTransfer(at: now) }
        case .silent where isTime && timeAttempts < Self.attempts: return sendItem(index, at: now)
        case .silent:
            transfer?.unansweredCount += 1
            misses += 1
        }
        sendItem(index + 1, at: now)
    }

    // MARK: Collecting

    private mutating func collect(attempt: Int, at now: MonotonicInstant) {
        ask(
            .collecting(attempt: attempt),
            Exchange(
                UBXFrame.bytes(MgaDBD.id, payload: []), attempts: 1,
                reply: .database(hasFlowControl: hasFlowControl)), at: now)
    }

    mutating func didCollect(
        _ outcome: Exchange.Outcome, attempt: Int, at now: MonotonicInstant
    ) {
        if case .accepted(let messages) = outcome, let entries = entries(in: messages) {
            data?.entries = entries.filter { !$0.isEmpty }
        } else if attempt < Self.attempts, limit.map({ now < $0 }) ?? false {
            return collect(attempt: attempt + 1, at: now)
        } else {
            result = .failed(.incomplete)
        }
        endTransfer(at: now)
    }

    /// Returns the database entries in the messages; `nil` if their number differs from the number
    /// that the receiver reports.
    private func entries(in messages: [ReceivedMessage]) -> [[UInt8]]? {
        var entries: [[UInt8]] = []
        var count: UInt32?
        for case .ubx(let id, let payload) in messages {
            if id == MgaDBD.id { entries.append(payload) }
            if id == MgaACK.id { count = MgaACK(payload: payload.span)?.payloadStart }
        }
        guard hasFlowControl else { return entries }
        return count == UInt32(clamping: entries.count) ? entries : nil
    }
}
