// SPDX-License-Identifier: MIT

/// A set of satellites that allocates nothing: one bit each.
public struct SatelliteIDSet: Hashable, Sendable {
    @usableFromInline var words = Constellation.Table<UInt64>(repeating: 0)
    @usableFromInline var storedCount = 0

    /// Creates an empty set.
    @inlinable
    public init() {}

    /// The number of satellites in the set.
    @inlinable public var count: Int { storedCount }

    /// Whether the set has no satellites.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// Adds a satellite; `false` if it was in the set.
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

    /// Whether the satellite is in the set.
    @inlinable
    @inline(__always)
    public func contains(_ id: SatelliteID) -> Bool {
        // By its span, which in most places saves a copy of all the words.
        words.span[Int(id.constellation.rawValue)] & Self.bit(id) != 0
    }

    @inlinable
    static func bit(_ id: SatelliteID) -> UInt64 {
        // SBAS counts from 120, all others from 1; a SatelliteID is always in range.
        1 &<< UInt64(id.constellation == .sbas ? id.svid &- 120 : id.svid &- 1)
    }

    /// Same satellites.
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
