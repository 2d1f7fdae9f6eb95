// SPDX-License-Identifier: MIT

/// Who has spoken in the epoch under way, and how often: the n-th time that a contributor speaks is a
/// place in the cycle.
struct Speakers: Sendable {
    private static let capacity = 32

    /// Those that have ever spoken, in the order in which they were met.
    private var contributors = InlineArray<32, UInt64>(repeating: 0)
    private var count = 0
    private var occurrences = SIMD32<UInt8>()
    /// Where to look for a contributor first, by some of its bits.
    private var hints = InlineArray<64, UInt8>(repeating: 0)

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

    /// Whether it has spoken in this epoch.
    @inline(__always)
    func hasSpoken(_ index: Int?) -> Bool {
        guard let index else { return false }
        return occurrences[index] > 0
    }

    /// Notes that it speaks; how often it has by now.
    @inline(__always)
    mutating func note(_ index: Int?) -> Int {
        guard let index else { return 1 }
        let occurrence = occurrences[index] == .max ? .max : occurrences[index] + 1
        occurrences[index] = occurrence
        return Int(occurrence)
    }

    /// Begins an epoch.
    mutating func begin() {
        occurrences = SIMD32()
        if count == Self.capacity { count = 0 }
    }
}
