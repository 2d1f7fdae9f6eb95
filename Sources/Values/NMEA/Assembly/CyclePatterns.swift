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
