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
    /// The fix that is ready, or room for one; a fix is drawn up in its place.
    @usableFromInline var latest = Fix()
    /// Those that have been ready for longer: a sentence may end two epochs.
    @usableFromInline var earlier: [Fix] = []
    @usableFromInline var isReady = false

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
    @inlinable public var hasNext: Bool { isReady }

    /// The next fix that is ready, in order; `nil` when there is none.
    public mutating func next() -> Fix? {
        guard isReady else { return nil }
        if !earlier.isEmpty { return earlier.removeFirst() }
        isReady = false
        return latest
    }

    /// Hands over the fixes that are ready, in order, with the view as it stands.
    @inlinable
    public mutating func takeFixes(_ take: (inout Fix, borrowing SatelliteView) -> Void) {
        guard isReady else { return }
        if !earlier.isEmpty { takeEarlier(take) }
        isReady = false
        take(&latest, satellites.view)
    }

    @usableFromInline
    @inline(never)
    mutating func takeEarlier(_ take: (inout Fix, borrowing SatelliteView) -> Void) {
        for index in earlier.indices { take(&earlier[index], satellites.view) }
        earlier.removeAll(keepingCapacity: true)
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
    ///
    /// Inlined, since nearly every type of sentence has one timing.
    @inlinable
    @inline(__always)
    package mutating func prepare(for contributor: Contributor, _ timing: EpochTiming) -> Bool {
        switch timing {
        case .opens(let time): open(time, contributor)
        case .untimed: goOn(contributor)
        case .attaches(let time): return attach(time, contributor)
        }
        return true
    }

    /// Opens an epoch at a time, or goes on with the one of that time.
    @usableFromInline
    mutating func open(_ time: TimeOfDay?, _ contributor: Contributor) {
        speaker = speakers.index(of: contributor)
        if isBoundary(time) {
            let repeats = isSameInstant(time)
            close(next: time)
            begin(with: contributor)
            isRepetition = repeats
        }
        isClosed = false
        // What a sentence without a time refuted was not the instant that is named now.
        if epoch.time == nil, time != nil, epoch.evidence.isVoid {
            epoch.evidence.reconsider()
            known = knowledge(epoch.mode)
        }
        if epoch.time == nil, let time { satellites.time = reference?.onward(to: time) }
        epoch.time.fill(time)
        if opener == nil { opener = contributor }
    }

    /// Goes on with the epoch, or begins one after a silence.
    @usableFromInline
    mutating func goOn(_ contributor: Contributor) {
        speaker = speakers.index(of: contributor)
        guard isClosed else { return }
        close(next: nil)
        begin(with: contributor)
    }

    /// Goes on with the epoch if it is the one of that time.
    @usableFromInline
    mutating func attach(_ time: TimeOfDay?, _ contributor: Contributor) -> Bool {
        speaker = speakers.index(of: contributor)
        return isSameInstant(time)
    }

    // Inlined, so that what is large is looked at where it is.
    @inline(__always)
    private func knowledge(_ mode: FixMode) -> Knowledge {
        let facts = epoch.facts(isDateKnown: reference != nil, mode)
        return Knowledge(facts: facts, used: epoch.satellitesUsed.count)
    }

    @usableFromInline
    package mutating func settle(_ contributor: Contributor) {
        let place = CyclePlace(contributor: contributor, occurrence: speakers.note(speaker))
        if epoch.isDateNew, let date = epoch.date, let time = epoch.dateTime {
            epoch.isDateNew = false
            lostDays = lostDays(of: date)
            reference = UTCTime(date: date.adding(days: lostDays), time: time)
            satellites.time = reference
        }
        let mode = epoch.mode
        let after = knowledge(mode)
        if after != known {
            lastContribution = place
            known = after
        }
        guard lastContribution != nil, let pattern = pattern(mode),
            place == patterns.end(of: pattern)
        else { return }
        endCame = true
        if !isPublished { publish() }
    }

    @inline(__always)
    private func pattern(_ mode: FixMode) -> CyclePatterns.Key? {
        opener.map { CyclePatterns.Key(opener: $0, hasFix: mode > .noFix) }
    }

    @inline(__always)
    private func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.time else { return false }
        return time == now || Self.isNear(time, now)
    }

    @inline(never)
    private static func isNear(_ time: TimeOfDay, _ now: TimeOfDay) -> Bool {
        abs(time.nanoseconds(since: now)) < tolerance
    }

    /// A new instant, or the same sentence again: it comes once per cycle.
    @inline(__always)
    private mutating func isBoundary(_ time: TimeOfDay?) -> Bool {
        guard time != nil, epoch.time != nil else { return speakers.hasSpoken(speaker) }
        return !isSameInstant(time) || speakers.hasSpoken(speaker)
    }

    /// Begins an epoch with a contributor, who stands elsewhere in a list that was full.
    @inline(__always)
    private mutating func begin(with contributor: Contributor) {
        begin()
        if speakers.isEmpty { speaker = speakers.index(of: contributor) }
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
        if let pattern = pattern(epoch.mode), let lastContribution {
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
        makeRoom()
        latest.drawUp(
            &epoch, at: instant.time, receivedDate: instant.receivedDate, inView: satellites.count,
            rangeError)
        wasThreeD = latest.mode == .threeD
        if latest.mode > .noFix, isStillSimulated() { latest.quality = .simulated }
        // A void sentence's date is its own epoch's only.
        if let time = instant.time, epoch.date == nil || epoch.isDateTrusted {
            reference = time
            known.facts.insert(.date)
        }
    }

    /// Makes room for the next fix.
    @inline(__always)
    private mutating func makeRoom() {
        if isReady { earlier.append(latest) }
        isReady = true
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
        makeRoom()
        latest = Fix()
    }

    @inline(__always)
    private func lostDays(of date: CalendarDate) -> Int {
        guard let rollover else { return 0 }
        return Self.lostDays(of: date, by: rollover)
    }

    @inline(never)
    private static func lostDays(of date: CalendarDate, by rollover: WeekRollover) -> Int {
        rollover.lostDays(of: date)
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
            days = lostDays(of: date)
            let dated = UTCTime(date: date.adding(days: days), time: epoch.dateTime ?? time)
            instant = dated.nearest(time)
        } else {
            instant = reference?.onward(to: time)
        }
        return (instant, days == 0 ? nil : instant?.date.adding(days: -days))
    }
}
