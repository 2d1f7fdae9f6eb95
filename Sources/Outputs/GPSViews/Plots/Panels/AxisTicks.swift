// SPDX-License-Identifier: MIT
import GNSS

/// Round values for the ticks of an axis.
package struct AxisTicks {
    /// The values in ascending order.
    package let values: [Double]
    private let decimals: Int

    /// Finds about `count` ticks from `low` to `high`.
    package init(_ low: Double, _ high: Double, about count: Int) {
        let step = Self.step((high - low) / Double(max(1, count)))
        var exponent = 0
        var unit = 1.0
        while unit > step * 1.000001, exponent < 9 {
            unit /= 10
            exponent += 1
        }
        decimals = exponent
        var values: [Double] = []
        var index = (low / step - 1e-6).rounded(.up)
        while index * step <= high + step * 1e-6, values.count < 100 {
            values.append(index * step)
            index += 1
        }
        self.values = values
    }

    /// Returns the smallest number not less than `minimum` that is 1, 2 or 5 times a power of ten.
    static func step(_ minimum: Double) -> Double {
        guard minimum.isFinite, minimum > 1e-9 else { return 1e-9 }
        var unit = 1e-9
        while unit * 10 <= minimum { unit *= 10 }
        for factor in [1.0, 2, 5] where unit * factor >= minimum * 0.999999 { return unit * factor }
        return unit * 10
    }

    /// Returns the label of a value.
    package func text(_ value: Double) -> String { String(value, decimals: decimals) }
}
