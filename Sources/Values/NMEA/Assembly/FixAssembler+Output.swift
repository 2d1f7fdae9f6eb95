// SPDX-License-Identifier: MIT
import GNSS

/// The delivery of complete fixes and satellite views.
extension FixAssembler {
    /// Whether a complete fix waits for delivery.
    package var hasNext: Bool { !ready.isEmpty }

    /// The satellites used by the epoch's fix; empty without a fix. If the epoch does not list
    /// them, the satellites of the previous fix are used, because some receivers list them only
    /// every few seconds.
    var used: SatelliteIDSet {
        mutating get {  // A nonmutating getter would copy the assembler.
            if epoch.namesSatellites { return epoch.satellitesUsed }
            return epoch.mode > .noFix || lacksSolution ? usedBefore : SatelliteIDSet()
        }
    }

    /// Removes and returns the next complete fix; `nil` if there is none.
    package mutating func next() -> Fix? { ready.removeFirst(&satellites) }

    /// Drops the current epoch and what was learned about the cycle. Call it if the next bytes may
    /// begin in the middle of a cycle. Epochs are published again from the next cycle whose
    /// beginning is read: after a silence, or where the time changes.
    package mutating func join() {
        dropPart()
        (lacksBeginning, instrument.lacksBeginning, beganWithSentence) = (true, true, true)
        (wasThreeD, reportTime, usedBefore) = (false, nil, SatelliteIDSet())
        forgetCycle()
    }

    /// Records that bytes that are not a valid sentence or frame were received.
    mutating func noteOtherBytes() { beganWithSentence = false }

    /// Records that the part of a cycle is a whole cycle, if the first byte since `join()` began the
    /// sentence that also begins the next cycle.
    @inline(__always)
    mutating func noteBeginning(before address: Address) {
        if lacksBeginning, beganWithSentence, !isClosed, occurrences.beginsOnce(with: address) {
            lacksBeginning = false
        }
    }

    /// Whether the part of a cycle is kept until the line has been silent for seconds. Then it was
    /// a whole cycle of a receiver that sends rarely.
    var isPartKept: Bool { lacksBeginning && beganWithSentence && opener != nil }

    /// Forgets where the receiver's cycles end. Call it if it may now send other messages.
    package mutating func forgetCycle() { patterns.forget() }

    /// Drops the part of a cycle whose beginning was not read. The next sentence begins a cycle.
    /// `isRepeated` is `true` if it has the same time: the receiver's clock may have stopped.
    mutating func dropPart(isRepeated: Bool = false) {
        if let time = epoch.fix.timeOfDay, lacksBeginning, !isRepeated {
            // If the line was silent within a cycle, its rest is not an epoch either.
            let date = epoch.isDateTrusted ? instant.time : nil
            if !published.isRepeated(time, on: date) { published.append(time, on: date) }
        }
        // After a silence, lists belong to the next epoch.
        if !isClosed { satellites.dropLists() }
        epoch.clear()
        epoch.isDateKnown = reference != nil
        (opener, lastContribution) = (nil, nil)
        (endCame, isPublished, isClosed, lacksBeginning) = (false, false, false, false)
        occurrences = SentenceOccurrences()
        instrument = InstrumentInstants()
    }

    /// Discards everything learned about the receiver. Settings and undelivered fixes are kept.
    /// Call it when a receiver is plugged in again: it may have been absent for days, or may be
    /// another one.
    package mutating func restart() {
        var new = FixAssembler()
        swap(&new.satellites, &satellites)
        new.satellites.restart()
        new.rangeError = rangeError
        new.rollover = rollover
        new.learnsCycles = learnsCycles
        new.ready = ready
        new.published.arrival = published.arrival
        self = new
    }

    /// Delivers the complete fixes in order, each with the current satellite view.
    package mutating func takeFixes(
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void = { _ in }
    ) {
        ready.take(&satellites, handle, view: handleView)
    }

    /// Returns `true`, once for each satellite view, when a new view and the fix of its epoch are
    /// complete.
    ///
    /// A view contains the satellites used and the DOPs of its epoch's fix, so a view that is
    /// complete before the fix waits for it. A view that is completed after the fix is available
    /// immediately.
    @inline(__always)
    package mutating func takeView() -> Bool { satellites.hasRenewal && takeCompleteView() }

    @inline(never)
    private mutating func takeCompleteView() -> Bool {
        guard !lacksBeginning else { return false }
        // After a silence, lists belong to the next epoch.
        let isBetween = opener == nil || isClosed
        return satellites.takeRenewal(waitingForFix: isBetween ? hasOpened : !isPublished)
    }
}

/// Completes epochs when a live serial line is silent.
extension FixAssembler {
    /// Ends the epoch. Call it when the input has ended, or when a live line was silent for
    /// `silenceTolerance`.
    package mutating func silence() {
        // A part of a cycle without a time ends with the silence. A part with a time continues if
        // the next sentence has the same time.
        if lacksBeginning, epoch.fix.timeOfDay == nil { dropPart() }
        if isPartKept, isClosed { lacksBeginning = false }
        if lacksBeginning, !isPartKept { satellites.dropLists() }
        publishAtEnd()
        if hasOpenInstant { instrument.end(&epoch, into: &ready) }
        isClosed = true
        if hasEarlyInstruments { forgetInstruments() }
        satellites.endEpoch(after: nil)
        satellites.release()
    }

    /// Whether an instrument has reported an attitude, and no satellite receiver has been found on
    /// the line.
    var hasOpenInstant: Bool { !hasOpened && epoch.fix.attitude != Attitude() }

    /// Completes the satellite view of an epoch that has ended, and publishes its fix, unless the
    /// fix is already published.
    mutating func publishAtEnd() {
        guard !lacksBeginning else { return }
        completeSky()
        if isComplete { publish(atEnd: true) }
        if lacksSolution {
            satellites.describeEpoch(used: used, epoch.fix.dilution, hasFix: true)
            satellites.setListTime(satellites.time)
        }
    }

    /// How long a report of a fix, or of the absence of one, is valid, in nanoseconds.
    private static let reportValidity: Int64 = 3_000_000_000

    /// The time since the last epoch with a report of a fix or its absence, in nanoseconds; `nil`
    /// before the first.
    @inline(__always)  // A call would copy the assembler.
    var reportAge: Int64? { reportTime.map { satellites.clock - $0 } }

    /// Whether this epoch contains no solution, only data such as satellites and DOPs, although
    /// earlier epochs had solutions. The sentence or message with the solution was damaged, or the
    /// receiver sends it less often: the fix is not lost. There is nothing to publish, unless the
    /// line also has a compass or instruments.
    @inline(__always)  // A call would copy the assembler.
    var lacksSolution: Bool {
        guard let opener, !isPublished, epoch.fix.timeOfDay != nil, let reportAge,
            reportAge <= Self.reportValidity
        else { return false }
        guard lacksPosition(opener) else { return false }
        return !epoch.hasInstrumentAttitude && epoch.fix.instruments.isEmpty
            && pendingAttitude == ReportedAttitude() && nextAttitude.instruments.isEmpty
    }

    /// Returns whether the epoch has neither a position nor a report that there is no fix. If
    /// `address` identifies a UBX message, a position counts only if a fix was reported, because a
    /// UBX position may be invalid.
    @inline(__always)  // A call would copy the assembler.
    func lacksPosition(_ address: Address) -> Bool {
        guard !epoch.evidence.isVoid else { return false }
        return address.isOfUBX ? epoch.mode == .noFix : epoch.fix.coordinate == nil
    }

    /// Whether the current epoch has a fix to publish.
    @inline(__always)  // A call would copy the assembler.
    var isComplete: Bool {
        opener != nil && lastContribution != nil && !isPublished && !lacksBeginning
            && !lacksSolution
    }

    /// Whether silence would end an epoch. The fix of this epoch may already be published.
    ///
    /// Sentences without a time that are received after the silence belong to the next epoch.
    package var isWaiting: Bool {
        opener != nil && !isClosed || satellites.awaitsSilence || hasOpenInstant
            || hasEarlyInstruments || lacksBeginning
    }

    /// Whether instruments sent values before the receiver's first sentence. If the line is silent
    /// before that sentence, these values are discarded, because they may be old.
    var hasEarlyInstruments: Bool {
        !hasOpened && (!nextAttitude.instruments.isEmpty || epoch.instrumentContext.hasDepth)
    }

    /// Whether silence would complete a fix or a satellite view.
    package var awaitsSilence: Bool {
        isComplete || satellites.awaitsSilence || hasOpenInstant || isPartKept
    }

    /// The time without any byte after which a live line counts as silent, in nanoseconds: a fifth
    /// of the period, at least 30 ms. For a part of a cycle that is kept, three seconds.
    package var silenceTolerance: Int64 {
        if isPartKept, isClosed { return 3_000_000_000 }
        return max(30_000_000, (published.period ?? 1_000_000_000) / 5)
    }
}
