// SPDX-License-Identifier: MIT

/// A set of receivers, one bit for each.
struct ReceiverSet: OptionSet, Hashable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a set that contains one receiver.
    init(_ index: Int) { rawValue = 1 << UInt16(index) }

    /// The receivers in ascending order.
    var members: [Int] { (0..<16).filter { contains(ReceiverSet($0)) } }
}

/// Records which receivers agree with each other.
///
/// Position errors last for minutes, so a delay would not filter them. Instead, hysteresis is used:
/// two receivers that agree only disagree when they differ by more than 1.25 times the threshold.
/// They agree again when they differ by at most half the threshold.
struct Agreement {
    /// For each receiver, the set of receivers that disagree with it.
    private var disagreeing: [ReceiverSet]
    /// For each receiver, the set of receivers that differ from it by more than the threshold. They
    /// may still count as agreeing, because of the hysteresis.
    private var doubtful: [ReceiverSet]

    init(count: Int) {
        disagreeing = Array(repeating: [], count: count)
        doubtful = disagreeing
    }

    /// Updates `disagreeing` and `doubtful` for two receivers. `ratio` is the distance between
    /// their positions as a multiple of the threshold.
    mutating func update(_ a: Int, _ b: Int, ratio: Double, _ settings: ReceiverVote.Settings) {
        let disagreed = disagrees(a, b)
        let limit = disagreed ? settings.agreement : settings.disagreement
        set(\.disagreeing, a, b, ratio > limit)
        set(\.doubtful, a, b, ratio > 1)
    }

    /// Returns whether two receivers disagree.
    func disagrees(_ a: Int, _ b: Int) -> Bool { disagreeing[a].contains(ReceiverSet(b)) }

    /// Returns whether all members of a set agree with each other. `members` contains these
    /// members; other receivers in it are ignored.
    func isConsistent(_ set: ReceiverSet, of members: [Int]) -> Bool {
        members.allSatisfy {
            !set.contains(ReceiverSet($0)) || disagreeing[$0].isDisjoint(with: set)
        }
    }

    /// Returns whether any two members of a set differ by more than the threshold.
    func isDoubtful(_ set: ReceiverSet) -> Bool {
        set.members.contains { !doubtful[$0].isDisjoint(with: set) }
    }

    private mutating func set(
        _ sets: WritableKeyPath<Agreement, [ReceiverSet]>, _ a: Int, _ b: Int, _ value: Bool
    ) {
        for (one, other) in [(a, b), (b, a)] {
            if value {
                self[keyPath: sets][one].insert(ReceiverSet(other))
            } else {
                self[keyPath: sets][one].remove(ReceiverSet(other))
            }
        }
    }

    /// Returns the largest subsets of `voters` whose members agree with each other: one, or several
    /// of equal size.
    func largestSets(of voters: [Int]) -> [ReceiverSet] {
        let all = voters.reduce(into: ReceiverSet()) { $0.insert(ReceiverSet($1)) }
        // The most frequent case: all agree.
        if !voters.isEmpty, isConsistent(all, of: voters) { return [all] }
        var largest: [ReceiverSet] = []
        var size = 0
        // Visit all subsets; there are at most 256.
        for bits in 1..<(1 << voters.count) {
            let bitCount = bits.nonzeroBitCount
            guard bitCount >= size else { continue }
            var set: ReceiverSet = []
            for (index, voter) in voters.enumerated() where bits & (1 << index) != 0 {
                set.insert(ReceiverSet(voter))
            }
            guard isConsistent(set, of: voters) else { continue }
            if bitCount > size { largest.removeAll(keepingCapacity: true) }
            size = bitCount
            largest.append(set)
        }
        return largest
    }
}
