// SPDX-License-Identifier: MIT

/// Numbers as they are typed.
package enum Number {
    /// The number, if it is one within the range.
    package static func of(
        _ text: String, _ name: String, in range: ClosedRange<Double>
    ) throws -> Double {
        guard let value = Double(text), range.contains(value) else {
            let bounds = "\(short(range.lowerBound)) to \(short(range.upperBound))"
            throw UsageError("\(name) '\(text)' is not a number from \(bounds)")
        }
        return value
    }

    /// The whole number, if it is one within the range.
    package static func whole<Integer: FixedWidthInteger>(
        _ text: String, _ name: String, in range: ClosedRange<Integer>
    ) throws -> Integer {
        guard let value = Integer(text), range.contains(value) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(name) '\(text)' is not a whole number from \(bounds)")
        }
        return value
    }

    /// The whole number, if it is one above 0.
    package static func count(_ text: String, _ name: String) throws -> Int {
        try whole(text, name, in: 1...Int.max)
    }

    /// Without a point where it is whole.
    package static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }
}
