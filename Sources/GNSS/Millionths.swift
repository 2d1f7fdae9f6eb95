// SPDX-License-Identifier: MIT

/// A number of up to six decimals, or none at all, in four bytes: lists of satellites are copied
/// for every epoch.
@frozen
@usableFromInline
package struct Millionths: Hashable, Comparable, Sendable {
    /// What stands for no number.
    @usableFromInline static let absent = Int32.min

    @usableFromInline package let rawValue: Int32

    /// No number.
    @inlinable
    package init() {
        rawValue = Self.absent
    }

    /// Takes a number of millionths.
    @inlinable
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Takes a number to the nearest millionth; none where it is beyond ±2147.
    @inlinable
    package init(_ value: Double?) {
        // What is not a number is not below the limit either.
        if let value, value.magnitude < 2147 {
            rawValue = Int32((value * 1_000_000).rounded())
        } else {
            rawValue = Self.absent
        }
    }

    /// Whether there is a number.
    @inlinable
    package var isKnown: Bool { rawValue != Self.absent }

    /// The whole number that it is; `nil` where it is none.
    @inlinable
    package var wholeNumber: Int? {
        let whole = rawValue / 1_000_000
        return whole &* 1_000_000 == rawValue ? Int(whole) : nil
    }

    /// Orders by size; no number comes first.
    @inlinable
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The number.
    @inlinable
    package var value: Double? {
        rawValue == Self.absent ? nil : Double(rawValue) / 1_000_000
    }
}
