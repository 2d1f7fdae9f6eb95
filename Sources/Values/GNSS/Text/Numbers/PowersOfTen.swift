// SPDX-License-Identifier: MIT

/// Returns 10 to the power of `exponent`, 0 to 18. The result is exact as a `Double`.
@inlinable
@inline(__always)
package func powerOfTen(_ exponent: Int) -> Int {
    powersOfTen[exponent]
}

@usableFromInline let powersOfTen: InlineArray<19, Int> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000,
]
