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

    @usableFromInline var epoch = Epoch()
    private var opener: Contributor?
    private var seen: [CyclePlace] = []
    private var lastContribution: CyclePlace?
    /// What is known now, where that was looked at since something else changed.
    private var known: Knowledge?
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
    private var usedBefore = SatelliteIDSet()
    private var published = RecentTimes()
    /// How many epochs in a row only repeated the one before.
    private var repetitions = 0
    @usableFromInline var ready: [Fix] = []
    private var taken = 0

    /// Makes an assembler that knows nothing.
    public init() {
        seen.reserveCapacity(32)
        ready.reserveCapacity(4)
    }

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
        begin()
    }

    // MARK: Out

    /// Whether a fix is ready.
    @inlinable public var hasNext: Bool { !ready.isEmpty }

    /// The next fix that is ready, in order; `nil` when there is none.
    public mutating func next() -> Fix? {
        guard taken < ready.count else { return nil }
        taken += 1
        let fix = ready[taken - 1]
        if taken == ready.count {
            ready.removeAll(keepingCapacity: true)
            taken = 0
        }
        return fix
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
        var facts: Epoch.Facts
        var used: SatelliteIDSet
    }

    /// Finds the epoch that the sentence belongs to; false where it belongs to none.
    @usableFromInline
    mutating func prepare(for contributor: Contributor, _ timing: EpochTiming) -> Bool {
        switch timing {
        case .opens(let time):
            if isBoundary(contributor, time) {
                let repeats = isSameInstant(time)
                close(next: time)
                begin()
                isRepetition = repeats
            }
            isClosed = false
            // What a sentence without a time refuted was not the instant that is named now.
            if epoch.time == nil, time != nil {
                epoch.evidence.reconsider()
                known = nil
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
        if known == nil { known = knowledge }
        return true
    }

    // Inlined, so that what is large is looked at where it is.
    @inline(__always)
    private var knowledge: Knowledge {
        Knowledge(
            facts: epoch.facts(isDateKnown: reference != nil), used: epoch.satellitesUsed)
    }

    @usableFromInline
    mutating func settle(_ contributor: Contributor) {
        let place = note(contributor)
        if let date = epoch.date, epoch.isDateTrusted, let time = epoch.dateTime {
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

    private mutating func note(_ contributor: Contributor) -> CyclePlace {
        if let index = seen.firstIndex(where: { $0.contributor == contributor }) {
            seen[index].occurrence += 1
            return seen[index]
        }
        let place = CyclePlace(contributor: contributor, occurrence: 1)
        if seen.count < 32 { seen.append(place) }
        return place
    }

    @inline(__always)
    private func hasSpoken(_ contributor: Contributor) -> Bool {
        seen.contains { $0.contributor == contributor }
    }

    @inline(__always)
    private func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.time else { return false }
        return abs(time.nanoseconds(since: now)) < Self.tolerance
    }

    /// A new instant, or the same sentence again: it comes once per cycle.
    @inline(__always)
    private func isBoundary(_ contributor: Contributor, _ time: TimeOfDay?) -> Bool {
        guard time != nil, epoch.time != nil else { return hasSpoken(contributor) }
        return !isSameInstant(time) || hasSpoken(contributor)
    }

    private mutating func begin() {
        epoch = Epoch()
        known = nil
        epoch.evidence.wasThreeD = wasThreeD
        opener = nil
        seen.removeAll(keepingCapacity: true)
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
        satellites.used = epoch.satellitesUsed.isEmpty ? usedBefore : epoch.satellitesUsed
        if let time = epoch.time {
            guard !published.contains(time, within: Self.tolerance) else {
                publishRepetition()
                return
            }
            published.append(time)
        }
        repetitions = 0
        known = nil
        var fix = Fix(epoch, inView: satellites.count, rangeError: rangeError)
        date(&fix)
        // A void sentence's date is its own epoch's only.
        if let time = fix.time, epoch.date == nil || epoch.isDateTrusted { reference = time }
        wasThreeD = fix.mode == .threeD
        ready.append(fix)
    }

    /// A receiver that goes on repeating itself has lost its fix; that is said once, and without a
    /// time, since its clock stands still. A single repetition is only a stutter.
    private mutating func publishRepetition() {
        guard isRepetition else { return }
        repetitions += 1
        guard repetitions == 2 else { return }
        wasThreeD = false
        ready.append(Fix())
    }

    /// Gives a fix its instant: by the epoch's own date, or by what follows from an earlier one's.
    private func date(_ fix: inout Fix) {
        guard let time = epoch.time else { return }
        var days = lostDays
        if let date = epoch.date {
            days = rollover?.lostDays(of: date) ?? 0
            let dated = UTCTime(date: date.adding(days: days), time: epoch.dateTime ?? time)
            fix.time = dated.nearest(time)
        } else {
            fix.time = reference?.onward(to: time)
        }
        if days != 0 { fix.receivedDate = fix.time?.date.adding(days: -days) }
    }
}
