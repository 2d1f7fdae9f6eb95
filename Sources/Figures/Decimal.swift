// SPDX-License-Identifier: MIT

/// Numbers as columns need them: a fixed count of decimals, and a width that stays.
package enum Decimal {
    /// The value with so many decimals (0 to 9), rounded half away from zero.
    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<min(9, max(0, decimals)) { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 9e17 else { return value.isNaN ? "nan" : value < 0 ? "-huge" : "huge" }
        let number = UInt64(scaled)
        let sign = value < 0 && number > 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(number) }
        let unit = UInt64(scale)
        return sign + String(number / unit) + "." + padded(Int(number % unit), min(9, decimals))
    }

    /// A number with zeros in front.
    package static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension String {
    /// Blanks in front, up to a width.
    package func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - unicodeScalars.count)) + self
    }

    /// Blanks behind, up to a width.
    package func trailing(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
    }
}

extension Int {
    /// The nearest whole number, a milliard at the most; 0 for what is no number.
    package init(nearest value: Double) {
        self = value.isNaN ? 0 : Int(Swift.min(1e9, Swift.max(-1e9, value.rounded())))
    }
}
