// SPDX-License-Identifier: MIT

/// Parses numbers on the command line.
package enum Number {
    /// Parses a number. Throws a `UsageError` if it is not a number within `range`. `name` names
    /// the value in the error message, and `unit` its unit in the plural, such as `metres`.
    package static func of(
        _ text: String, _ name: String, in range: ClosedRange<Double>, unit: String? = nil
    ) throws -> Double {
        guard let value = Double(text), range.contains(value) else {
            let bounds = "\(short(range.lowerBound)) to \(short(range.upperBound))"
            throw error(text, name, "a number", bounds, unit)
        }
        return value
    }

    /// Parses an integer. Throws a `UsageError` if it is not an integer within `range`. `name`
    /// names the value in the error message, and `unit` its unit in the plural, such as `days`.
    package static func whole<Integer: FixedWidthInteger>(
        _ text: String, _ name: String, in range: ClosedRange<Integer>, unit: String? = nil
    ) throws -> Integer {
        guard let value = Integer(text), range.contains(value) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw error(text, name, "a whole number", bounds, unit)
        }
        return value
    }

    /// Parses an integer. Throws a `UsageError` if it is not an integer above 0. `name` names the
    /// value in the error message.
    package static func count(_ text: String, _ name: String) throws -> Int {
        try whole(text, name, in: 1...Int.max)
    }

    private static func error(
        _ text: String, _ name: String, _ kind: String, _ bounds: String, _ unit: String?
    ) -> UsageError {
        let units = unit.map { " of \($0)" } ?? ""
        return UsageError("\(name) '\(text)' is not \(kind)\(units) from \(bounds)")
    }

    /// Returns a number as text, without a decimal point if it is an integer.
    package static func short(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
