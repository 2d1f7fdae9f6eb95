// SPDX-License-Identifier: MIT

// The fields of VWR and VWT.

extension FieldCoding where Self: ~Copyable & ~Escapable {
    /// Reads or writes a wind in eight fields: its angle from the bow, at most 180°, and the side,
    /// then its speed in three units.
    mutating func wind(
        _ signedAngle: inout Double?, knots: inout Double?, metresPerSecond: inout Double?,
        kilometresPerHour: inout Double?
    ) {
        decimal(&signedAngle, plus: "R", minus: "L", upTo: 180)
        self.knots(&knots)
        decimal(&metresPerSecond, in: 0...1e9, unit: "M")
        decimal(&kilometresPerHour, in: 0...1e9, unit: "K")
    }
}
