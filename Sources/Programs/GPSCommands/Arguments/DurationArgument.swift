// SPDX-License-Identifier: MIT
import GNSS

/// A duration on the command line: seconds, or numbers with units, such as `90`, `1.5h` and
/// `1h30min`.
package enum DurationArgument {
    private static let units: [String: Double] = [
        "ms": 0.001, "s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600, "d": 86_400,
    ]

    /// Parses a duration in seconds. `name` is the option's name for the error.
    ///
    /// - Throws: `UsageError` if `text` is not a duration within `range`.
    package static func seconds(
        _ text: String, _ name: String, in range: ClosedRange<Double> = 0.001...1e9
    ) throws -> Double {
        guard let seconds = sum(text), range.contains(seconds) else {
            let bounds = "\(Number.short(range.lowerBound)) to \(Number.short(range.upperBound))"
            throw UsageError(
                "\(name) '\(text)' is not a time (expected \(bounds) seconds, such as 90, "
                    + "15min or 1h30min)")
        }
        return seconds
    }

    private static func sum(_ text: String) -> Double? {
        var rest = text.filter { $0 != " " }[...]
        if let seconds = Double(rest) { return seconds }
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
            sum += number * factor
        }
        return sum
    }
}
