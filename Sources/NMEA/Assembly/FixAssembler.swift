// SPDX-License-Identifier: MIT
package import GNSS

/// Assembles what sentences contribute into one `Fix` per epoch.
///
/// A fix is complete with the last sentence that contributes to it once the receiver's cycle is
/// learned, and with the next epoch until then. The assembler knows no clock: on a live line the
/// caller reports when the line has been silent.
public struct FixAssembler: Sendable {
    /// Times of one instant may differ by as much: some receivers round them differently.
    private static let tolerance: Int64 = 10_000_000

    /// The satellites in view.
    package var satellites = SatelliteTracker()

    /// What is assumed of ranges where a receiver sends only its DOPs.
    package var rangeError = RangeError()

    /// What impossible dates are corrected by; `nil`, the default, corrects nothing.
    package var rollover: WeekRollover?

    private var epoch = Epoch()
    private var opener: Address?
    private var occurrences = SentenceOccurrences()
    /// Where the sentence that contributes stands among them.
    private var currentSentence: Int?
    private var lastContribution: CyclePlace?
    private var endCame = false
    private var isPublished = false
    private var isRepetition = false
    private var isClosed = false
    /// What a compass on the line reported between the fix before and this epoch.
    private var attitudeBefore = ReportedAttitude()
    /// What it has reported since this epoch's fix was published.
    private var attitudeAfter = ReportedAttitude()
    /// The instants of instruments, while no receiver has been found on the line.
    private var instrument = InstrumentInstants()
    private var isBetweenEpochs = false
    /// Whether any epoch has been opened: lists of satellites are an epoch's then.
    private var hasOpened = false

    private var patterns = CyclePatterns()
    /// The last instant whose date was trusted, corrected.
    private var reference: UTCTime?
    /// By how many days `reference` was corrected.
    private var lostDays = 0
    private var wasThreeD = false
    private var wasSimulated = false
    private var usedBefore = SatelliteIDSet()
    private var published = RecentTimes()
    /// How many epochs are to come that were cut off, from which no pattern is learned.
    private var incompleteEpochs = 0
    /// How many epochs in a row only repeated the one before.
    private var repetitions = 0
    /// Complete fixes that have not been handed over; a sentence may end two epochs.
    private var ready = CompleteFixes()

    /// Creates an assembler that knows nothing.
    package init() {}

    /// Whether the same fixes and views follow from the same sentences.
    func isInterchangeable(with other: FixAssembler) -> Bool {
        // `currentSentence` is found anew for each sentence; nothing waits in `ready` between two.
        epoch.isInterchangeable(with: other.epoch)
            && opener == other.opener && lastContribution == other.lastContribution
            && endCame == other.endCame && isPublished == other.isPublished
            && isRepetition == other.isRepetition && isClosed == other.isClosed
            && attitudeBefore == other.attitudeBefore && attitudeAfter == other.attitudeAfter
            && instrument == other.instrument && isBetweenEpochs == other.isBetweenEpochs
            && hasOpened == other.hasOpened
            && reference == other.reference
            && lostDays == other.lostDays && wasThreeD == other.wasThreeD
            && wasSimulated == other.wasSimulated && usedBefore == other.usedBefore
            && repetitions == other.repetitions && ready == other.ready
            && incompleteEpochs == other.incompleteEpochs
            && published == other.published && patterns == other.patterns
            && rangeError == other.rangeError && rollover == other.rollover
            && occurrences.isInterchangeable(with: other.occurrences)
            && satellites.isInterchangeable(with: other.satellites)
    }

    // MARK: In

    /// Adds what a sentence of this address contributes.
    @inline(__always)
    package mutating func receive(_ sentence: some Sentence, from address: Address) {
        // Not by a closure, which would take a copy of the sentence with it.
        guard prepare(for: address, sentence.timing) else { return }
        sentence.contribute(to: &epoch)
        settle(address)
    }

    /// Adds what a sentence of this address contributes, written by `contribute`.
    package mutating func receive(
        from address: Address, timing: EpochTiming, _ contribute: (inout Epoch) -> Void
    ) {
        guard prepare(for: address, timing) else { return }
        contribute(&epoch)
        settle(address)
    }

    /// Ends the epoch: the input ends, or a live line has been silent for `silenceTolerance`.
    package mutating func silence() {
        if isComplete { publish(atEnd: true) }
        if isInstantUnderWay { instrument.end(&epoch, into: &ready) }
        isClosed = true
        satellites.endEpoch(after: nil)
        satellites.release()
    }

    /// Resets everything learned about the receiver, its date and the epoch under way: it may have
    /// been away for days. The satellites in view stay.
    package mutating func restart() {
        patterns.forget()
        reference = nil
        lostDays = 0
        wasSimulated = false
        attitudeAfter = ReportedAttitude()
        instrument = InstrumentInstants()
        hasOpened = false
        satellites.forgetEpoch()
        begin()
    }

    /// Call where a part of the stream is left out: the epoch under way and the next one are incomplete.
    mutating func skip() {
        incompleteEpochs = 2
    }

    // MARK: Out

    /// Whether a fix is ready.
    package var hasNext: Bool { !ready.isEmpty }

    /// The next fix that is ready, in order; `nil` when there is none.
    package mutating func next() -> Fix? { ready.removeFirst(&satellites) }

    /// Hands over the fixes that are ready, in order, with the view as it stands; a view may come between.
    package mutating func takeFixes(
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void = { _ in }
    ) {
        ready.take(&satellites, handle, view: handleView)
    }

    /// Whether a new view is complete, and so is the fix of its epoch; `true` once for each view.
    ///
    /// A view has the satellites and dilutions of its epoch's fix, which may be reported behind the lists.
    /// Lists that follow the fix in its cycle complete a view at once.
    @inline(__always)
    package mutating func takeView() -> Bool { satellites.hasRenewal && takeCompleteView() }

    @inline(never)
    private mutating func takeCompleteView() -> Bool {
        // After a silence lists are the next epoch's.
        let isBetween = opener == nil || isClosed
        return satellites.takeRenewal(waitingForFix: isBetween ? hasOpened : !isPublished)
    }

    /// Whether an instrument has reported an attitude that no receiver's fix has.
    private var isInstantUnderWay: Bool { !hasOpened && epoch.fix.attitude != Attitude() }

    /// Whether an epoch is under way that silence would end, published or not.
    ///
    /// Sentences without time that come after the silence are the next epoch's.
    package var isWaiting: Bool {
        opener != nil && !isClosed || satellites.awaitsSilence || isInstantUnderWay
    }

    /// Whether silence would complete a fix or a view.
    package var awaitsSilence: Bool { isComplete || satellites.awaitsSilence || isInstantUnderWay }

    /// Nanoseconds without a byte after which a live line has been silent: a fifth of the period.
    package var silenceTolerance: Int64 {
        max(30_000_000, (published.period ?? 1_000_000_000) / 5)
    }

    /// Whether the epoch that ends has something to publish.
    private var isComplete: Bool { opener != nil && lastContribution != nil && !isPublished }

    // MARK: One sentence

    /// Finds the epoch that a sentence belongs to; false where it belongs to none.
    @inline(__always)
    private mutating func prepare(for address: Address, _ timing: EpochTiming) -> Bool {
        currentSentence = occurrences.index(of: address)
        switch timing {
        case .opens(let time): open(time, address)
        case .untimed:
            goOn(address)
            if isPublished, !isOfReceiver(address) {
                // The fix is on its way: what a compass reports now is for the next one.
                isBetweenEpochs = true
                epoch.exchangeAttitude(&attitudeAfter)
            } else if !hasOpened {
                instrument.begin(&epoch)
            }
        case .attaches(let time): guard isSameInstant(time) else { return false }
        }
        epoch.address = address
        epoch.hasContribution = false
        return true
    }

    /// Opens an epoch at a time, or goes on with the one of that time.
    private mutating func open(_ time: TimeOfDay?, _ address: Address) {
        if isBoundary(time) {
            let repeats = isSameInstant(time)
            close(next: time)
            begin(with: address)
            isRepetition = repeats
        }
        isClosed = false
        if epoch.fix.timeOfDay == nil, let time {
            // What a sentence without a time refuted was not the instant that is named now.
            epoch.evidence.reconsider()
            satellites.time = reference?.onward(to: time)
        }
        epoch.begin(at: time)
        if opener == nil { opener = address }
        hasOpened = true
    }

    /// Goes on with the epoch, or begins one after a silence.
    private mutating func goOn(_ address: Address) {
        guard isClosed else { return }
        close(next: nil)
        begin(with: address)
    }

    /// Looks at what the sentence has contributed; publishes the fix where the cycle ends with it.
    private mutating func settle(_ address: Address) {
        if isBetweenEpochs {
            isBetweenEpochs = false
            epoch.exchangeAttitude(&attitudeAfter)
        }
        if instrument.isAdding { instrument.settle(&epoch, into: &ready) }
        let place = CyclePlace(
            sentence: address, occurrence: occurrences.count(currentSentence))
        if let (date, time) = epoch.takeNewDate() {
            lostDays = rollover?.lostDays(of: date) ?? 0
            reference = UTCTime(date: date.adding(days: lostDays), time: time)
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

    /// A compass on the line of a receiver sends when it likes: no cycle ends with it.
    @inline(__always)  // A call takes a copy of the assembler.
    private func isOfReceiver(_ address: Address) -> Bool {
        address.isOfSatelliteReceiver || address.talkerKey == opener?.talkerKey
    }

    private var pattern: CyclePatterns.Key? {
        opener.map { CyclePatterns.Key(opener: $0, hasFix: epoch.evidence.mode > .noFix) }
    }

    private func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.fix.timeOfDay else { return false }
        return abs(time.nanoseconds(since: now)) < Self.tolerance
    }

    /// A new instant, or the same sentence again: it comes once per cycle.
    private func isBoundary(_ time: TimeOfDay?) -> Bool {
        let isRepeated = occurrences.hasOccurred(currentSentence)
        guard time != nil, epoch.fix.timeOfDay != nil else { return isRepeated }
        return isRepeated || !isSameInstant(time)
    }

    private mutating func begin(with address: Address) {
        begin()
        // It stands elsewhere in a list that was full.
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
        attitudeBefore = attitudeAfter
        attitudeAfter = ReportedAttitude()
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
        if let elapsed, !(0...longestCarry ~= elapsed) { attitudeAfter = ReportedAttitude() }
        satellites.endEpoch(after: elapsed)
        if !isClosed { satellites.release() }
    }

    /// Two periods, or two seconds.
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
            fix.attitude = attitudeBefore.filling(fix.attitude)
            fix.time = time
            fix.receivedDate = receivedDate
            fix.satellitesInView = satellites.count
            if isSimulated { fix.quality = .simulated }
        }
        satellites.time = time
        // A void sentence's date is its own epoch's only.
        if let time, epoch.date?.isTrusted ?? true {
            reference = time
            epoch.isDateKnown = true
        }
    }

    /// The satellites that the epoch's fix uses. Where it does not name any, as some receivers do every few
    /// seconds only, they are the last fix's; without a fix there are none.
    private var used: SatelliteIDSet {
        if epoch.namesSatellites { return epoch.satellitesUsed }
        return epoch.mode > .noFix ? usedBefore : SatelliteIDSet()
    }

    /// A simulator that no longer gives a quality has only lost the sentence that does.
    private mutating func isStillSimulated() -> Bool {
        if epoch.fix.quality != .invalid { wasSimulated = epoch.fix.quality == .simulated }
        return wasSimulated
    }

    /// A receiver that goes on repeating itself has lost its fix; that is published once, and
    /// without a time, since its clock stands still. A single repetition is only a stutter.
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

    /// The epoch's instant, by its own date or by what follows from an earlier one's; and the date
    /// as it was received where that was corrected.
    @inline(__always)  // A call takes a copy of the assembler.
    private var instant: (time: UTCTime?, receivedDate: CalendarDate?) {
        guard let time = epoch.fix.timeOfDay else { return (nil, nil) }
        var days = lostDays
        var instant: UTCTime?
        if let date = epoch.date {
            days = rollover?.lostDays(of: date.date) ?? 0
            let dated = UTCTime(date: date.date.adding(days: days), time: date.time ?? time)
            instant = dated.nearest(time)
        } else {
            instant = reference?.onward(to: time)
        }
        return (instant, days == 0 ? nil : instant?.date.adding(days: -days))
    }
}
