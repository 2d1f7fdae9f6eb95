// SPDX-License-Identifier: MIT

/// A random number generator that returns the same numbers for the same seed on any machine
/// (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    @usableFromInline package var state: UInt64

    /// Creates a generator with a seed.
    @inlinable
    package init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 random bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a uniformly distributed random number, at least 0 and below 1.
    @inlinable
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a normally distributed number with mean 0 and standard deviation 1. It is the sum of
    /// twelve uniform numbers, so that it does not depend on a machine's mathematics library.
    @inlinable
    package mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + unit() }
    }
}
