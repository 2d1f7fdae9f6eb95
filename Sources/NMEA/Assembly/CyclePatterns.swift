// SPDX-License-Identifier: MIT

/// A position in a cycle: a sentence, and how many times it has occurred in the epoch so far.
struct CyclePosition: Hashable, Sendable {
    var sentence: Address
    var occurrence: Int
}

/// The learned ends of a receiver's cycles.
///
/// If a fix were complete only when the next epoch begins, it would be late by a whole period.
/// Therefore, the last contributing sentence of each epoch is stored, separately for each opening
/// sentence. If it is the same in two consecutive epochs, it is the end of the cycle. Epochs with
/// and without a fix are learned separately, because far fewer sentences contribute without a fix.
///
/// Many receivers send GGA ten times a second and other sentences once a second. So the epochs at
/// whole seconds may have a later end.
struct CyclePatterns: Equatable, Sendable {
    /// The properties that epochs of one pattern have in common.
    struct Key: Hashable {
        var opener: Address
        var hasFix: Bool
    }

    private struct Pattern: Equatable {
        var key: Key
        var last: CyclePosition
        var end: CyclePosition?
        /// The last contributing sentence of the latest epoch at a whole second.
        var lastOfSecond: CyclePosition?
        /// The end of epochs at whole seconds, if it differs from `end`.
        var endOfSecond: CyclePosition?

        mutating func forgetEnd(isWholeSecond: Bool) {
            if isWholeSecond, endOfSecond != nil { endOfSecond = nil } else { end = nil }
        }

        mutating func learn(_ position: CyclePosition, isWholeSecond: Bool) {
            if last == position { end = position }
            last = position
            guard isWholeSecond else { return }
            endOfSecond = lastOfSecond == position && end != position ? position : nil
            lastOfSecond = position
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
    mutating func end(of key: Key, isWholeSecond: Bool) -> CyclePosition? {
        index(of: key).flatMap {
            isWholeSecond ? patterns[$0].endOfSecond ?? patterns[$0].end : patterns[$0].end
        }
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
    mutating func learn(_ key: Key, last: CyclePosition, endCame: Bool, isWholeSecond: Bool) {
        guard let index = index(of: key) else {
            if patterns.count == Self.capacity { patterns.removeFirst() }
            let lastOfSecond = isWholeSecond ? last : nil
            return patterns.append(Pattern(key: key, last: last, lastOfSecond: lastOfSecond))
        }
        if !endCame, end(of: key, isWholeSecond: isWholeSecond) != nil {
            patterns[index].forgetEnd(isWholeSecond: isWholeSecond)
            missesInARow += 1
        } else {
            missesInARow = 0
        }
        patterns[index].learn(last, isWholeSecond: isWholeSecond)
        if missesInARow >= 3 { forget() }
    }

    /// Removes all patterns. Call it after reopening the port. `learn` also calls it after three
    /// consecutive epochs without the learned end.
    mutating func forget() {
        patterns.removeAll(keepingCapacity: true)
        missesInARow = 0
    }
}
