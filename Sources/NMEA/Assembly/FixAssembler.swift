// SPDX-License-Identifier: MIT
package import GNSS
import UBX

/// Assembles the contributions of sentences into one `Fix` per epoch.
///
/// Once the receiver's cycle is learned, a fix is complete with the last sentence that contributes to
/// it; until then, it is complete when the next epoch begins. The assembler has no clock: on a live
/// line, the caller reports silence.
public struct FixAssembler: Sendable {
    /// The largest difference between times of one instant, in nanoseconds: receivers round differently.
    private static let tolerance: Int64 = 10_000_000

    /// The satellites in view.
    package var satellites = SatelliteTracker()

    /// The range error assumed if a receiver sends only its DOPs.
    package var rangeError = RangeError()

    /// Corrects impossible dates; `nil`, the default, corrects nothing.
    package var rollover: WeekRollover?

    var epoch = Epoch()
    var opener: Address?
    var occurrences = SentenceOccurrences()
    /// The index of the current sentence in `occurrences`.
    var currentSentence: Int?
    var lastContribution: CyclePlace?
    var endCame = false
    private var isPublished = false
    private var isRepetition = false
    var isClosed = false
    /// The attitude that a compass on the line reported between the previous fix and this epoch.
    private var pendingAttitude = ReportedAttitude()
    /// The attitude that it has reported since this epoch's fix was published.
    private var nextAttitude = ReportedAttitude()
    /// The instants of instruments, used until a receiver is found on the line.
    private var instrument = InstrumentInstants()
    private var isBetweenEpochs = false
    /// Whether any epoch has been opened. From then on, satellite lists belong to epochs.
    private var hasOpened = false

    /// The state of a UBX stream: its time of week, its lists of satellites, its reports of interference.
    var weekClock = WeekClock()
    var sky = Sky()
    var interference = InterferenceReports()

    private var patterns = CyclePatterns()
    /// The last instant with a trusted date, corrected.
    private var reference: UTCTime?
    /// The number of days by which `reference` was corrected.
    private var missingDays = 0
    private var wasThreeD = false
    private var wasSimulated = false
    private var usedBefore = SatelliteIDSet()
    var published = RecentTimes()
    /// The number of coming epochs that are cut off; no pattern is learned from them.
    private var incompleteEpochs = 0
    /// The number of epochs in a row that only repeated the previous one.
    private var repetitions = 0
    /// Complete fixes that have not been delivered; a sentence may end two epochs.
    private var ready = CompleteFixes()

    /// Creates an assembler that has learned nothing.
    package init() {}

    /// Whether the same sentences produce the same fixes and views from both assemblers.
    func hasSameState(with other: FixAssembler) -> Bool {
        // `currentSentence` is looked up for each sentence; `ready` is empty between two sentences.
        epoch.hasSameState(with: other.epoch)
            && opener == other.opener && lastContribution == other.lastContribution
            && endCame == other.endCame && isPublished == other.isPublished
            && isRepetition == other.isRepetition && isClosed == other.isClosed
            && pendingAttitude == other.pendingAttitude && nextAttitude == other.nextAttitude
            && instrument == other.instrument && isBetweenEpochs == other.isBetweenEpochs
            && hasOpened == other.hasOpened
            && reference == other.reference
            && missingDays == other.missingDays && wasThreeD == other.wasThreeD
            && wasSimulated == other.wasSimulated && usedBefore == other.usedBefore
            && repetitions == other.repetitions && ready == other.ready
            && incompleteEpochs == other.incompleteEpochs
            && published == other.published && patterns == other.patterns
            && weekClock == other.weekClock && sky == other.sky
            && interference.hasSameState(
                with: other.interference, satellites.clock, other.satellites.clock)
            && rangeError == other.rangeError && rollover == other.rollover
            && occurrences.hasSameState(with: other.occurrences)
            && satellites.hasSameState(with: other.satellites)
    }

    // MARK: In

    /// Adds the contribution of a sentence with this address.
    @inline(__always)
    package mutating func receive(_ sentence: some Sentence, from address: Address) {
        // Not through a closure, which would copy the sentence.
        guard prepare(for: address, sentence.timing) else { return }
        sentence.contribute(to: &epoch)
        finishSentence(address)
    }

    /// Adds the contribution of a sentence with this address, made by `contribute`.
    package mutating func receive(
        from address: Address, timing: EpochTiming, _ contribute: (inout Epoch) -> Void
    ) {
        guard prepare(for: address, timing) else { return }
        contribute(&epoch)
        finishSentence(address)
    }

    /// Ends the epoch: the input has ended, or a live line has been silent for `silenceTolerance`.
    package mutating func silence() {
        if isComplete { publish(atEnd: true) }
        if hasOpenInstant { instrument.end(&epoch, into: &ready) }
        isClosed = true
        satellites.endEpoch(after: nil)
        satellites.release()
    }

    /// Resets everything learned about the receiver, its date and the current epoch: the receiver may have
    /// been disconnected for days. The satellites in view stay.
    package mutating func restart() {
        patterns.forget()
        reference = nil
        missingDays = 0
        wasSimulated = false
        nextAttitude = ReportedAttitude()
        instrument = InstrumentInstants()
        weekClock = WeekClock()
        sky = Sky()
        interference = InterferenceReports()
        hasOpened = false
        satellites.forgetEpoch()
        begin()
    }

    /// Call after leaving out a part of the stream: the current epoch and the next one are incomplete.
    mutating func skip() {
        incompleteEpochs = 2
    }

    // MARK: Out

    /// Whether a fix is ready.
    package var hasNext: Bool { !ready.isEmpty }

    /// Removes and returns the next complete fix; `nil` if there is none.
    package mutating func next() -> Fix? { ready.removeFirst(&satellites) }

    /// Delivers the complete fixes in order, each with the current view; a view may come between them.
    package mutating func takeFixes(
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void = { _ in }
    ) {
        ready.take(&satellites, handle, view: handleView)
    }

    /// Returns whether a new view and the fix of its epoch are complete: `true` once for each view.
    ///
    /// A view has the satellites and dilutions of its epoch's fix, which may be reported after the lists.
    /// Lists that follow the fix in its cycle complete a view at once.
    @inline(__always)
    package mutating func takeView() -> Bool { satellites.hasRenewal && takeCompleteView() }

    @inline(never)
    private mutating func takeCompleteView() -> Bool {
        // After a silence, lists belong to the next epoch.
        let isBetween = opener == nil || isClosed
        return satellites.takeRenewal(waitingForFix: isBetween ? hasOpened : !isPublished)
    }

    /// Whether an instrument has reported an attitude that is not part of a receiver's fix.
    var hasOpenInstant: Bool { !hasOpened && epoch.fix.attitude != Attitude() }

    /// Whether the ending epoch has something to publish.
    var isComplete: Bool { opener != nil && lastContribution != nil && !isPublished }

    // MARK: One sentence

    /// Finds the epoch of a sentence; returns `false` if the sentence belongs to none.
    @inline(__always)
    private mutating func prepare(for address: Address, _ timing: EpochTiming) -> Bool {
        currentSentence = occurrences.index(of: address)
        switch timing {
        case .opens(let time): open(time, address)
        case .untimed:
            continueEpoch(address)
            if isPublished, !isOfReceiver(address) {
                // The fix is already published: the compass's values belong to the next one.
                isBetweenEpochs = true
                epoch.exchangeAttitude(&nextAttitude)
            } else if !hasOpened {
                instrument.begin(&epoch)
            }
        case .attaches(let time): guard isSameInstant(time) else { return false }
        }
        epoch.address = address
        epoch.hasContribution = false
        return true
    }

    /// Opens an epoch at a time, or continues the one of that time.
    private mutating func open(_ time: TimeOfDay?, _ address: Address) {
        if isBoundary(time) {
            let repeats = isSameInstant(time)
            close(next: time)
            begin(with: address)
            isRepetition = repeats
        }
        isClosed = false
        if epoch.fix.timeOfDay == nil, let time {
            // A sentence without a time reported no fix for another instant than this one.
            epoch.evidence.clearNoFix()
            satellites.time = reference?.onward(to: time)
        }
        epoch.begin(at: time)
        if opener == nil { opener = address }
        hasOpened = true
    }

    /// Continues the epoch, or begins one after a silence.
    private mutating func continueEpoch(_ address: Address) {
        guard isClosed else { return }
        close(next: nil)
        begin(with: address)
    }

    /// Handles the sentence's contribution; publishes the fix if the sentence ends the cycle.
    private mutating func finishSentence(_ address: Address) {
        if isBetweenEpochs {
            isBetweenEpochs = false
            epoch.exchangeAttitude(&nextAttitude)
        }
        if instrument.isAdding { instrument.finishSentence(&epoch, into: &ready) }
        let place = CyclePlace(
            sentence: address, occurrence: occurrences.count(currentSentence))
        if let (date, time) = epoch.takeNewDate() {
            missingDays = rollover?.missingDays(of: date) ?? 0
            reference = UTCTime(date: date.adding(days: missingDays), time: time)
            satellites.time = reference
        }
        if epoch.hasContribution {
            if isPublished {
                let hasFix = epoch.mode > .noFix
                satellites.describeEpoch(used: used, epoch.fix.dilution, hasFix: hasFix)
            }
            if isOfReceiver(address) { lastContribution = place }
        }
        guard lastContribution != nil, let pattern, place == patterns.end(of: pattern) else {
            return
        }
        endCame = true
        if !isPublished { publish(atEnd: false) }
    }

    /// A compass on a receiver's line sends at any time: its sentences do not end a cycle.
    @inline(__always)  // A call would copy the assembler.
    private func isOfReceiver(_ address: Address) -> Bool {
        address.isOfSatelliteReceiver || address.talkerKey == opener?.talkerKey
    }

    private var pattern: CyclePatterns.Key? {
        opener.map { CyclePatterns.Key(opener: $0, hasFix: epoch.evidence.mode > .noFix) }
    }

    func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.fix.timeOfDay else { return false }
        return abs(time.nanoseconds(since: now)) < Self.tolerance
    }

    /// Whether the sentence begins a new epoch: its instant is new, or it already occurred in this cycle.
    private func isBoundary(_ time: TimeOfDay?) -> Bool {
        let isRepeated = occurrences.hasOccurred(currentSentence)
        guard time != nil, epoch.fix.timeOfDay != nil else { return isRepeated }
        return isRepeated || !isSameInstant(time)
    }

    private mutating func begin(with address: Address) {
        begin()
        // The list was full and has been emptied, so the index has changed.
        if occurrences.isEmpty { currentSentence = occurrences.index(of: address) }
    }

    private mutating func begin() {
        epoch = Epoch()
        epoch.isDateKnown = reference != nil
        epoch.evidence.wasThreeD = wasThreeD
        opener = nil
        occurrences.begin()
        lastContribution = nil
        endCame = false
        isPublished = false
        isRepetition = false
        isClosed = false
        pendingAttitude = nextAttitude
        nextAttitude = ReportedAttitude()
    }

    private mutating func close(next time: TimeOfDay?) {
        if isComplete { publish(atEnd: true) }
        if incompleteEpochs > 0 {
            incompleteEpochs -= 1
        } else if let pattern, let lastContribution {
            patterns.learn(pattern, last: lastContribution, endCame: endCame)
        }
        usedBefore = used
        let elapsed = time.flatMap { time in
            epoch.fix.timeOfDay.map { time.nanoseconds(since: $0) }
        }
        // No heading is carried over a gap.
        if let elapsed, !(0...longestCarry ~= elapsed) { nextAttitude = ReportedAttitude() }
        satellites.endEpoch(after: elapsed)
        if !isClosed { satellites.release() }
    }

    /// The longest gap over which an attitude is carried: two periods, at least two seconds.
    private var longestCarry: Int64 { max(2_000_000_000, 2 * (published.period ?? 0)) }

    private mutating func publish(atEnd isAtEnd: Bool) {
        isPublished = true
        satellites.expireLists()
        if let time = epoch.fix.timeOfDay {
            guard !published.contains(time, within: Self.tolerance) else {
                publishRepetition()
                return
            }
            published.append(time)
        }
        repetitions = 0
        wasThreeD = epoch.mode == .threeD
        let isSimulated = epoch.mode > .noFix && isStillSimulated()
        let (time, receivedDate) = instant
        ready.append(
            epoch.fix, using: used, after: satellites.hasOverdueRenewal, isAtEnd: isAtEnd
        ) { fix in
            epoch.complete(&fix, assuming: rangeError)
            fix.attitude = pendingAttitude.filling(fix.attitude)
            fix.time = time
            fix.receivedDate = receivedDate
            fix.satellitesInView = satellites.count
            interference.describe(&fix, at: satellites.clock)
            if isSimulated { fix.quality = .simulated }
        }
        satellites.time = time
        // A void sentence's date is used for its own epoch only.
        if let time, epoch.date?.isTrusted ?? true {
            reference = time
            epoch.isDateKnown = true
        }
    }

    /// The satellites that the epoch's fix uses.
    ///
    /// If the epoch does not name any, they are the last fix's: some receivers name them only every few
    /// seconds. Without a fix there are none.
    private var used: SatelliteIDSet {
        if epoch.namesSatellites { return epoch.satellitesUsed }
        return epoch.mode > .noFix ? usedBefore : SatelliteIDSet()
    }

    /// Whether a simulated fix is still simulated: without a quality, only the sentence with it was lost.
    private mutating func isStillSimulated() -> Bool {
        if epoch.fix.quality != .invalid { wasSimulated = epoch.fix.quality == .simulated }
        return wasSimulated
    }

    /// Publishes a repeated fix.
    ///
    /// A receiver that keeps repeating itself has lost its fix. That is published once, without a time,
    /// since its clock stands still. A single repetition is ignored.
    private mutating func publishRepetition() {
        guard isRepetition else { return }
        repetitions += 1
        guard repetitions == 2 else { return }
        wasThreeD = false
        satellites.time = nil
        ready.append(
            Fix(), using: SatelliteIDSet(), after: satellites.hasOverdueRenewal, isAtEnd: true
        ) { _ in }
    }

    /// The epoch's instant, from its own date or one derived from an earlier epoch's. If the date was
    /// corrected, also the date as received.
    @inline(__always)  // A call would copy the assembler.
    private var instant: (time: UTCTime?, receivedDate: CalendarDate?) {
        guard let time = epoch.fix.timeOfDay else { return (nil, nil) }
        var days = missingDays
        var instant: UTCTime?
        if let date = epoch.date {
            days = rollover?.missingDays(of: date.date) ?? 0
            let dated = UTCTime(date: date.date.adding(days: days), time: date.time ?? time)
            instant = dated.nearest(time)
        } else {
            instant = reference?.onward(to: time)
        }
        return (instant, days == 0 ? nil : instant?.date.adding(days: -days))
    }
}
