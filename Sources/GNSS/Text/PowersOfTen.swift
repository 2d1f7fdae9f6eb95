// SPDX-License-Identifier: MIT

/// 10 to the `exponent`, 0 to 18; exact in a double.
@inlinable
@inline(__always)
package func powerOfTen(_ exponent: Int) -> Double {
    powersOfTen[exponent]
}

@usableFromInline let powersOfTen: InlineArray<19, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
]
