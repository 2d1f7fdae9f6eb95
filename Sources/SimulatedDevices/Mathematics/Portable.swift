// SPDX-License-Identifier: MIT

/// Functions made of nothing but IEEE 754's exactly rounded operations, none of them fused: the
/// same bits on every machine, which no system's mathematics library promises.
package enum Portable {
    /// The nearest whole number, even between two; of numbers below 2^51.
    ///
    /// Two additions: rounding is a call into the mathematics library on some machines.
    static func nearest(_ number: Double) -> Double {
        (number + 0x1.8p52) - 0x1.8p52
    }
}
