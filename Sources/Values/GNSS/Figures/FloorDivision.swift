// SPDX-License-Identifier: MIT

/// Returns the quotient rounded towards negative infinity. `divisor` is positive.
@inlinable
package func floorDivided<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}
