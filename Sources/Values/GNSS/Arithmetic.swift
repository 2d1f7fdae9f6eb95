// SPDX-License-Identifier: MIT

extension Array {
    /// Returns the number of elements for which `isBefore` is `true`, by binary search. In the
    /// array, these elements must come before all others.
    @inlinable package func sortedPrefixCount(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Returns the quotient rounded towards negative infinity. `divisor` is positive.
@inlinable
package func floorDivided<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}

extension FixedWidthInteger {
    /// The bytes of the number, least significant first.
    package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    /// Creates the number that bytes form, least significant first.
    package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}

/// A random number generator that returns the same numbers for the same seed on any machine
/// (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    @usableFromInline package var state: UInt64

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
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }
}

/// Formats elapsed times.
package enum Elapsed {
    /// Formats a duration in seconds as `00:12:04`, or as `3 d 00:12:04` if it is a day or longer.
    package static func text(_ seconds: Double) -> String {
        let whole = Int(nearest: max(0, seconds).rounded(.down))
        let days = whole >= 86_400 ? "\(whole / 86_400) d " : ""
        return days + TimeOfDay(secondsOfDay: whole).clock
    }

    /// Formats a duration in seconds as `1:02:03`; the hours may be more than a day.
    package static func hours(_ seconds: Int) -> String {
        "\(seconds / 3600)\(TimeOfDay(secondsOfDay: seconds).clock.dropFirst(2))"
    }
}
