// SPDX-License-Identifier: MIT

/// Random numbers that are the same for the same seed, on any machine (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    @usableFromInline package var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    @inlinable
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to 1.
    @inlinable
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A normally distributed number: mean 0, deviation 1 (twelve uniform ones added up, so that no
    /// machine's mathematics library can make a difference).
    @inlinable
    package mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + unit() }
    }
}
