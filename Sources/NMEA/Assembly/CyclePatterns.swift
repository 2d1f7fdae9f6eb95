// SPDX-License-Identifier: MIT

/// A position in a cycle: the n-th occurrence of a sentence in an epoch.
struct CyclePlace: Hashable, Sendable {
    var sentence: Address
    var occurrence: Int
}

/// The learned ends of a receiver's cycles.
///
/// Waiting for the next epoch would add a whole period of delay. Instead, the last contributing
/// sentence is stored by the sentence that opened the epoch. The same last sentence twice in a row is
/// the end of the cycle. Epochs with and without a fix are learned separately: without a fix, far
/// fewer sentences contribute.
struct CyclePatterns: Equatable, Sendable {
    /// The properties that epochs of one pattern have in common.
    struct Key: Hashable {
        var opener: Address
        var hasFix: Bool
    }

    private struct Pattern: Equatable {
        var key: Key
        var last: CyclePlace
        var end: CyclePlace?
    }

    /// A receiver may send several instants per cycle, each with its own opening sentence; few do.
    private static let capacity = 8

    private var patterns: [Pattern] = []
    private var missesInARow = 0
    /// The pattern found last; the next lookup nearly always finds the same one.
    private var recent = 0

    init() {
        patterns.reserveCapacity(Self.capacity)
    }

    /// The end of epochs of this kind; `nil` until it is learned.
    @inline(__always)
    mutating func end(of key: Key) -> CyclePlace? {
        index(of: key).flatMap { patterns[$0].end }
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
        // `recent` only affects where a search begins.
        a.patterns == b.patterns && a.missesInARow == b.missesInARow
    }

    /// Learns from a finished epoch.
    ///
    /// `endCame` states whether the learned end, if there was one, occurred.
    mutating func learn(_ key: Key, last: CyclePlace, endCame: Bool) {
        guard let index = index(of: key) else {
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

    /// Forgets all patterns: the port was reopened, or the pattern has changed.
    mutating func forget() {
        patterns.removeAll(keepingCapacity: true)
        missesInARow = 0
    }
}
