// SPDX-License-Identifier: MIT

/// A length on the command line: metres, or a number with a unit, such as `30m`, `100ft` or `10km`.
package enum LengthArgument {
    private static let units = ["m": 1, "ft": 0.3048, "km": 1000, "nmi": 1852]

    /// Returns the length in metres; `nil` if the text is not a length.
    package static func metres(_ text: some StringProtocol) -> Double? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).filter { $0 != " " }
        guard let value = Double(String(digits)) else { return nil }
        return (unit.isEmpty ? 1 : units[String(unit)]).map { value * $0 }
    }
}
