// SPDX-License-Identifier: MIT
public import GNSS

extension FieldCoding where Self: ~Copyable & ~Escapable {
    /// A single character.
    public mutating func letter(_ value: inout UInt8?) {
        field(&value, read: { $0.letter() }, write: { $0.letter($1) })
    }

    /// Text, escaped on the wire.
    public mutating func text(_ value: inout String?) {
        field(&value, read: { $0.text() }, write: { $0.text($1) })
    }

    /// An unsigned whole number, written with at least `width` digits.
    public mutating func integer(_ value: inout Int?, width: Int = 1) {
        field(&value, read: { $0.integer() }, write: { $0.integer($1, width: width) })
    }

    /// A whole number that is the raw value of an enumeration.
    public mutating func integer<Value: RawRepresentable>(_ value: inout Value?)
    where Value.RawValue: BinaryInteger {
        field(&value) {
            $0.integer().flatMap(Value.RawValue.init(exactly:)).flatMap(Value.init(rawValue:))
        } write: {
            $0.integer($1.map { Int($0.rawValue) })
        }
    }

    /// A hexadecimal digit: a system or signal id.
    public mutating func hexadecimal(_ value: inout UInt8?) {
        field(&value, read: { $0.hexadecimal() }, write: { $0.hexadecimal($1) })
    }

    /// A mode indicator letter.
    public mutating func mode(_ value: inout FixQuality?) {
        field(&value) {
            FixQuality(modeLetter: $0.letter())
        } write: {
            $0.letter($1?.modeLetter)
        }
    }

    /// A field without meaning: ignored by a reader, written as given.
    mutating func reserved(_ text: String = "") {
        var nothing: Void = ()
        field(&nothing, read: { $0.skip() }, write: { writer, _ in writer.text(text) })
    }

    /// A unit letter, ignored by a reader.
    mutating func unit(_ unit: Unicode.Scalar) {
        var nothing: Void = ()
        field(&nothing, read: { $0.skip() }, write: { writer, _ in writer.unit(Character(unit)) })
    }

    // MARK: Numbers

    /// A number within bounds, written with at least `decimals` decimals. With a unit, the next
    /// field has its letter or is empty.
    public mutating func decimal(
        _ value: inout Double?, in range: ClosedRange<Double> = -.infinity ... .infinity,
        decimals: Int = 1, width: Int = 1, unit: Unicode.Scalar? = nil
    ) {
        field(&value) {
            let value = $0.decimal(in: range)
            return $0.hasUnit(unit) ? value : nil
        } write: {
            $0.decimal($1, decimals: decimals, width: width)
            if let unit { $0.unit(Character(unit)) }
        }
    }

    /// The absolute value of a number, with its sign as a letter in the next field.
    public mutating func decimal(
        _ value: inout Double?, plus: Unicode.Scalar, minus: Unicode.Scalar, decimals: Int = 1
    ) {
        field(&value) {
            $0.decimal(plus: plus, minus: minus)
        } write: {
            $0.decimal($1, decimals: decimals, plus: Character(plus), minus: Character(minus))
        }
    }

    /// A number after a prefix.
    mutating func decimal(_ value: inout Double?, after prefix: StaticString, decimals: Int) {
        field(&value) {
            $0.decimal(after: prefix)
        } write: {
            $0.decimal($1, decimals: decimals, after: prefix)
        }
    }

    /// Degrees clockwise from north, at least 0 and less than 360.
    public mutating func bearing(
        _ value: inout Double?, decimals: Int = 1, width: Int = 1, unit: Unicode.Scalar? = nil
    ) {
        field(&value) {
            let value = $0.bearing()
            return $0.hasUnit(unit) ? value : nil
        } write: {
            $0.decimal($1, decimals: decimals, width: width)
            if let unit { $0.unit(Character(unit)) }
        }
    }

    /// A course over ground in degrees.
    mutating func course(_ value: inout Double?) {
        field(&value, read: { $0.bearing() }, write: { $0.course($1) })
    }

    /// A speed over ground, in the unit of its field.
    mutating func speed(_ value: inout Double?, in range: ClosedRange<Double>) {
        field(&value, read: { $0.decimal(in: range) }, write: { $0.speed($1) })
    }

    /// A speed in knots, `N` in the next field.
    public mutating func knots(_ value: inout Double?) {
        decimal(&value, in: Knots.range, unit: "N")
    }

    /// A dilution of precision.
    public mutating func dilution(_ value: inout Double?) {
        field(&value, read: { $0.dilution() }, write: { $0.dilution($1) })
    }

    /// A standard deviation in metres.
    mutating func deviation(_ value: inout Double?) {
        field(&value, read: { $0.decimal() }, write: { $0.deviation($1) })
    }

    // MARK: Where and when

    /// A position in four fields.
    public mutating func coordinate(_ value: inout Coordinate?) {
        field(&value, read: { $0.coordinate() }, write: { $0.coordinate($1) })
    }

    /// `hhmmss.ss`.
    public mutating func time(_ value: inout TimeOfDay?) {
        field(&value, read: { $0.time() }, write: { $0.time($1) })
    }

    /// `ddmmyy`.
    public mutating func date(_ value: inout CalendarDate?) {
        field(&value, read: { $0.date() }, write: { $0.date($1) })
    }

    /// `mmddyy`, the order that Trimble uses.
    mutating func monthFirstDate(_ value: inout CalendarDate?) {
        field(&value, read: { $0.monthFirstDate() }, write: { $0.monthFirstDate($1) })
    }

    /// Day, month and four-digit year, in three fields.
    mutating func longDate(_ value: inout CalendarDate?) {
        field(&value, read: { $0.longDate() }, write: { $0.longDate($1) })
    }
}
