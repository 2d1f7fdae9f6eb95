// SPDX-License-Identifier: MIT

// The fields of DBT, DBK and DBS.

extension FieldCoding where Self: ~Copyable & ~Escapable {
    /// Reads or writes a depth in six fields: in feet, metres and fathoms.
    mutating func depth(
        feet: inout Double?, metres: inout Double?, fathoms: inout Double?,
        in range: ClosedRange<Double> = -.infinity ... .infinity
    ) {
        decimal(&feet, in: range, unit: "f")
        decimal(&metres, in: range, unit: "M")
        decimal(&fathoms, in: range, unit: "F")
    }
}

/// Conversions of depths to metres.
enum Depth {
    /// Returns a depth in metres, converted from feet or fathoms if metres are missing; `nil` if
    /// all three are missing.
    static func metres(_ metres: Double?, feet: Double?, fathoms: Double?) -> Double? {
        metres ?? feet.map { $0 * 0.3048 } ?? fathoms.map { $0 * 1.8288 }
    }
}
