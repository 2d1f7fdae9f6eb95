// SPDX-License-Identifier: MIT

/// A set of satellites that never allocates memory. It has one bit for each satellite.
public struct SatelliteIDSet: Hashable, Sendable {
    @usableFromInline var words = Constellation.Table<UInt64>(repeating: 0)
    @usableFromInline var storedCount = 0

    /// Creates an empty set.
    @inlinable
    public init() {}

    /// The number of satellites in the set.
    @inlinable public var count: Int { storedCount }

    /// Whether the set is empty.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// Adds a satellite. Returns `false` if the set already contains it.
    @inlinable
    @discardableResult
    public mutating func insert(_ id: SatelliteID) -> Bool {
        let bit = Self.bit(id)
        var words = words.mutableSpan
        let word = words[Int(id.constellation.rawValue)]
        guard word & bit == 0 else { return false }
        words[Int(id.constellation.rawValue)] = word | bit
        storedCount += 1
        return true
    }

    /// Adds all satellites of another set.
    package mutating func formUnion(_ other: SatelliteIDSet) {
        storedCount = 0
        for index in words.indices {
            words[index] |= other.words[index]
            storedCount += words[index].nonzeroBitCount
        }
    }

    /// Returns whether the set contains a satellite.
    @inlinable
    @inline(__always)
    public func contains(_ id: SatelliteID) -> Bool {
        // Access through the span, because access through the array would often copy all words.
        words.span[Int(id.constellation.rawValue)] & Self.bit(id) != 0
    }

    @inlinable
    static func bit(_ id: SatelliteID) -> UInt64 {
        // SBAS numbers begin at 120, all others at 1. A SatelliteID is always in range.
        1 &<< UInt64(id.constellation == .sbas ? id.svid &- 120 : id.svid &- 1)
    }

    /// Returns whether two sets contain the same satellites.
    public static func == (a: Self, b: Self) -> Bool {
        var difference: UInt64 = 0
        for index in a.words.indices { difference |= a.words[index] ^ b.words[index] }
        return difference == 0
    }

    /// Hashes the satellites.
    public func hash(into hasher: inout Hasher) {
        for index in words.indices { hasher.combine(words[index]) }
    }
}
