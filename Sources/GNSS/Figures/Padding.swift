// SPDX-License-Identifier: MIT

extension String {
    /// The text, padded with leading spaces to a width.
    package func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - unicodeScalars.count)) + self
    }

    /// The text, padded with trailing spaces to a width.
    package func trailing(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
    }
}

extension Int {
    /// Creates the nearest whole number within ±1 000 000 000; 0 for NaN.
    package init(nearest value: Double) {
        self = value.isNaN ? 0 : Int(Swift.min(1e9, Swift.max(-1e9, value.rounded())))
    }
}
