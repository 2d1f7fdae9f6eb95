// SPDX-License-Identifier: MIT

extension FieldReader {
    /// A number with its unit letter in the next field; that letter or nothing.
    public mutating func decimal(unit: Unicode.Scalar) -> Double? {
        let value = decimal()
        return hasUnit(unit) ? value : nil
    }

    /// A number within bounds, with its unit letter in the next field; that letter or nothing.
    public mutating func decimal(in range: ClosedRange<Double>, unit: Unicode.Scalar) -> Double? {
        let value = decimal(in: range)
        return hasUnit(unit) ? value : nil
    }

    /// Degrees from north, with `T` for true or `M` for magnetic in the next field, or nothing.
    public mutating func bearing(unit: Unicode.Scalar) -> Double? {
        let value = bearing()
        return hasUnit(unit) ? value : nil
    }

    /// Knots, with `N` in the next field or nothing.
    public mutating func knots() -> Double? {
        decimal(in: Knots.range, unit: "N")
    }

    /// A whole number with an optional sign.
    public mutating func signedInteger() -> Int? {
        let (start, end) = field()
        guard start < end else { return nil }
        let isNegative = byte(start) == UInt8(ascii: "-")
        let first = isNegative || byte(start) == UInt8(ascii: "+") ? start + 1 : start
        guard first < end else { return malformed(start, end) }
        return wholeNumber(first, end).map { isNegative ? -$0 : $0 }
    }

    /// A number with characters in front of it, such as the height in `EHT171.4`.
    public mutating func decimal(after prefix: StaticString) -> Double? {
        let (start, end) = field()
        guard start < end else { return nil }
        let isThere = prefix.withUTF8Buffer { text in
            guard end - start > text.count else { return false }
            return text.indices.allSatisfy { byte(start + $0) == text[$0] }
        }
        guard isThere else { return malformed(start, end) }
        return number(start + prefix.utf8CodeUnitCount, end)
    }

    /// Whether the next field is that letter or nothing; `nil` stands for no such field.
    mutating func hasUnit(_ unit: Unicode.Scalar?) -> Bool {
        guard let unit else { return true }
        let (start, end) = field()
        guard start < end else { return true }
        if end - start == 1, UInt32(byte(start)) == unit.value { return true }
        let nothing: Bool? = malformed(start, end)
        return nothing ?? false
    }
}

/// Speeds on the wire; a knot is 1852 m an hour exactly.
package enum Knots {
    /// Up to 10 000 m/s.
    static let range = 0...19_438.444_924_406_046

    static func metresPerSecond(_ knots: Double?) -> Double? {
        knots.map { $0 * 1852 / 3600 }
    }

    package static func knots(metresPerSecond: Double?) -> Double? {
        metresPerSecond.map { $0 * 3600 / 1852 }
    }

    static func metresPerSecond(kilometresPerHour: Double?) -> Double? {
        kilometresPerHour.map { $0 / 3.6 }
    }
}
