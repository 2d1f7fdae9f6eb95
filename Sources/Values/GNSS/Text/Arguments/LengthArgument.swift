// SPDX-License-Identifier: MIT

/// A length on the command line: metres, or a number with a unit, such as `30m`, `100ft` or
/// `0.5nmi`.
package enum LengthArgument {
    private static let units = [
        "cm": 0.01, "m": 1, "km": 1000, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "nmi": 1852,
        "nm": 1852, "NM": 1852,
    ]

    /// Returns the length in metres; `nil` if the text is not a length.
    package static func metres(_ text: some StringProtocol) -> Double? {
        if let number = Double(String(text)) { return number }
        let digits = text.prefix { $0.isNumber || ".+-".contains($0) }
        let unit = text.dropFirst(digits.count).filter { $0 != " " }
        guard let value = Double(String(digits)) else { return nil }
        return units[String(unit)].map { value * $0 }
    }

    /// Parses a length in metres. Throws a `UsageError` if it is not a length within `range`. `name`
    /// names the value in the error message.
    package static func metres(
        _ text: some StringProtocol, _ name: String, in range: ClosedRange<Double>
    ) throws -> Double {
        if let metres = metres(text), range.contains(metres) { return metres }
        let bounds = "\(Number.short(range.lowerBound)) to \(Number.short(range.upperBound))"
        throw UsageError(
            "\(name) '\(text)' is not a number of metres from \(bounds), or a length with a unit, "
                + "such as 50m, 100ft or 0.5nmi")
    }
}
