// SPDX-License-Identifier: MIT

/// A place in a cycle: the n-th time that a contributor speaks in an epoch.
struct CyclePlace: Hashable, Sendable {
    var contributor: Contributor
    var occurrence: Int
}

/// Where a receiver's cycles end, learned from the cycles seen.
///
/// Waiting for the next epoch would cost a whole period. The last sentence that contributed is
/// noted under the one that opened the epoch; the same one twice in a row is the end. Epochs with
/// and without a fix are learned apart, since without one far fewer sentences contribute.
struct CyclePatterns: Sendable {
    /// What the epochs of one pattern have in common.
    struct Key: Hashable {
        var opener: Contributor
        var hasFix: Bool
    }

    private struct Pattern {
        var key: Key
        var last: CyclePlace
        var end: CyclePlace?
    }

    /// A receiver may send several instants per cycle, each with its own opener; few do.
    private static let capacity = 8

    private var patterns: [Pattern] = []
    private var missesInARow = 0
    /// Where the last one asked for stands: it is nearly always asked for again.
    private var recent = 0

    init() {
        patterns.reserveCapacity(Self.capacity)
    }

    /// Where epochs of this kind end, once that is learned.
    @inline(__always)
    mutating func end(of key: Key) -> CyclePlace? {
        if recent < patterns.count, patterns[recent].key == key { return patterns[recent].end }
        guard let index = patterns.firstIndex(where: { $0.key == key }) else { return nil }
        recent = index
        return patterns[index].end
    }

    /// Notes how an epoch went. `endCame`: whether its learned end, if it had one, was seen.
    @inline(__always)
    mutating func learn(_ key: Key, last: CyclePlace, endCame: Bool) {
        // Nothing new, as nearly always.
        if endCame, missesInARow == 0, recent < patterns.count {
            let patterns = patterns.span
            let isAsEver =
                patterns[recent].key == key && patterns[recent].last == last
                && patterns[recent].end == last
            if isAsEver { return }
        }
        relearn(key, last: last, endCame: endCame)
    }

    @inline(never)
    private mutating func relearn(_ key: Key, last: CyclePlace, endCame: Bool) {
        guard let index = patterns.firstIndex(where: { $0.key == key }) else {
            if patterns.count == Self.capacity { patterns.removeFirst() }
            patterns.append(Pattern(key: key, last: last))
            return
        }
        var pattern = patterns[index]
        if pattern.end != nil, !endCame {
            pattern.end = nil
            missesInARow += 1
        } else {
            missesInARow = 0
        }
        if pattern.last == last { pattern.end = last }
        pattern.last = last
        patterns[index] = pattern
        if missesInARow >= 3 { forget() }
    }

    /// Forgets everything: the port was reopened, or the pattern has changed.
    mutating func forget() {
        patterns.removeAll(keepingCapacity: true)
        missesInARow = 0
    }
}
