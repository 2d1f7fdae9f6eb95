// SPDX-License-Identifier: MIT

/// A set of receivers, one bit for each.
struct ReceiverSet: OptionSet, Hashable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The set of one receiver.
    init(_ index: Int) { rawValue = 1 << UInt16(index) }

    var count: Int { rawValue.nonzeroBitCount }

    /// The receivers in ascending order.
    var members: [Int] { (0..<16).filter { contains(ReceiverSet($0)) } }
}

/// Which receivers agree with each other.
///
/// Errors of receivers last for minutes, so a wait would filter nothing. Instead two receivers that agree may
/// differ by more than the threshold before they disagree, and must come much closer before they agree again.
struct Agreement {
    /// For each receiver, those that disagree with it.
    private var disagreeing: [ReceiverSet]
    /// For each receiver, those that differ from it by more than the threshold, and agree so far.
    private var doubtful: [ReceiverSet]

    init(count: Int) {
        disagreeing = Array(repeating: [], count: count)
        doubtful = disagreeing
    }

    /// Stores the difference of two receivers as a share of the threshold.
    mutating func update(_ a: Int, _ b: Int, share: Double, _ settings: ReceiverVote.Settings) {
        let disagreed = disagrees(a, b)
        let limit = disagreed ? settings.agreement : settings.disagreement
        set(\.disagreeing, a, b, share > limit)
        set(\.doubtful, a, b, share > 1)
    }

    /// Whether two receivers disagree.
    func disagrees(_ a: Int, _ b: Int) -> Bool { disagreeing[a].contains(ReceiverSet(b)) }

    /// Whether all members of a set agree with each other.
    func isConsistent(_ set: ReceiverSet, of members: [Int]) -> Bool {
        members.allSatisfy {
            !set.contains(ReceiverSet($0)) || disagreeing[$0].isDisjoint(with: set)
        }
    }

    /// Whether two members of a set differ by more than the threshold.
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

    /// Returns the largest sets of voters that agree with each other.
    func largestSets(of voters: [Int]) -> [ReceiverSet] {
        var largest: [ReceiverSet] = []
        var size = 0
        // The subsets in the order of their bits: at most 256.
        for bits in 1..<(1 << voters.count) {
            let bitCount = bits.nonzeroBitCount
            guard bitCount >= size else { continue }
            var set: ReceiverSet = []
            for (place, voter) in voters.enumerated() where bits & (1 << place) != 0 {
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
