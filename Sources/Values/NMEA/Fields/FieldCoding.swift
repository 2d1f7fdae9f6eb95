// SPDX-License-Identifier: MIT
public import GNSS

extension FieldCoding where Self: ~Copyable & ~Escapable {
    /// Reads or writes a single character.
    @_lifetime(self: copy self)
    public mutating func letter(_ value: inout UInt8?) {
        field(&value, read: { $0.letter() }, write: { $0.letter($1) })
    }

    /// Reads or writes text. On the wire, special characters are escaped as `^` and two hexadecimal
    /// digits.
    @_lifetime(self: copy self)
    public mutating func text(_ value: inout String?) {
        field(&value, read: { $0.text() }, write: { $0.text($1) })
    }

    /// Reads or writes an unsigned integer, written with at least `width` digits.
    @_lifetime(self: copy self)
    public mutating func integer(_ value: inout Int?, width: Int = 1) {
        field(&value, read: { $0.integer() }, write: { $0.integer($1, width: width) })
    }

    /// Reads or writes an integer that is the raw value of an enumeration.
    @_lifetime(self: copy self)
    public mutating func integer<Value: RawRepresentable>(_ value: inout Value?)
    where Value.RawValue: BinaryInteger {
        field(&value) {
            $0.integer().flatMap(Value.RawValue.init(exactly:)).flatMap(Value.init(rawValue:))
        } write: {
            $0.integer($1.map { Int($0.rawValue) })
        }
    }

    /// Reads or writes a hexadecimal digit: a system or signal ID.
    @_lifetime(self: copy self)
    public mutating func hexadecimal(_ value: inout UInt8?) {
        field(&value, read: { $0.hexadecimal() }, write: { $0.hexadecimal($1) })
    }

    /// Reads or writes the letter of a mode indicator.
    @_lifetime(self: copy self)
    public mutating func mode(_ value: inout FixQuality?) {
        field(&value) {
            FixQuality(modeLetter: $0.letter())
        } write: {
            $0.letter($1?.modeLetter)
        }
    }

    /// Skips an unused field when reading, and writes it as `text`.
    @_lifetime(self: copy self)
    mutating func reserved(_ text: String = "") {
        var nothing: Void = ()
        field(&nothing, read: { $0.skip() }, write: { writer, _ in writer.text(text) })
    }

    /// Skips a unit letter when reading, and writes it.
    @_lifetime(self: copy self)
    mutating func unit(_ unit: Unicode.Scalar) {
        var nothing: Void = ()
        field(&nothing, read: { $0.skip() }, write: { writer, _ in writer.unit(Character(unit)) })
    }

    // MARK: Numbers

    /// Reads or writes a number within bounds, written with at least `decimals` decimals. If `unit`
    /// is given, the next field contains its letter or is empty.
    @_lifetime(self: copy self)
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

    /// Reads or writes a number in two fields: its absolute value, at most `limit`, and a letter
    /// for its sign.
    @_lifetime(self: copy self)
    public mutating func decimal(
        _ value: inout Double?, plus: Unicode.Scalar, minus: Unicode.Scalar,
        upTo limit: Double = .infinity, decimals: Int = 1
    ) {
        field(&value) {
            $0.decimal(plus: plus, minus: minus, upTo: limit)
        } write: {
            $0.decimal($1, decimals: decimals, plus: Character(plus), minus: Character(minus))
        }
    }

    /// Reads or writes a number that follows a fixed prefix in the same field, such as `EHT171.4`.
    @_lifetime(self: copy self)
    mutating func decimal(_ value: inout Double?, after prefix: StaticString, decimals: Int) {
        field(&value) {
            $0.decimal(after: prefix)
        } write: {
            $0.decimal($1, decimals: decimals, after: prefix)
        }
    }

    /// Reads or writes an angle clockwise from north in degrees, 0 up to 360.
    @_lifetime(self: copy self)
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

    /// Reads or writes a course over ground in degrees.
    @_lifetime(self: copy self)
    mutating func course(_ value: inout Double?) {
        field(&value, read: { $0.bearing() }, write: { $0.course($1) })
    }

    /// Reads or writes a speed over ground. The value and the range are in the unit that is used on
    /// the wire.
    @_lifetime(self: copy self)
    mutating func speed(_ value: inout Double?, in range: ClosedRange<Double>) {
        field(&value, read: { $0.decimal(in: range) }, write: { $0.speed($1) })
    }

    /// Reads or writes a speed in knots, with `N` in the next field.
    @_lifetime(self: copy self)
    public mutating func knots(_ value: inout Double?) {
        decimal(&value, in: Knots.range, unit: "N")
    }

    /// Reads or writes a dilution of precision.
    @_lifetime(self: copy self)
    public mutating func dilution(_ value: inout Double?) {
        field(&value, read: { $0.dilution() }, write: { $0.dilution($1) })
    }

    /// Reads or writes a standard deviation in metres. A negative one is malformed.
    @_lifetime(self: copy self)
    mutating func deviation(_ value: inout Double?) {
        field(&value, read: { $0.decimal(in: 0...1e9) }, write: { $0.deviation($1) })
    }

    // MARK: Where and when

    /// Reads or writes a position in four fields: `ddmm.m`, `N` or `S`, `dddmm.m`, `E` or `W`.
    @_lifetime(self: copy self)
    public mutating func coordinate(_ value: inout Coordinate?) {
        field(&value, read: { $0.coordinate() }, write: { $0.coordinate($1) })
    }

    /// Reads or writes a time of day as `hhmmss.ss`.
    @_lifetime(self: copy self)
    public mutating func time(_ value: inout TimeOfDay?) {
        field(&value, read: { $0.time() }, write: { $0.time($1) })
    }

    /// Reads or writes a date as `ddmmyy`.
    @_lifetime(self: copy self)
    public mutating func date(_ value: inout CalendarDate?) {
        field(&value, read: { $0.date() }, write: { $0.date($1) })
    }

    /// Reads or writes a date as `mmddyy`, the order that Trimble uses.
    @_lifetime(self: copy self)
    mutating func monthFirstDate(_ value: inout CalendarDate?) {
        field(&value, read: { $0.monthFirstDate() }, write: { $0.monthFirstDate($1) })
    }

    /// Reads or writes a date as day, month and four-digit year in three fields.
    @_lifetime(self: copy self)
    mutating func longDate(_ value: inout CalendarDate?) {
        field(&value, read: { $0.longDate() }, write: { $0.longDate($1) })
    }
}

/// Processes a sentence's fields in wire order: a `FieldReader` sets each value, a `SentenceWriter`
/// writes it.
///
/// Each kind of field is a method such as `decimal` that defines how it is read and written. A
/// sentence with its own kind of field calls `field` directly:
///
/// ```swift
/// coder.field(&age, read: { $0.integer().map(Double.init) }, write: { $0.decimal($1, decimals: 0) })
/// ```
public protocol FieldCoding: ~Copyable, ~Escapable {
    /// Reads or writes one value, which may span several fields.
    @_lifetime(self: copy self)
    mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void)
}

/// A type that reads or writes fields.
public typealias FieldCoder = FieldCoding & ~Copyable & ~Escapable

extension FieldReader: FieldCoding {
    /// Sets `value` to the result of `read`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void
    ) {
        value = read(&self)
    }
}

extension SentenceWriter: FieldCoding {
    /// Writes `value` by calling `write`.
    public mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void
    ) {
        write(&self, value)
    }
}

/// The mode letters of a GNS sentence, one for each of up to six constellations.
package struct ModeIndicators: Hashable, Sendable {
    /// The constellations in wire order.
    package static let order = Constellation.bySystemID

    private var letters: UInt64 = 0

    /// The number of constellations that have a letter.
    package private(set) var count = 0

    /// Creates an empty list.
    package init() {}

    /// Creates a list from qualities in wire order.
    package init(_ qualities: some Sequence<FixQuality>) {
        for quality in qualities { append(letter: quality.modeLetter) }
    }

    mutating func append(letter: UInt8) {
        guard count < 6 else { return }
        letters |= UInt64(letter) << UInt64(8 * count)
        count += 1
    }

    func letter(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: letters >> UInt64(8 * index))
    }

    /// The mode of a constellation; `nil` if its letter is missing or unknown.
    package subscript(constellation: Constellation) -> FixQuality? {
        guard let index = Self.order.firstIndex(of: constellation), index < count else {
            return nil
        }
        return FixQuality(modeLetter: letter(at: index))
    }

    /// Whether any constellation has a mode letter that reports a fix.
    var hasFix: Bool {
        (0..<count).contains { letter(at: $0) != UInt8(ascii: "N") }
    }
}

extension FieldReader {
    /// Reads one mode letter for each constellation.
    mutating func modes() -> ModeIndicators {
        var modes = ModeIndicators()
        let field = next()
        for index in field.start..<min(field.end, field.start + 6) {
            modes.append(letter: bytes[index])
        }
        return modes
    }
}

extension FixQuality {
    /// The letters of the mode indicators of NMEA 2.3 and later, in the order of the quality
    /// numbers in GGA.
    private static let modeLetters: InlineArray<9, UInt8> = [
        UInt8(ascii: "N"), UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "P"),
        UInt8(ascii: "R"), UInt8(ascii: "F"), UInt8(ascii: "E"), UInt8(ascii: "M"),
        UInt8(ascii: "S"),
    ]

    /// Creates the quality for a mode letter. Returns `nil` for an unknown letter, because some
    /// receivers send their own letters.
    init?(modeLetter: UInt8?) {
        let letters = Self.modeLetters.span
        guard let modeLetter,
            let index = letters.indices.first(where: { letters[$0] == modeLetter })
        else { return nil }
        self.init(rawValue: UInt8(index))
    }

    var modeLetter: UInt8 { Self.modeLetters[Int(rawValue)] }
}

/// Constants for speeds in knots. A knot is exactly 1852 m per hour.
package enum Knots {
    /// The valid speeds in knots, up to 10 000 m/s.
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
