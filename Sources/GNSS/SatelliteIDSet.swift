// SPDX-License-Identifier: MIT

/// A set of satellites that allocates nothing: one bit each.
public struct SatelliteIDSet: Hashable, Sendable {
    /// A word for each constellation.
    @usableFromInline var words = InlineArray<7, UInt64>(repeating: 0)
    @usableFromInline var storedCount = 0

    /// Makes an empty set.
    @inlinable
    public init() {}

    /// How many satellites are in the set.
    @inlinable public var count: Int { storedCount }

    /// Whether the set has no satellites.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// Adds a satellite.
    @inlinable
    public mutating func insert(_ id: SatelliteID) {
        let bit = Self.bit(id)
        var words = words.mutableSpan
        let word = words[Int(id.constellation.rawValue)]
        if word & bit == 0 { storedCount &+= 1 }
        words[Int(id.constellation.rawValue)] = word | bit
    }

    /// Adds satellites of a constellation that counts from 1, a bit for each.
    @inlinable
    package mutating func insert(_ bits: UInt64, of constellation: Constellation) {
        var words = words.mutableSpan
        let word = words[Int(constellation.rawValue)]
        storedCount &+= (bits & ~word).nonzeroBitCount
        words[Int(constellation.rawValue)] = word | bits
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
        // SBAS counts from 120, everyone else from 1; a SatelliteID is always in range.
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
