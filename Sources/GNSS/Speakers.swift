// SPDX-License-Identifier: MIT

/// Who has spoken in the epoch under way, and how often: the n-th time that a contributor speaks is a
/// place in the cycle.
struct Speakers: Sendable {
    private static let capacity = 32

    /// Those that have ever spoken, in the order in which they were met.
    private var contributors = InlineArray<32, UInt64>(repeating: 0)
    private var count = 0
    /// For each the epoch in which it spoke last, and in the lowest byte how often it did.
    private var spoken = InlineArray<32, UInt64>(repeating: 0)
    /// The epoch under way, above a byte of zeros.
    private var epoch: UInt64 = 256
    /// Where to look for a contributor first, by some of its bits.
    private var hints = InlineArray<64, UInt8>(repeating: 0)

    /// Whether the list begins anew.
    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// Where a contributor stands in the list; `nil` when the list is full.
    @inline(__always)
    mutating func index(of contributor: Contributor) -> Int? {
        let key = contributor.rawValue
        let slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 58)
        let index = Int(hints[slot])
        if index < count, contributors[index] == key { return index }
        return find(key, hint: slot)
    }

    @inline(never)
    private mutating func find(_ key: UInt64, hint slot: Int) -> Int? {
        let known = (0..<count).first { contributors[$0] == key }
        guard let index = known ?? add(key) else { return nil }
        hints[slot] = UInt8(index)
        return index
    }

    private mutating func add(_ key: UInt64) -> Int? {
        guard count < Self.capacity else { return nil }
        contributors[count] = key
        count += 1
        return count - 1
    }

    /// Whether it has spoken in this epoch. Mutating, so that nothing is copied to be asked.
    @inline(__always)
    mutating func hasSpoken(_ index: Int?) -> Bool {
        guard let index else { return false }
        return spoken.mutableSpan[index] > epoch
    }

    /// Notes that it speaks; how often it has by now, up to 255 times.
    @inline(__always)
    mutating func note(_ index: Int?) -> Int {
        guard let index else { return 1 }
        var spoken = spoken.mutableSpan
        let before = max(spoken[index], epoch)
        let now = before & 255 == 255 ? before : before &+ 1
        spoken[index] = now
        return Int(now & 255)
    }

    /// Begins an epoch.
    mutating func begin() {
        epoch &+= 256
        if count == Self.capacity { count = 0 }
    }
}
