// SPDX-License-Identifier: MIT
import GNSS

/// A position in a cycle (the sentences that a receiver sends for one epoch): a sentence, and its
/// number of occurrences in the epoch so far.
struct CyclePosition: Hashable, Sendable {
    var sentence: Address
    var occurrence: Int
}

/// The fraction of a second in the time of an epoch.
struct CyclePhase: Equatable, Sendable {
    /// Whether the time has no fraction of a second.
    var isWholeSecond: Bool
    /// A mask with one bit set: bit 0 to 19 for the fraction of a second in steps of 50 ms. 0 for
    /// an epoch without a time.
    var bit: UInt32

    @inline(__always)
    init(_ nanosecond: Int?) {
        isWholeSecond = nanosecond == 0
        bit = nanosecond.map { 1 << UInt32(truncatingIfNeeded: $0 / 50_000_000 & 31) } ?? 0
    }
}

/// The learned ends of a receiver's cycles.
///
/// If a fix were complete only when the next epoch begins, it would be late by a whole period.
/// Therefore, the last contributing sentence of each epoch is stored, separately for each opening
/// sentence. If it is the same in two consecutive epochs, it is the end of the cycle. Epochs with
/// and without a fix are learned separately, because far fewer sentences contribute without a fix.
///
/// Many receivers send GGA ten times a second, and other sentences only once or twice a second.
/// Therefore, epochs at whole seconds may have a later end. So may epochs at any other fraction of
/// a second that have ended later twice. The two later ends are learned separately: one sentence
/// may be sent twice a second, and another one, after it, once a second.
///
/// Some receivers send RMC every second, and GGA every fifth second. The end of their cycles cannot
/// be known in advance, so their fixes are complete at the next epoch, or after a silence.
struct CyclePatterns: Equatable, Sendable {
    /// Identifies a pattern. It consists of the epochs with the same opening sentence, either with
    /// or without a fix.
    struct Key: Hashable {
        var opener: Address
        var hasFix: Bool
    }

    /// The end of those epochs of a pattern that may end later than usual, such as the epochs at
    /// whole seconds.
    private struct LaterEnd: Equatable {
        /// The last contributing sentence of the most recent epoch that may end later than usual;
        /// `nil` before the first one.
        private(set) var last: CyclePosition?
        /// The last sentence of the epochs that end later than usual; `nil` if they do not, or if
        /// it is not known.
        private(set) var end: CyclePosition?
        /// Whether the end differs from the usual one. The end itself may be unknown, because a
        /// sentence was missing, or because the epochs end with different sentences.
        private var isLater = false

        /// Creates an end that is not known yet.
        init(last: CyclePosition? = nil) { self.last = last }

        /// Creates a known end.
        init(end: CyclePosition) {
            last = end
            self.end = end
            isLater = true
        }

        /// Returns the end of the epochs that may end later: `usual` unless they do; `nil` if a
        /// later end is not known.
        @inline(__always)
        func orUsual(_ usual: CyclePosition?) -> CyclePosition? { isLater ? end : usual }

        mutating func forget() { end = nil }

        mutating func learn(_ position: CyclePosition, usual: CyclePosition?) {
            if last == position { isLater = usual != position }
            end = isLater && last == position ? position : nil
            last = position
        }
    }

    /// Detects whether epochs at whole seconds end sometimes with one sentence, and sometimes with
    /// a later one.
    private struct Alternation: Equatable {
        /// The number of consecutive epochs with the same end after which the ends no longer count
        /// as alternating.
        private static let regularCount = 20
        /// The number of epochs in which a sentence contributed after the fix had been published.
        /// Of several such epochs in a row, only the first is counted.
        private var lateEnds = 0
        private var equalEnds = 0
        private var wasLate = false

        var isFound: Bool { lateEnds >= 2 }

        /// Records the end of an epoch. `isLate` is `true` if a sentence contributed after the fix
        /// had been published. `isEqual` is `true` if the previous epoch at a whole second ended
        /// with the same sentence.
        mutating func note(isLate: Bool, isEqual: Bool) {
            if isLate, !wasLate { lateEnds += 1 }
            wasLate = isLate
            // Nothing is counted in a regular stream, so the state does not depend on its length.
            equalEnds = isEqual && lateEnds > 0 ? equalEnds + 1 : 0
            if equalEnds >= Self.regularCount { (lateEnds, equalEnds) = (0, 0) }
        }
    }

    private struct Pattern: Equatable {
        let key: Key
        private var last: CyclePosition
        private var end: CyclePosition?
        private var endOfSecond = LaterEnd()
        private var alternation = Alternation()
        /// The end of epochs at late phases, which are the fractions of a second in `latePhases`.
        private var endOfPhase = LaterEnd()
        /// The phases (fractions of a second) whose most recent epoch ended after the usual end,
        /// `end`. One bit for each.
        private var possiblyLatePhases: UInt32 = 0
        /// The late phases: the fractions of a second at which epochs regularly end after the usual
        /// end, `end`. One bit for each.
        private var latePhases: UInt32 = 0

        init(key: Key, last: CyclePosition, _ phase: CyclePhase) {
            self.key = key
            self.last = last
            if phase.isWholeSecond { endOfSecond = LaterEnd(last: last) }
        }

        @inline(__always)
        func end(of phase: CyclePhase) -> CyclePosition? {
            if phase.isWholeSecond { return alternation.isFound ? nil : endOfSecond.orUsual(end) }
            return isLate(phase) ? endOfPhase.orUsual(end) : end
        }

        @inline(__always)
        private func isLate(_ phase: CyclePhase) -> Bool { latePhases & phase.bit != 0 }

        mutating func forgetEnd(_ phase: CyclePhase) {
            if phase.isWholeSecond, endOfSecond.end != nil {
                endOfSecond.forget()
            } else if !phase.isWholeSecond, isLate(phase), endOfPhase.end != nil {
                endOfPhase.forget()
            } else {
                end = nil
            }
        }

        mutating func learn(_ position: CyclePosition, isLate wasLate: Bool, _ phase: CyclePhase) {
            if last == position { end = position }
            last = position
            if phase.isWholeSecond {
                alternation.note(isLate: wasLate, isEqual: endOfSecond.last == position)
                // The end cannot be known in advance, so what was learned about it is discarded.
                if alternation.isFound { return endOfSecond = LaterEnd(last: position) }
                return endOfSecond.learn(position, usual: end)
            }
            if isLate(phase) { endOfPhase.learn(position, usual: end) }
            if end != nil { note(isLate: end != position, phase) }
        }

        /// Records whether an epoch has ended after the usual end, `end`. Its phase becomes late
        /// with the second such epoch in a row. It stops being late after two other epochs in a
        /// row, because a single one may lack a sentence.
        private mutating func note(isLate isLater: Bool, _ phase: CyclePhase) {
            guard isLater else {
                if possiblyLatePhases & phase.bit != 0 {
                    possiblyLatePhases &= ~phase.bit
                } else {
                    latePhases &= ~phase.bit
                }
                return
            }
            if possiblyLatePhases & phase.bit != 0, !isLate(phase) {
                latePhases |= phase.bit
                // The previous epoch of this phase probably ended with the same sentence.
                if endOfPhase.end == nil { endOfPhase = LaterEnd(end: last) }
            }
            possiblyLatePhases |= phase.bit
        }
    }

    /// The maximum number of patterns. Few receivers need more than two: a cycle may contain
    /// several instants, each with its own opening sentence, but this is rare.
    private static let capacity = 8

    private var patterns: [Pattern] = []
    private var missesInARow = 0
    /// Whether the last contribution of the current epoch came after its fix had been published.
    var isLate = false

    init() {
        patterns.reserveCapacity(Self.capacity)
    }

    /// Returns the learned end of epochs with this key and phase; `nil` if it is not known.
    func end(of key: Key, _ phase: CyclePhase) -> CyclePosition? {
        index(of: key).flatMap { patterns[$0].end(of: phase) }
    }

    private func index(of key: Key) -> Int? { patterns.firstIndex { $0.key == key } }

    /// Updates the patterns after an epoch has ended. `last` is its last contributing sentence.
    ///
    /// `endCame` is `true` if the learned end occurred in this epoch.
    mutating func learn(_ key: Key, last: CyclePosition, endCame: Bool, _ phase: CyclePhase) {
        guard let index = index(of: key) else {
            if patterns.count == Self.capacity { patterns.removeFirst() }
            return patterns.append(Pattern(key: key, last: last, phase))
        }
        if !endCame, end(of: key, phase) != nil {
            patterns[index].forgetEnd(phase)
            missesInARow += 1
        } else {
            missesInARow = 0
        }
        patterns[index].learn(last, isLate: isLate, phase)
        if missesInARow >= 3 { forget() }
    }

    /// Removes all patterns. Call it after reopening the port. `learn` also calls it after three
    /// consecutive epochs without the learned end.
    mutating func forget() {
        patterns.removeAll(keepingCapacity: true)
        missesInARow = 0
    }
}

/// A queue of complete fixes that have not been delivered. When a fix is delivered, its satellites
/// used, its DOPs and its time are copied to the satellite view.
struct CompleteFixes: Sendable {
    private struct Entry {
        var fix = Fix()
        /// The satellites that the fix uses.
        var used = SatelliteIDSet()
        /// Whether a complete satellite view of an earlier epoch must be delivered before the fix.
        var isAfterView = false
        /// Whether the fix was published because its epoch ended, rather than with the last
        /// sentence of the cycle.
        var isAtEnd = false

        /// Copies the satellites used, the DOPs and the time of the fix to the satellite view.
        func describe(_ satellites: inout SatelliteTracker) {
            satellites.describeEpoch(used: used, fix.dilution, hasFix: fix.mode > .noFix)
            satellites.setListTime(fix.time)
        }
    }

    /// The fixes in the queue, followed by unused elements. Elements are reused to avoid copies,
    /// because a fix is large.
    private var entries: [Entry] = []
    private var count = 0

    init() {
        entries.reserveCapacity(4)
    }

    var isEmpty: Bool { count == 0 }

    /// Adds a fix that `body` sets in place. `body` must set every value, because the element still
    /// contains an earlier fix.
    @inline(__always)
    mutating func append(
        using used: SatelliteIDSet, after isAfterView: Bool, isAtEnd: Bool,
        _ body: (inout Fix) -> Void
    ) {
        if count == entries.count { entries.append(Entry()) }
        entries[count].used = used
        entries[count].isAfterView = isAfterView
        entries[count].isAtEnd = isAtEnd
        body(&entries[count].fix)
        count += 1
    }

    /// Adds an instrument's attitude as a fix without other values.
    mutating func append(_ attitude: Attitude) {
        append(using: SatelliteIDSet(), after: false, isAtEnd: false) {
            $0 = Fix()
            $0.attitude = attitude
        }
    }

    mutating func removeFirst(_ satellites: inout SatelliteTracker) -> Fix? {
        guard !isEmpty else { return nil }
        entries[0].describe(&satellites)
        count -= 1
        return entries.removeFirst().fix
    }

    /// Delivers the fixes in order and removes them. Before a fix is delivered, its satellites
    /// used, its DOPs and its time are copied to the satellite view.
    mutating func take(
        _ satellites: inout SatelliteTracker,
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void
    ) {
        let indices = 0..<count
        count = 0
        let span = entries.span
        for index in indices {
            if span[index].isAfterView, satellites.takeRenewal(waitingForFix: false) {
                handleView(satellites.view)
            }
            span[index].describe(&satellites)
            handle(span[index].fix, satellites.view)
            if span[index].isAtEnd, satellites.takeLostFix(at: span[index].fix.time) {
                handleView(satellites.view)
            }
        }
    }
}

/// The most recently published instants, which must not be published again, the period between
/// them, and how many epochs repeated each of the two latest ones.
struct RecentTimes: Equatable, Sendable {
    private static let capacity = 4
    /// The longest step between two instants that counts as a period, in nanoseconds: one minute.
    private static let maximumPeriod: Int64 = 60_000_000_000

    private struct Instant: Equatable {
        var time: TimeOfDay
        /// `time` with its date; `nil` if the date is not known or not trusted.
        var date: UTCTime?
        /// The time of arrival of the epoch or of its last repetition; `nil` if it is not known.
        var arrival: MonotonicInstant?
    }

    /// The time of arrival of the bytes that are being decoded; `nil` if it is not known, as for a
    /// recording.
    var arrival: MonotonicInstant?
    /// The instants, the latest first.
    private var instants: [Instant] = []
    private(set) var period: Int64?
    /// The number of epochs that have repeated the latest instant instead of beginning a new one.
    private var repetitions = 0
    /// The final value of `repetitions` for the instant before the latest one, at least 1. A receiver
    /// with five fixes per second, and times in whole seconds, repeats each instant.
    private var previousRepetitions = 1
    /// The index, in `instants`, of the instant that the last epoch repeated; `nil` if its instant
    /// was new.
    private var repeatedIndex: Int?
    /// Whether epochs since the latest instant repeated two instants, one after the other.
    private var hasGoneBack = false
    /// The maximum of `previousRepetitions`, for 25 fixes per second with times in whole seconds.
    private static let maximumRepetitions = 24
    /// One second, in nanoseconds.
    private static let second: Int64 = 1_000_000_000

    init() {
        instants.reserveCapacity(Self.capacity)
    }

    /// Adds the time of a published epoch, with its date if that is known and trusted.
    mutating func append(_ time: TimeOfDay, on date: UTCTime?) {
        if let last = instants.first {
            let step = time.nanoseconds(since: last.time)
            // A longer step is a gap, not a period.
            period = 1...Self.maximumPeriod ~= step ? step : nil
            // Repetitions before a longer step do not count, because the clock had stopped.
            previousRepetitions =
                1...Self.second ~= step ? max(1, min(repetitions, Self.maximumRepetitions)) : 1
        }
        (repetitions, repeatedIndex) = (0, nil)
        if instants.count == Self.capacity { instants.removeLast() }
        instants.insert(Instant(time: time, date: date, arrival: arrival), at: 0)
    }

    /// Counts an epoch that only repeats an instant. Returns `true` once, when there are twice as
    /// many repetitions as for the previous instant: the receiver's clock has stopped.
    mutating func countRepetition() -> Bool {
        repetitions += 1
        return repetitions == 2 * previousRepetitions
    }

    /// Returns whether the receiver's time has gone back since the last call: it has repeated two
    /// instants in their order. A single one does not count: a receiver may send a sentence of the
    /// previous epoch in each cycle, or whole cycles twice.
    mutating func takeReturn() -> Bool {
        defer { hasGoneBack = false }
        return hasGoneBack
    }

    /// Returns whether an epoch repeats an instant that was published recently. The same time on
    /// another day is another instant: a tracker may send one fix a day, always at noon. Without a
    /// date, it is another day if the time has not arrived for half a day.
    mutating func isRepeated(_ time: TimeOfDay, on date: UTCTime?) -> Bool {
        let now = arrival
        let index = instants.firstIndex { instant in
            guard time.isSameInstant(as: instant.time) else { return false }
            if let date, let other = instant.date { return !date.isOnDifferentDay(from: other) }
            guard let now, let other = instant.arrival else { return true }
            return now.seconds(since: other) < 43_200
        }
        guard let index else { return false }
        instants[index].arrival = arrival
        if let repeatedIndex, index < repeatedIndex { hasGoneBack = true }
        repeatedIndex = index
        return true
    }
}

/// The last instant with a trusted date. It dates the following epochs whose sentences have only a
/// time of day.
struct DateReference: Equatable, Sendable {
    private static let day = 86_400.0

    let time: UTCTime
    /// The time of arrival of the epoch with the date, or of its last repetition; `nil` if it is
    /// not known, as for a recording.
    var arrival: MonotonicInstant?

    /// Returns the next instant with the time of day `clock`, or the previous one if that is at
    /// most an hour before the reference. If the arrival times show that whole days have passed
    /// since the reference, these days are added.
    func onward(to clock: TimeOfDay, arriving now: MonotonicInstant?) -> UTCTime {
        let next = time.onward(to: clock)
        guard let arrival, let now, let step = next.nanoseconds(since: time) else { return next }
        let days = ((now.seconds(since: arrival) - Double(step) / 1e9) / Self.day).rounded()
        guard 1...36_500 ~= days else { return next }
        return UTCTime(date: next.date.adding(days: Int(days)), time: clock)
    }
}

extension FixAssembler {
    /// Uses a new date of this epoch for later epochs. `isAtEnd` is `true` if the next epoch begins.
    @inline(__always)  // It is called after each sentence; few have a date.
    mutating func takeDate(atEnd isAtEnd: Bool) {
        guard epoch.date?.isNew == true else { return }
        if let (date, time) = epoch.takeNewDate(atEnd: isAtEnd) { use(date, time) }
    }

    /// Uses a date of this epoch, with the time of its sentence, for later epochs.
    @inline(never)
    private mutating func use(_ date: CalendarDate, _ time: TimeOfDay) {
        missingDays = rollover?.missingDays(of: date) ?? 0
        var instant = UTCTime(date: date.adding(days: missingDays), time: time)
        if let last = reference?.time, instant.hasLastDay(after: last) {
            instant = UTCTime(date: instant.date.adding(days: 1), time: time)
            epoch.moveDateToNextDay()
        }
        reference = DateReference(time: instant, arrival: published.arrival)
        satellites.time = instant
    }

    /// Returns whether a time is the time of the current epoch, apart from rounding; `false` if one
    /// of them is not known.
    @inline(__always)
    func isSameInstant(_ time: TimeOfDay?) -> Bool {
        guard let time, let now = epoch.fix.timeOfDay else { return false }
        return time.isSameInstant(as: now)
    }
}

extension UTCTime {
    /// The longest time after midnight, in nanoseconds, for which a receiver may report the date of
    /// the day before.
    private static let dateDelay: Int64 = 10_000_000_000

    /// Returns whether this time, which is reported just after `last`, has the date of the day before.
    /// Some receivers change their date an epoch after midnight, or change it in ZDA later than in RMC.
    fileprivate func hasLastDay(after last: UTCTime) -> Bool {
        guard time.nanoseconds < Self.dateDelay, let step = nanoseconds(since: last) else {
            return false
        }
        return 0..<Self.dateDelay ~= step &+ TimeOfDay.day
    }

    /// Returns whether two instants with the same time of day are on different days. Around
    /// midnight, one instant may have two dates, because times are rounded.
    fileprivate func isOnDifferentDay(from other: UTCTime) -> Bool {
        guard let difference = nanoseconds(since: other) else { return true }
        return difference.magnitude > TimeOfDay.day.magnitude / 2
    }
}

extension TimeOfDay {
    /// The largest difference between two times of the same instant, in nanoseconds. It allows for
    /// times that are rounded differently in different sentences.
    private static let tolerance: Int64 = 10_000_000

    /// Returns whether two times describe the same instant: they differ by less than 10 ms.
    func isSameInstant(as other: TimeOfDay) -> Bool {
        abs(nanoseconds(since: other)) < Self.tolerance
    }
}

/// Counts how often each sentence has occurred in the current epoch. A sentence and its count
/// identify a position in the cycle.
struct SentenceOccurrences: Sendable {
    private static let capacity = 32

    /// All sentences that have occurred since the list was last cleared, in the order of their
    /// first occurrence.
    private var sentences: [Entry] = []
    /// The index in `sentences` of the most recently looked-up sentence, where the next search
    /// starts.
    private var recent = 0
    private var epoch = 1
    /// The index of the satellite receiver's most recent sentence.
    private var latest: Int?

    private struct Entry {
        var address: Address
        /// The index of the sentence that followed when this one last occurred. The same sentence
        /// nearly always follows again.
        var next = 0
        /// The number of the epoch in which the sentence last occurred. `count` is how often it
        /// occurred in it.
        var epoch = 0
        var count = 0
        /// The number of occurrences in the last epoch before `epoch` that contained the sentence.
        var previousCount = 0

        /// Returns the number of occurrences in an epoch, and the number in the last earlier epoch
        /// that contained the sentence.
        func counts(in current: Int) -> (Int, Int) {
            epoch == current ? (count, previousCount) : (0, count)
        }
    }

    init() {
        sentences.reserveCapacity(Self.capacity)
    }

    /// Returns whether both values list the same sentences in the same order, with the same counts
    /// in their current epochs and before them.
    func hasSameState(with other: SentenceOccurrences) -> Bool {
        // `recent` only affects where a search starts.
        sentences.count == other.sentences.count && latest == other.latest
            && zip(sentences, other.sentences).allSatisfy { own, others in
                own.address == others.address
                    && own.counts(in: epoch) == others.counts(in: other.epoch)
            }
    }

    /// Whether the list is empty: no sentence has occurred yet, or the list was full and has been
    /// cleared.
    var isEmpty: Bool { sentences.isEmpty }

    /// Returns the index of a sentence in the list, after adding it if necessary; `nil` if the list
    /// is full.
    @inline(__always)
    mutating func index(of address: Address) -> Int? {
        guard recent < sentences.count else { return find(address) }
        let next = sentences[recent].next
        guard next < sentences.count, sentences[next].address == address else {
            return find(address)
        }
        recent = next
        return next
    }

    @inline(never)
    private mutating func find(_ address: Address) -> Int? {
        if recent < sentences.count, sentences[recent].address == address { return recent }
        var index = sentences.firstIndex { $0.address == address }
        if index == nil {
            guard sentences.count < Self.capacity else { return nil }
            index = sentences.count
            sentences.append(Entry(address: address))
        }
        if let index {
            if recent < sentences.count { sentences[recent].next = index }
            recent = index
        }
        return index
    }

    /// Returns whether the list begins with a sentence that has occurred once in this epoch.
    func beginsOnce(with address: Address) -> Bool {
        sentences.first.map { $0.address == address && $0.counts(in: epoch).0 == 1 } ?? false
    }

    /// Returns whether a satellite receiver has sent a sentence with this formatter.
    func receiverHasSent(_ formatter: SentenceFormatter) -> Bool {
        sentences.contains {
            $0.address.isOfSatelliteReceiver && $0.address.formatter == formatter
        }
    }

    /// Returns whether a sentence with this formatter has occurred less often in this epoch than in
    /// the previous one.
    func isMissing(_ formatter: SentenceFormatter) -> Bool {
        sentences.contains {
            let (count, previous) = $0.counts(in: epoch)
            return count < previous && $0.epoch >= epoch - 1 && $0.address.formatter == formatter
        }
    }

    /// Returns whether a sentence has occurred at least `count` times in this epoch.
    func hasOccurred(_ index: Int?, times count: Int = 1) -> Bool {
        guard let index else { return false }
        let sentences = sentences.span
        return sentences[index].epoch == epoch && sentences[index].count >= count
    }

    /// Returns whether a sentence has occurred in this epoch as often as in the last epoch that
    /// contained it, and the satellite receiver has sent another sentence since then, or one may have
    /// been lost (`afterLoss`).
    func isSurplus(_ index: Int?, afterLoss: Bool) -> Bool {
        guard let index, let latest, latest != index || afterLoss else { return false }
        let sentences = sentences.span
        return sentences[index].epoch == epoch && sentences[index].previousCount > 0
            && sentences[index].count >= sentences[index].previousCount
    }

    /// Counts an occurrence of a sentence, and returns its number of occurrences in this epoch.
    mutating func count(_ index: Int?) -> Int {
        guard let index else { return 1 }
        if self.sentences[index].address.isOfSatelliteReceiver { latest = index }
        let epoch = epoch
        var sentences = sentences.mutableSpan
        if sentences[index].epoch != epoch {
            sentences[index].previousCount = sentences[index].count
            sentences[index].epoch = epoch
            sentences[index].count = 0
        }
        sentences[index].count += 1
        return sentences[index].count
    }

    /// Begins an epoch, and sets all counts to zero.
    mutating func begin() {
        epoch += 1
        guard sentences.count == Self.capacity else { return }
        sentences.removeAll(keepingCapacity: true)
        latest = nil
    }
}
