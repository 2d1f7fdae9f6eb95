// SPDX-License-Identifier: MIT
package import GNSS

/// Assembles the contributions of sentences into one `Fix` per epoch.
///
/// Once the receiver's cycle has been learned, a fix is complete as soon as the last contributing
/// sentence is received. Until then, it is complete when the next epoch begins. The assembler has
/// no clock. On a live line, the caller reports silence.
///
/// Swift may pass a copy of a large value to its nonmutating members. Therefore, those that are called
/// for each sentence are inlined, or `mutating`.
public struct FixAssembler: Sendable {
    /// The largest step backward in time within one cycle, in nanoseconds. A sentence such
    /// as ZDA may have a time up to two seconds ahead of the other sentences of its cycle.
    private static let maximumStepBack: Int64 = 2_000_000_000

    /// The satellites in view.
    package var satellites = SatelliteTracker()

    /// The range error to assume if a receiver reports only its DOPs.
    var rangeError = RangeError()

    /// Corrects dates that are impossible because of a GPS week rollover. `nil`, the default,
    /// corrects nothing.
    package var rollover: WeekRollover?

    /// The datum of the positions, if the receiver reports that it is not WGS 84; otherwise `nil`.
    var otherDatum: String?

    /// The datum of the positions as gpsd names it; `nil` unless the receiver reports one.
    var datum: String?

    var epoch = Epoch()
    /// The first sentence or message of the epoch with a field for a time; `nil` before it.
    var opener: Address?
    var occurrences = SentenceOccurrences()
    /// The index of the current sentence in `occurrences`.
    var currentSentence: Int?
    /// The receiver's last sentence that contributed to the epoch; `nil` if there is nothing to
    /// publish.
    var lastContribution: CyclePosition?
    /// Whether the learned last sentence of the cycle has been received in this epoch.
    var endCame = false
    /// Whether the epoch's fix is in `ready`, was delivered, or was a repetition.
    private var isPublished = false
    /// Whether the epoch has the same time as the one before it.
    private var isRepetition = false
    /// Whether the line was silent after this epoch. What follows belongs to the next one, unless it has
    /// the same time.
    var isClosed = false
    /// The attitude and the instruments' values reported between the previous fix and this epoch.
    private var pendingAttitude = ReportedAttitude()
    /// Until this epoch's fix is published: the values of instruments since the epoch began, which
    /// that fix will contain. Afterwards: the attitude of a compass and the values of instruments
    /// that belong to the next fix.
    var nextAttitude = ReportedAttitude()
    /// The instruments' values in a fix that was published when its epoch ended. If the end of the
    /// cycle was just learned, the next fix, which is published earlier, contains them too.
    private var lateInstruments = Instruments()
    private var isEndNew = false
    /// Collects the values of a compass, autopilot or inertial unit until a satellite receiver is
    /// found on the line.
    private var instrument = InstrumentInstants()
    /// Whether `nextAttitude` and the epoch's attitude are exchanged, so that the current sentence
    /// contributes to the next epoch.
    private var isAttitudeSwapped = false
    /// Whether an epoch has been opened since creation or `restart()`. From then on, satellite
    /// lists belong to epochs.
    @inline(__always)
    var hasOpened: Bool { satellites.hasEpochs }

    /// Calculates the UTC time of UBX messages that contain only a time of week.
    var weekClock = WeekClock()
    /// Collects the satellites and signals that UBX messages list.
    var sky = UBXSatelliteLists()
    /// The latest UBX reports that belong to no epoch.
    var reports = ReceiverReports()

    private var patterns = CyclePatterns()
    /// The last instant with a trusted date, after correction.
    var reference: DateReference?
    /// The number of days by which `reference` was corrected for a GPS week rollover.
    var missingDays = 0
    private var wasThreeD = false
    private var wasSimulated = false
    private var usedBefore = SatelliteIDSet()
    var published = RecentTimes()
    /// The value of `satellites.clock` at the last epoch that reported a fix or the absence of one;
    /// `nil` before the first.
    private var reportTime: Int64?
    /// The time of an epoch that was ended by a sentence without a time. The time from this epoch
    /// to the next one has not been added to `satellites.clock` yet.
    private var uncountedSince: TimeOfDay?
    /// Whether a fix is published as soon as the learned end of its cycle is received. Otherwise,
    /// it is published when the next epoch begins, and a late sentence is never lost.
    var learnsCycles = true
    /// Whether the beginning of the current cycle was not read, or may not have been. The epoch is
    /// then neither published nor learned from.
    var lacksBeginning = false
    /// Whether the first byte since `join()` began a sentence or a frame.
    var beganWithSentence = false
    /// Whether what was received since `join()` turned out to contain no part of a cycle: it began
    /// with a whole cycle, or with other devices' sentences alone.
    private(set) var isWholeSinceJoin = false
    private var early = EarlyValues()
    /// The number of sentences of other devices that were ignored as copies since the receiver's
    /// last sentence with a time.
    var copies = 0
    /// Whether the last sentence with a time was ignored, because it directly repeated another one.
    private var wasDouble = false
    /// The complete fixes that have not been delivered. There may be several, because one sentence
    /// may end two epochs.
    private var ready = CompleteFixes()

    /// Creates an assembler that has learned nothing.
    package init() {}

    /// Returns whether the same sentences produce the same fixes and satellite views from both.
    func hasSameState(with other: FixAssembler) -> Bool {
        // `currentSentence` is looked up for each sentence, `isEndNew` is set only while an epoch
        // ends, and `ready` is empty between sentences. `otherDatum` and `isWholeSinceJoin` do not
        // affect fixes.
        epoch == other.epoch && opener == other.opener && lastContribution == other.lastContribution
            && endCame == other.endCame && isPublished == other.isPublished
            && isRepetition == other.isRepetition && isClosed == other.isClosed
            && pendingAttitude == other.pendingAttitude && nextAttitude == other.nextAttitude
            && lateInstruments == other.lateInstruments
            && instrument == other.instrument && isAttitudeSwapped == other.isAttitudeSwapped
            && reference == other.reference
            && missingDays == other.missingDays && wasThreeD == other.wasThreeD
            && wasSimulated == other.wasSimulated && usedBefore == other.usedBefore
            && wasDouble == other.wasDouble
            && early == other.early && copies == other.copies
            && learnsCycles == other.learnsCycles
            && lacksBeginning == other.lacksBeginning
            && beganWithSentence == other.beganWithSentence
            && published == other.published && datum == other.datum && patterns == other.patterns
            && reportAge == other.reportAge && weekClock == other.weekClock && sky == other.sky
            && reports.hasSameState(
                with: other.reports, satellites.clock, other.satellites.clock)
            && rangeError == other.rangeError && rollover == other.rollover
            && uncountedSince == other.uncountedSince
            && occurrences.hasSameState(with: other.occurrences)
            && satellites.hasSameState(with: other.satellites)
    }

    // MARK: In

    /// Adds the contribution of a sentence with the given address.
    @inline(__always)
    package mutating func receive(_ sentence: some Sentence, from address: Address) {
        // The other `receive` is not called, because its closure would copy the sentence.
        let timing = sentence.timing
        if isDouble(address, timing), !epoch.isOnDifferentDay(from: sentence) { return }
        guard prepare(for: address, timing) else { return early.keep(from: sentence) }
        sentence.contribute(to: &epoch)
        finishSentence(address)
    }

    /// Adds the contribution of a sentence with the given address by calling `contribute`.
    package mutating func receive(
        from address: Address, timing: EpochTiming, _ contribute: (inout Epoch) -> Void
    ) {
        guard prepare(for: address, timing) else { return }
        contribute(&epoch)
        finishSentence(address)
    }

    // MARK: One sentence

    /// Returns whether a sentence with a time directly repeats the previous one, as on a line with
    /// every sentence twice. A third copy means that the receiver's clock has stopped.
    @inline(__always)
    private mutating func isDouble(_ address: Address, _ timing: EpochTiming) -> Bool {
        guard case .opens(let time) = timing else { return false }
        if let time, address == opener { published.noteOpening(at: time) }
        wasDouble = !wasDouble && epoch.address == address && !isClosed && isSameInstant(time)
        return wasDouble
    }

    /// Prepares the epoch for a sentence: opens a new one or continues the current one. Returns
    /// `false` if the sentence describes another instant, or copies a sentence of the receiver.
    @inline(__always)
    private mutating func prepare(for address: Address, _ timing: EpochTiming) -> Bool {
        currentSentence = occurrences.index(of: address)
        switch timing {
        case .opens(let time):
            if address.isOfSatelliteReceiver {
                copies = 0
            } else if isCopy(address, time) {
                return false
            }
            open(time, address)
        case .untimed,
            .attaches where isAttitudeAlone(address):
            if isForeign(address) { return false }
            continueEpoch(address)
            if isPublished, !isFromReceiver(address) {
                // The fix is already published, so the compass's values belong to the next one.
                swapAttitude()
            } else if !hasOpened {
                instrument.begin(&epoch)
            }
        case .instrument: swapAttitude()
        case .attaches(let time): guard isSameInstant(time) else { return false }
        }
        let isTimed = if case .opens = timing { true } else { false }
        epoch.begin(address, isTimed: isTimed)
        return true
    }

    /// Opens an epoch with the given time, or continues the epoch that has this time.
    private mutating func open(_ time: TimeOfDay?, _ address: Address) {
        dropValuesWithoutTime(address)
        if isBoundary(time, address) {
            let repeats = isSameInstant(time)
            noteBeginning(before: address)
            if repeats, lacksBeginning { dropPart(isRepeated: true) }
            close(next: time)
            begin(with: address)
            isRepetition = repeats
        }
        isClosed = false
        if epoch.fix.timeOfDay == nil, let time {
            // An earlier sentence without a time reported the absence of a fix, but for a different
            // instant.
            epoch.evidence.clearNoFix()
            if let uncountedSince {
                satellites.advanceClock(by: time.nanoseconds(since: uncountedSince))
                self.uncountedSince = nil
            }
            satellites.time = reference?.onward(to: time, arriving: published.arrival)
            early.take(at: time, into: &epoch)
        }
        epoch.begin(at: time, isBinary: address.isOfUBX)
        if opener == nil { opener = address }
        satellites.hasEpochs = true
    }

    /// Continues the epoch, or begins a new one after a silence.
    private mutating func continueEpoch(_ address: Address) {
        guard isClosed else { return }
        close(next: nil)
        begin(with: address)
    }

    /// Processes what the sentence has contributed. Publishes the fix if the sentence ends the
    /// cycle.
    private mutating func finishSentence(_ address: Address) {
        if epoch.damage == .last { epoch.damage = .during }
        if isAttitudeSwapped { swapAttitude() }
        if instrument.isAdding { instrument.finishSentence(&epoch, into: &ready) }
        let position = CyclePosition(
            sentence: address, occurrence: occurrences.count(currentSentence))
        takeDate(atEnd: false)
        if epoch.hasContribution {
            if isPublished {
                let hasFix = epoch.mode > .noFix
                satellites.describeEpoch(used: used, epoch.fix.dilution, hasFix: hasFix)
            }
            if isFromReceiver(address) {
                lastContribution = position
                epoch.lastContributor = address
                patterns.isLate = isPublished
            }
        }
        guard learnsCycles, lastContribution != nil, let pattern,
            position == patterns.end(of: pattern, epoch.phase)
        else { return }
        endCame = true
        // Without a position, the fix waits: another sentence with the position may follow. It also
        // waits if only another device or one constellation has reported that there is no fix.
        guard !lacksPosition(address), !epoch.evidence.isVoidByPart else { return }
        if canPublish { publish(atEnd: false) }
    }

    /// Swaps the attitude and the instruments' values of the epoch with `nextAttitude`. A second call
    /// restores them.
    private mutating func swapAttitude() {
        isAttitudeSwapped.toggle()
        epoch.exchangeAttitude(&nextAttitude)
    }

    /// Returns whether the current sentence begins a new epoch: its time differs from the epoch's,
    /// or it has already occurred in this epoch. A UBX message may occur twice, as the answer to a
    /// poll. An epoch without a time is over when the end of its cycle was received.
    @inline(__always)
    private func isBoundary(_ time: TimeOfDay?, _ address: Address) -> Bool {
        let isRepeated = occurrences.hasOccurred(currentSentence)
        guard time != nil, epoch.fix.timeOfDay != nil else {
            return isRepeated && isRepeatedBoundary(address)
                || isClosed && endCame && epoch.fix.timeOfDay == nil
        }
        return isRepeated && !address.isOfUBX || !isSameInstant(time)
    }

    /// Begins to count the sentences of a new epoch. The current sentence is its first.
    mutating func beginOccurrences(with address: Address) {
        occurrences.begin()
        // The list of sentences was full and has been cleared, so the sentence has a new index.
        if occurrences.isEmpty { currentSentence = occurrences.index(of: address) }
    }

    mutating func begin(with address: Address) {
        epoch.clear()
        epoch.isDateKnown = reference != nil
        epoch.followsReport = reportTime != nil
        epoch.evidence.wasThreeD = wasThreeD
        opener = nil
        beginOccurrences(with: address)
        lastContribution = nil
        endCame = false
        isPublished = false
        isRepetition = false
        isClosed = false
        pendingAttitude = nextAttitude
        if isEndNew { pendingAttitude.instruments.fillGaps(with: lateInstruments) }
        nextAttitude = ReportedAttitude()
        lateInstruments = Instruments()
        isEndNew = false
    }

    mutating func close(next time: TimeOfDay?) {
        let elapsed = time.flatMap { time in epoch.fix.timeOfDay.map(time.nanoseconds(since:)) }
        // A ZDA may be a second ahead of the cycle that it begins. If its epoch were published
        // without a fix, the later fix with the same time would count as a repetition.
        if epoch.evidence.isEmpty, let elapsed, -Self.maximumStepBack...(-1) ~= elapsed {
            lastContribution = nil
        }
        takeDate(atEnd: true)
        publishAtEnd()
        let hasPart = lacksBeginning
        if hasPart {
            dropPart()
        } else if learnsCycles, let pattern, let lastContribution {
            let phase = epoch.phase
            let wasKnown = patterns.end(of: pattern, phase) != nil
            patterns.learn(pattern, last: lastContribution, endCame: endCame, phase)
            isEndNew = !wasKnown && patterns.end(of: pattern, phase) != nil
        }
        usedBefore = hasPart ? SatelliteIDSet() : used
        // Attitudes are not kept across a long gap.
        if let elapsed, !(0...maximumAttitudeGap ~= elapsed) {
            nextAttitude = ReportedAttitude()
            lateInstruments = Instruments()
        }
        if elapsed == nil, let time = epoch.fix.timeOfDay { uncountedSince = time }
        satellites.endEpoch(after: elapsed)
        if !isClosed { satellites.release() }
    }

    mutating func publish(atEnd isAtEnd: Bool) {
        isPublished = true
        // The sentences that list the other satellites were damaged. If one of them is the learned
        // end of the cycle, others may follow that only repeat satellites.
        if epoch.damage != .never, isAtEnd || epoch.address.formatter != GSA.formatter,
            occurrences.isMissing(GSA.formatter)
        {
            epoch.forgetUsed(knowing: usedBefore.count)
        }
        if !epoch.evidence.isEmpty { reportTime = satellites.clock }
        satellites.expireLists()
        let (time, receivedDate) = instant
        if let clock = epoch.fix.timeOfDay {
            let date = epoch.isDateTrusted ? time : nil
            guard !published.isRepeated(clock, on: date) else {
                reference?.arrival = published.arrival
                publishRepetition()
                return
            }
            published.append(clock, on: date)
        }
        wasThreeD = epoch.mode == .threeD
        let isSimulated = epoch.mode > .noFix && isStillSimulated()
        let followsRepeatedTimes = published.takeReturn()
        ready.append(
            using: used, after: satellites.hasOverdueRenewal, isAtEnd: isAtEnd
        ) { fix in
            fix = epoch.fix
            epoch.complete(&fix, assuming: rangeError)
            fix.attitude = pendingAttitude.filling(fix.attitude)
            fix.instruments.fillGaps(with: nextAttitude.instruments)
            fix.instruments.fillGaps(with: pendingAttitude.instruments)
            fix.time = time
            fix.receivedDate = receivedDate
            fix.followsRepeatedTimes = followsRepeatedTimes ? true : nil
            fix.satellitesInView = satellites.count
            reports.describe(&fix, at: satellites.clock)
            if let datum, fix.coordinate != nil { fix.details.datum = datum }
            if isSimulated { fix.quality = .simulated }
        }
        lateInstruments = isAtEnd ? nextAttitude.instruments : Instruments()
        forgetInstruments()
        satellites.time = time
        // The date of a void sentence is not used for later epochs.
        if let time, epoch.isDateTrusted {
            reference = DateReference(time: time, arrival: published.arrival)
            epoch.isDateKnown = true
        }
    }

    /// Returns whether the fix is simulated. If no report of its epoch can express that, it is
    /// simulated if the previous fix was.
    private mutating func isStillSimulated() -> Bool {
        if epoch.showsSimulation { wasSimulated = epoch.fix.quality == .simulated }
        return wasSimulated
    }

    /// Counts a repeated fix. A receiver that keeps repeating a fix has lost its position. The loss
    /// is published once, without a time, because the receiver's clock has stopped.
    private mutating func publishRepetition() {
        guard isRepetition, published.countRepetition() else { return }
        wasThreeD = false
        satellites.time = nil
        ready.append(
            using: SatelliteIDSet(), after: satellites.hasOverdueRenewal, isAtEnd: true
        ) { $0 = Fix() }
    }

    /// The date and time of the epoch, and the date as received if it was corrected for a week
    /// rollover; `nil` if unknown.
    @inline(__always)
    var instant: (time: UTCTime?, receivedDate: CalendarDate?) {
        guard let time = epoch.fix.timeOfDay else { return (nil, nil) }
        var days = missingDays
        var instant: UTCTime?
        if let date = epoch.date {
            days = rollover?.missingDays(of: date.date) ?? 0
            let dated = UTCTime(date: date.date.adding(days: days), time: date.time ?? time)
            instant = dated.nearest(time)
        } else {
            instant = reference?.onward(to: time, arriving: published.arrival)
        }
        return (instant, days == 0 ? nil : instant?.date.adding(days: -days))
    }
}

/// The delivery of complete fixes and satellite views.
extension FixAssembler {
    /// Whether a complete fix waits for delivery.
    package var hasNext: Bool { !ready.isEmpty }

    /// The satellites used by the epoch's fix; empty without a fix. If the epoch does not list
    /// them, the satellites of the previous fix are used, because some receivers list them only
    /// every few seconds.
    var used: SatelliteIDSet {
        mutating get {
            if epoch.namesSatellites { return epoch.satellitesUsed }
            return epoch.mode > .noFix || hasOnlySatelliteData ? usedBefore : SatelliteIDSet()
        }
    }

    /// Removes and returns the next complete fix; `nil` if there is none.
    package mutating func next() -> Fix? { ready.removeFirst(&satellites) }

    /// Drops the current epoch and what was learned about the cycle. Call it if the next bytes may
    /// begin in the middle of a cycle. Epochs are published again from the next cycle whose
    /// beginning is read: after a silence, or where the time changes.
    mutating func join() {
        dropPart()
        (lacksBeginning, instrument.lacksBeginning, beganWithSentence) = (true, true, true)
        (wasThreeD, reportTime, usedBefore) = (false, nil, SatelliteIDSet())
        isWholeSinceJoin = false
        forgetCycle()
    }

    /// Records that bytes that are not a valid sentence or frame were received.
    mutating func noteOtherBytes() {
        beganWithSentence = false
        epoch.damage = .last
    }

    /// Records that the part of a cycle is a whole cycle, if the first byte since `join()` began the
    /// sentence that also begins the next cycle.
    @inline(__always)
    mutating func noteBeginning(before address: Address) {
        if lacksBeginning, beganWithSentence, !isClosed, occurrences.beginsOnce(with: address) {
            keepPart()
        }
    }

    private mutating func keepPart() { (lacksBeginning, isWholeSinceJoin) = (false, true) }

    /// Whether the part of a cycle is kept until the line has been silent for seconds. Then it was
    /// a whole cycle of a receiver that sends rarely.
    private var isPartKept: Bool { lacksBeginning && beganWithSentence && opener != nil }

    /// Forgets where the receiver's cycles end. Call it if it may now send other messages.
    mutating func forgetCycle() { patterns.forget() }

    /// Drops the part of a cycle whose beginning was not read. The next sentence begins a cycle.
    /// `isRepeated` is `true` if it has the same time: the receiver's clock may have stopped.
    private mutating func dropPart(isRepeated: Bool = false) {
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
        // After a silence, lists belong to the next epoch. A view then waits for its fix only if the line
        // has epochs at all.
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
        if lacksBeginning, epoch.fix.timeOfDay == nil {
            isWholeSinceJoin =
                opener == nil && lastContribution == nil && satellites.partTime == nil
            dropPart()
        }
        if isPartKept, isClosed { keepPart() }
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
    private var hasOpenInstant: Bool { !hasOpened && epoch.fix.attitude != Attitude() }

    /// Completes the satellite view of an epoch that has ended, and publishes its fix, unless the
    /// fix is already published.
    private mutating func publishAtEnd() {
        guard !lacksBeginning else { return }
        completeSky()
        if hasOnlySatelliteData {
            satellites.describeEpoch(used: used, epoch.fix.dilution, hasFix: true)
            satellites.setListTime(satellites.time)
        } else if hasUnpublished {
            publish(atEnd: true)
        }
    }

    /// How long a report of a fix, or of the absence of one, is valid, in nanoseconds.
    private static let reportValidity: Int64 = 3_000_000_000

    /// The time since the last epoch with a report of a fix or its absence, in nanoseconds; `nil`
    /// before the first.
    @inline(__always)
    private var reportAge: Int64? { reportTime.map { satellites.clock - $0 } }

    /// Whether this epoch contains no solution, only data such as satellites and DOPs, although
    /// earlier epochs had solutions. The sentence or message with the solution was damaged, or the
    /// receiver sends it less often: the fix is not lost. There is nothing to publish, unless the
    /// line also has a compass or instruments.
    @inline(__always)
    private var hasOnlySatelliteData: Bool {
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
    @inline(__always)
    private func lacksPosition(_ address: Address) -> Bool {
        guard !epoch.evidence.isVoid else { return false }
        return address.isOfUBX ? epoch.mode == .noFix : epoch.fix.coordinate == nil
    }

    /// Whether the current epoch has a fix to publish.
    @inline(__always)
    private var canPublish: Bool { hasUnpublished && !hasOnlySatelliteData }

    /// Whether the current epoch has contributions that are not published.
    private var hasUnpublished: Bool {
        opener != nil && lastContribution != nil && !isPublished && !lacksBeginning
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
    private var hasEarlyInstruments: Bool {
        !hasOpened && (!nextAttitude.instruments.isEmpty || epoch.instrumentContext.hasDepth)
    }

    /// Whether silence would complete a fix or a satellite view.
    var awaitsSilence: Bool {
        canPublish || satellites.awaitsSilence || hasOpenInstant || isPartKept
    }

    /// The time without any byte after which a live line counts as silent, in nanoseconds: a fifth
    /// of the period, at least 30 ms. For a part of a cycle that is kept, three seconds.
    package var silenceTolerance: Int64 {
        if isPartKept, isClosed { return 3_000_000_000 }
        return max(30_000_000, (published.period ?? 1_000_000_000) / 5)
    }
}
