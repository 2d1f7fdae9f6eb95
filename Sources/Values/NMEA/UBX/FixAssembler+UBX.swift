// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension Epoch {
    /// Returns the milliseconds from this epoch to the epoch of a message with the given time of
    /// week. Returns `nil` if both are the same epoch, or if this epoch has no time of week.
    fileprivate func step(to timeOfWeek: UInt32) -> Int64? {
        self.timeOfWeek.flatMap { WeekClock.step(from: $0, to: timeOfWeek) }
    }
}

extension FixAssembler {
    /// The possible differences in seconds between the time of week, in GPS time, and the UTC time
    /// of an epoch: the leap seconds, with a reserve at both ends.
    private static let possibleLead = -2...60

    /// Adds the contribution of a message that belongs to an epoch.
    mutating func receive(_ message: some TimedMessage) {
        receive(type(of: message).id, at: message.timeOfWeekMilliseconds, message.time) {
            message.contribute(to: &$0)
        }
    }

    /// Adds the contribution of a message with the given id by calling `contribute`.
    mutating func receive(
        _ id: UBXMessageID, at timeOfWeek: UInt32, _ report: WeekClock.Report = .unreported,
        _ contribute: (inout Epoch) -> Void
    ) {
        let known = weekClock.time(of: timeOfWeek, report, rollover)
        let isReported = if case .unreported = report { false } else { true }
        if let known { beginEpochOnDifferentDay(known.date, at: known.time, Address(id)) }
        if known == nil || epoch.fix.timeOfDay == nil, let step = epoch.step(to: timeOfWeek) {
            // A message that is late, as over UDP, describes an earlier epoch.
            guard isReported || !weekClock.isLate(step, at: timeOfWeek) else { return }
            noteBeginning(before: Address(id))
            close(next: known?.time)
            begin(with: Address(id))
        } else if known == nil, !isReported, isOfOtherEpoch(timeOfWeek) {
            close(next: nil)
            begin(with: Address(id))
        }
        weekClock.notePunctual()
        receive(from: Address(id), timing: .opens(known?.time)) { epoch in
            epoch.timeOfWeek = timeOfWeek
            contribute(&epoch)
            guard isReported else { return }
            epoch.fill(date: known?.date, isTrusted: !epoch.evidence.isVoid)
        }
    }

    /// Returns whether a message's time of week contradicts the epoch's time of day. Call it if the
    /// message's UTC time is not known. The message is then the first one after a pause, or belongs
    /// to another recording in the same file.
    private func isOfOtherEpoch(_ timeOfWeek: UInt32) -> Bool {
        guard let time = epoch.fix.timeOfDay else { return false }
        let clock = TimeOfDay(secondsOfDay: Int(timeOfWeek / 1000) % 86_400)
        return !(Self.possibleLead ~= Int(clock.nanoseconds(since: time) / 1_000_000_000))
    }

    /// Begins a new epoch if a message has the epoch's time of day, but a different date, and has
    /// already occurred in the epoch. With the same date, it is the answer to a poll.
    private mutating func beginEpochOnDifferentDay(
        _ date: CalendarDate?, at time: TimeOfDay, _ address: Address
    ) {
        guard isSameInstant(time), epoch.isOnDifferentDay(from: date) else { return }
        let index = occurrences.index(of: address)
        guard occurrences.hasOccurred(index) else { return }
        close(next: time)
        begin(with: address)
    }

    /// Begins a list of satellites. If the list of an earlier epoch still waits for its signals,
    /// the satellite view is completed without them.
    mutating func beginSatellites(at timeOfWeek: UInt32) {
        if sky.timeOfWeek != timeOfWeek { completeSky() }
        sky.beginSatellites(at: timeOfWeek)
    }

    /// Ends a list of satellites. Unless a list of their signals is expected, replaces the
    /// satellite view with the list, combined with signals of the same time that were received
    /// before it.
    mutating func endSatellites(of id: UBXMessageID) {
        use(id)
        guard sky.endSatellites() else { return }
        if sky.hasSignals {
            // The signals with elevations replace pending signals without elevations.
            sky.pending = .signals(Address(id))
            _ = showPendingList()
        } else {
            show(.satellites(Address(id)))
        }
    }

    /// Ends a list of signals, and replaces the satellite view with these signals and the remaining
    /// satellites. Without a list of satellites, which contains the elevations, GSV sentences are
    /// preferred if they were received recently.
    mutating func endSignals(of id: UBXMessageID) {
        use(id)
        sky.endSignals()
        guard !sky.satellites.isEmpty || satellites.partAge == nil else {
            return satellites.acceptParts()
        }
        show(.signals(Address(NavSAT.id)))
    }

    /// Replaces the satellite view with a list. If the view of the previous epoch has not been
    /// delivered yet, the list waits for `showPendingList()`.
    private mutating func show(_ list: Sky.PendingList) {
        sky.pending = list
        if !satellites.hasRenewal { _ = showPendingList() }
    }

    /// Replaces the satellite view with the list that waits in `sky.pending`. Returns `false` if
    /// there is none.
    mutating func showPendingList() -> Bool {
        switch sky.pending {
        case .satellites(let address): satellites.replaceAll(with: sky.satellites, from: address)
        case .signals(let address): satellites.replaceAll(with: sky.signals, from: address)
        case nil: return false
        }
        sky.pending = nil
        return true
    }

    /// Adds the used satellites and the correction source to the epoch, from the list of satellites
    /// or signals that has ended.
    private mutating func use(_ id: UBXMessageID) {
        let (used, source) = (sky.used, sky.correctionSource)
        receive(id, at: sky.timeOfWeek) { epoch in
            epoch.use(used)
            epoch.refine(\.correctionSource, source)
        }
    }

    /// Ends the epoch. The receiver reports (`NAV-EOE`) that it has sent all its messages and
    /// sentences.
    mutating func endEpoch(at timeOfWeek: UInt32) {
        let time = weekClock.time(of: timeOfWeek, .unreported)?.time
        endCycle(at: time, Address(NavEOE.id))
    }

    /// Ends the current epoch if its time is `time`, or if either time is unknown. `address`
    /// identifies the message that reports the end.
    mutating func endCycle(at time: TimeOfDay?, _ address: Address) {
        guard opener != nil, !isClosed,
            time == nil || epoch.fix.timeOfDay == nil || isSameInstant(time)
        else { return }
        currentSentence = occurrences.index(of: address)
        let position = CyclePosition(
            sentence: address, occurrence: occurrences.count(currentSentence))
        if lastContribution != nil { lastContribution = position }
        endCame = true
        // Only a silence of the line shows that no cycle follows.
        if lacksBeginning { beganWithSentence = false }
        silence()
    }

    /// Completes the satellite view with the list of satellites only, if the expected list of
    /// signals has not arrived. Call it when the epoch is over.
    mutating func completeSky() {
        guard sky.isHeld else { return }
        sky.release()
        satellites.replaceAll(with: sky.satellites, from: Address(NavSAT.id))
    }
}
