// SPDX-License-Identifier: MIT

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
