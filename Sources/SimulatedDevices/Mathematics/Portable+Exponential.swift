// SPDX-License-Identifier: MIT

extension Portable {
    /// e to that power, within 2 units in the last place; 0 or infinity where it leaves the numbers.
    package static func exp(_ power: Double) -> Double {
        guard !power.isNaN else { return .nan }
        guard power > -708 else { return 0 }
        guard power < 709 else { return .infinity }
        let doublings = (power * 1.4426950408889634).rounded()
        let high = power - doublings * 0x1.62e42fefp-1
        let rest = high - doublings * 0x1.473de6af278edp-34
        var sum = 0.0
        for divisor in stride(from: 14.0, to: 1, by: -1) {
            sum = (1 + sum) * rest / divisor
        }
        return Double(
            sign: .plus, exponent: Int(doublings), significand: 1 + (rest + rest * sum))
    }
}
