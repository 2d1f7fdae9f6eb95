// SPDX-License-Identifier: MIT

/// Parses numbers on the command line.
package enum Number {
    /// Returns the number if it is within the range; throws a `UsageError` otherwise.
    package static func of(
        _ text: String, _ name: String, in range: ClosedRange<Double>
    ) throws -> Double {
        guard let value = Double(text), range.contains(value) else {
            let bounds = "\(short(range.lowerBound)) to \(short(range.upperBound))"
            throw UsageError("\(name) '\(text)' is not a number from \(bounds)")
        }
        return value
    }

    /// Returns the integer if it is within the range; throws a `UsageError` otherwise.
    package static func whole<Integer: FixedWidthInteger>(
        _ text: String, _ name: String, in range: ClosedRange<Integer>
    ) throws -> Integer {
        guard let value = Integer(text), range.contains(value) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(name) '\(text)' is not a whole number from \(bounds)")
        }
        return value
    }

    /// Returns the integer if it is above 0; throws a `UsageError` otherwise.
    package static func count(_ text: String, _ name: String) throws -> Int {
        try whole(text, name, in: 1...Int.max)
    }

    /// Returns a number as text, without a decimal point if it is an integer.
    package static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }
}
