// SPDX-License-Identifier: MIT

/// A position in a cycle: a sentence, and how many times it has occurred in the epoch so far.
struct CyclePosition: Hashable, Sendable {
    var sentence: Address
    var occurrence: Int
}

/// The fraction of a second in the time of an epoch.
struct CyclePhase: Equatable, Sendable {
    /// Whether the time has no fraction of a second.
    var isWholeSecond: Bool
    /// One bit for the twentieth of a second; 0 for an epoch without a time.
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
/// Many receivers send GGA ten times a second and other sentences once or twice a second. So the
/// epochs at whole seconds may have a later end, and those at other fractions of a second that have
/// ended later twice. Both are learned separately, because the whole seconds may end still later.
struct CyclePatterns: Equatable, Sendable {
    /// The properties that epochs of one pattern have in common.
    struct Key: Hashable {
        var opener: Address
        var hasFix: Bool
    }

    /// The end of epochs that end later than the others.
    private struct LaterEnd: Equatable {
        /// The last contributing sentence of the latest of these epochs.
        var last: CyclePosition?
        /// The learned end, if it differs from that of the other epochs.
        var end: CyclePosition?

        mutating func learn(_ position: CyclePosition, besides usual: CyclePosition?) {
            end = last == position && usual != position ? position : nil
            last = position
        }
    }

    private struct Pattern: Equatable {
        var key: Key
        private var last: CyclePosition
        private var usualEnd: CyclePosition?
        /// The end of epochs at whole seconds.
        private var second = LaterEnd()
        /// The end of epochs of late phases, apart from whole seconds.
        private var fraction = LaterEnd()
        /// The phases whose latest epoch ended after `usualEnd`.
        private var lateOnce: UInt32 = 0
        /// The phases whose latest two epochs ended after `usualEnd`.
        private var lateTwice: UInt32 = 0

        init(key: Key, last: CyclePosition, _ phase: CyclePhase) {
            self.key = key
            self.last = last
            if phase.isWholeSecond { second.last = last }
        }

        /// Returns the learned end of epochs of a phase; `nil` until it is learned.
        @inline(__always)
        func end(_ phase: CyclePhase) -> CyclePosition? {
            if phase.isWholeSecond { return second.end ?? usualEnd }
            return lateTwice & phase.bit != 0 ? fraction.end ?? usualEnd : usualEnd
        }

        mutating func forgetEnd(_ phase: CyclePhase) {
            if phase.isWholeSecond, second.end != nil {
                second.end = nil
            } else if lateTwice & phase.bit != 0, fraction.end != nil {
                fraction.end = nil
            } else {
                usualEnd = nil
            }
        }

        mutating func learn(_ position: CyclePosition, _ phase: CyclePhase) {
            if last == position { usualEnd = position }
            last = position
            if phase.isWholeSecond { return second.learn(position, besides: usualEnd) }
            if usualEnd != nil, usualEnd != position {
                fraction.learn(position, besides: usualEnd)
                lateTwice |= lateOnce & phase.bit
                lateOnce |= phase.bit
            } else {
                lateTwice &= ~phase.bit
                lateOnce &= ~phase.bit
            }
        }
    }

    /// The maximum number of patterns. Few receivers need more than two: a cycle may contain
    /// several instants, each with its own opening sentence, but this is rare.
    private static let capacity = 8

    private var patterns: [Pattern] = []
    private var missesInARow = 0
    /// The index of the pattern found last. The next lookup nearly always finds the same pattern.
    private var recent = 0

    init() {
        patterns.reserveCapacity(Self.capacity)
    }

    /// Returns the learned end of epochs of this kind; `nil` until it is learned.
    @inline(__always)
    mutating func end(of key: Key, _ phase: CyclePhase) -> CyclePosition? {
        index(of: key).flatMap { patterns[$0].end(phase) }
    }

    @inline(__always)
    private mutating func index(of key: Key) -> Int? {
        recent < patterns.count && patterns[recent].key == key ? recent : find(key)
    }

    @inline(never)
    private mutating func find(_ key: Key) -> Int? {
        guard let index = patterns.firstIndex(where: { $0.key == key }) else { return nil }
        recent = index
        return index
    }

    static func == (a: Self, b: Self) -> Bool {
        // `recent` only affects where a search starts.
        a.patterns == b.patterns && a.missesInARow == b.missesInARow
    }

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
        patterns[index].learn(last, phase)
        if missesInARow >= 3 { forget() }
    }

    /// Removes all patterns. Call it after reopening the port. `learn` also calls it after three
    /// consecutive epochs without the learned end.
    mutating func forget() {
        patterns.removeAll(keepingCapacity: true)
        missesInARow = 0
    }
}
