// SPDX-License-Identifier: MIT

/// Contributions in, one `Fix` per epoch out.
///
/// A fix comes out with the last sentence that contributes to it once the receiver's pattern is
/// learned, and with the next epoch until then. It knows no clock: on a live line the caller
/// says when the line has fallen silent.
public struct FixAssembler: Sendable {
    /// Times of one instant may differ by as much: some receivers round them differently.
    private static let tolerance: Int64 = 10_000_000

    /// The satellites in view.
    public var satellites = SatelliteTracker()

    /// What is assumed of ranges where a receiver tells only its DOPs.
    public var rangeError = RangeError()

    /// What impossible dates are mended by; `nil`, the default, mends nothing.
    public var rollover: WeekRollover?

    @usableFromInline package var epoch = Epoch()
    private var opener: Contributor?
    private var speakers = Speakers()
    /// Who is speaking.
    private var speaker: Int?
    private var lastContribution: CyclePlace?
    /// What is known now.
    private var known = Knowledge()
    private var endCame = false
    private var isPublished = false
    private var isRepetition = false
    private var isClosed = false

    private var patterns = CyclePatterns()
    /// The last instant whose date was trusted, put right.
    private var reference: UTCTime?
    /// By how many days `reference` was put right.
    private var lostDays = 0
    private var wasThreeD = false
    private var wasSimulated = false
    private var usedBefore = SatelliteIDSet()
    private var published = RecentTimes()
    /// How many epochs in a row only repeated the one before.
    private var repetitions = 0
    /// The first `readyCount` are ready; the others are room, since a fix is drawn up in its place.
    @usableFromInline var ready: [Fix] = [Fix()]
    @usableFromInline var readyCount = 0

    /// Makes an assembler that knows nothing.
    public init() {}

    // MARK: In

    /// Adds what one sentence says; `contribute` writes it on the epoch it belongs to.
    @inlinable
    public mutating func receive(
        from contributor: Contributor, timing: EpochTiming, _ contribute: (inout Epoch) -> Void
    ) {
        guard prepare(for: contributor, timing) else { return }
        contribute(&epoch)
        settle(contributor)
    }

    /// Ends the epoch where a live line has fallen silent; see `silenceTolerance`.
    public mutating func silence() {
        if isComplete { publish() }
        isClosed = true
        satellites.endEpoch(after: nil)
    }

    /// Ends the epoch at the end of the input.
    public mutating func finish() {
        silence()
    }

    /// Forgets the receiver's habits, its date and the epoch under way: it may have been away for
    /// days. The satellites stay.
    public mutating func restart() {
        patterns.forget()
        reference = nil
        lostDays = 0
        wasSimulated = false
        begin()
    }

    // MARK: Out

    /// Whether a fix is ready.
    @inlinable public var hasNext: Bool { readyCount > 0 }

    /// The next fix that is ready, in order; `nil` when there is none.
    public mutating func next() -> Fix? {
        guard hasNext else { return nil }
        readyCount -= 1
        return ready.removeFirst()
    }

    /// Hands over the fixes that are ready, in order, with the view as it stands.
    @inlinable
    public mutating func takeFixes(_ take: (borrowing Fix, borrowing SatelliteView) -> Void) {
        let count = readyCount
        readyCount = 0
        let ready = ready.span
        for index in 0..<count { take(ready[index], satellites.view) }
    }

    /// Whether an epoch is under way that silence would end, published or not.
    ///
    /// Sentences without time that come after the silence are the next epoch's.
    public var isWaiting: Bool { opener != nil && !isClosed }

    /// Whether the epoch that ends has something to publish.
    private var isComplete: Bool { opener != nil && lastContribution != nil && !isPublished }

    /// Nanoseconds without a byte after which a live line has fallen silent: a fifth of the period.
    public var silenceTolerance: Int64 {
        max(30_000_000, (published.period ?? 1_000_000_000) / 5)
    }

    // MARK: Steps

    /// What is known of an epoch, to see whether a contribution adds to it.
    private struct Knowledge: Equatable {
        var facts: EpochFacts = []
        var used = 0
    }

    /// Finds the epoch that the sentence belongs to; false where it belongs to none.
    @usableFromInline
    package mutating func prepare(for contributor: Contributor, _ timing: EpochTiming) -> Bool {
        speaker = speakers.index(of: contributor)
        switch timing {
        case .opens(let time):
            if isBoundary(time) {
                let repeats = isSameInstant(time)
                close(next: time)
                begin()
                isRepetition = repeats
            }
            isClosed = false
            // What a sentence without a time refuted was not the instant that is named now.
            if epoch.time == nil, time != nil, epoch.evidence.isVoid {
                epoch.evidence.reconsider()
                known = knowledge
            }
            if epoch.time == nil, let time { satellites.time = reference?.onward(to: time) }
            epoch.time.fill(time)
            if opener == nil { opener = contributor }
        case .attaches(let time):
            guard isSameInstant(time) else { return false }
        case .untimed:
            guard isClosed else { break }
            close(next: nil)
            begin()
        }
        return true
    }

    // Inlined, so that what is large is looked at where it is.
    @inline(__always)
    private var knowledge: Knowledge {
        Knowledge(
            facts: epoch.facts(isDateKnown: reference != nil), used: epoch.satellitesUsed.count)
    }

    @usableFromInline
    package mutating func settle(_ contributor: Contributor) {
        let place = CyclePlace(contributor: contributor, occurrence: speakers.note(speaker))
        if epoch.isDateNew, let date = epoch.date, let time = epoch.dateTime {
            epoch.isDateNew = false
            lostDays = rollover?.lostDays(of: date) ?? 0
            reference = UTCTime(date: date.adding(days: lostDays), time: time)
            satellites.time = reference
        }
        let after = knowledge
        if after != known {
            lastContribution = place
            known = after
        }
        guard lastContribution != nil, let pattern, place == patterns.end(of: pattern) else {
            return
        }
        endCame = true
        if !isPublished { publish() }
    }

    @inline(__always)
    private var pattern: CyclePatterns.Key? {
        opener.map { CyclePatterns.Key(opener: $0, hasFix: epoch.mode > .noFix) }
    }

    @inline(__always)
    private func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.time else { return false }
        return abs(time.nanoseconds(since: now)) < Self.tolerance
    }

    /// A new instant, or the same sentence again: it comes once per cycle.
    @inline(__always)
    private func isBoundary(_ time: TimeOfDay?) -> Bool {
        guard time != nil, epoch.time != nil else { return speakers.hasSpoken(speaker) }
        return !isSameInstant(time) || speakers.hasSpoken(speaker)
    }

    private mutating func begin() {
        epoch.clear()
        known = Knowledge(facts: reference == nil ? [] : .date)
        epoch.evidence.wasThreeD = wasThreeD
        opener = nil
        speakers.begin()
        lastContribution = nil
        endCame = false
        isPublished = false
        isRepetition = false
        isClosed = false
    }

    private mutating func close(next time: TimeOfDay?) {
        if isComplete { publish() }
        if let pattern, let lastContribution {
            patterns.learn(pattern, last: lastContribution, endCame: endCame)
        }
        if !epoch.satellitesUsed.isEmpty { usedBefore = epoch.satellitesUsed }
        let elapsed = time.flatMap { time in epoch.time.map { time.nanoseconds(since: $0) } }
        satellites.endEpoch(after: elapsed)
    }

    private mutating func publish() {
        isPublished = true
        satellites.view.used = epoch.satellitesUsed.isEmpty ? usedBefore : epoch.satellitesUsed
        if let time = epoch.time {
            guard !published.contains(time, within: Self.tolerance) else {
                publishRepetition()
                return
            }
            published.append(time)
        }
        repetitions = 0
        let instant = instant
        let place = place()
        ready[place].drawUp(
            epoch, at: instant.time, receivedDate: instant.receivedDate, inView: satellites.count,
            rangeError)
        wasThreeD = ready[place].mode == .threeD
        if ready[place].mode > .noFix, isStillSimulated() { ready[place].quality = .simulated }
        // A void sentence's date is its own epoch's only.
        if let time = instant.time, epoch.date == nil || epoch.isDateTrusted {
            reference = time
            known.facts.insert(.date)
        }
    }

    /// Where to draw up the next fix.
    private mutating func place() -> Int {
        if readyCount == ready.count { ready.append(Fix()) }
        readyCount += 1
        return readyCount - 1
    }

    /// Who has called itself simulated and now says nothing of it has only lost the sentence that
    /// says so.
    private mutating func isStillSimulated() -> Bool {
        if let quality = epoch.quality { wasSimulated = quality == .simulated }
        return wasSimulated
    }

    /// A receiver that goes on repeating itself has lost its fix; that is said once, and without a
    /// time, since its clock stands still. A single repetition is only a stutter.
    private mutating func publishRepetition() {
        guard isRepetition else { return }
        repetitions += 1
        guard repetitions == 2 else { return }
        wasThreeD = false
        ready[place()] = Fix()
    }

    /// The epoch's instant, by its own date or by what follows from an earlier one's; and the date
    /// as it was received where that was put right.
    ///
    /// Inlined, so that the assembler is not copied to be asked.
    @inline(__always)
    private var instant: (time: UTCTime?, receivedDate: CalendarDate?) {
        guard let time = epoch.time else { return (nil, nil) }
        var days = lostDays
        var instant: UTCTime?
        if let date = epoch.date {
            days = rollover?.lostDays(of: date) ?? 0
            let dated = UTCTime(date: date.adding(days: days), time: epoch.dateTime ?? time)
            instant = dated.nearest(time)
        } else {
            instant = reference?.onward(to: time)
        }
        return (instant, days == 0 ? nil : instant?.date.adding(days: -days))
    }
}
