// SPDX-License-Identifier: MIT
public import GNSS

/// Writes sentences field by field in wire order, and adds checksum and line end.
///
/// Reading a written sentence restores its values: a number gets more than the default decimals, up
/// to nine, if that makes it exact. A number that is not exact with nine decimals is assumed to be
/// the result of a calculation, and is rounded to the default decimals. If `isExact` is `false`,
/// every number is rounded to the default decimals, as receivers do.
public struct SentenceWriter: Sendable {
    private var buffer = TextBuffer()

    /// The sentences written so far.
    public var bytes: [UInt8] { buffer.array }

    /// The default number of decimals of each quantity.
    public var decimals = SentenceDecimals()

    /// Whether a number is written with more than the default decimals if it needs them. Default:
    /// `true`.
    public var isExact = true

    /// Whether unit letters are written. Default: `true`; u-blox receivers omit them without a fix.
    package var writesUnits = true

    /// Creates an empty writer.
    public init() {}

    /// Writes a complete sentence. The talker is ignored for a proprietary sentence.
    ///
    /// - Parameters:
    ///   - sentence: The sentence.
    ///   - talker: The talker of the sentence. Default: `GN`.
    ///   - fieldCount: The number of fields to write, for an older version of NMEA 0183. Further
    ///     fields are omitted. Default: all.
    public mutating func write(
        _ sentence: some Sentence, talker: Talker = .gnss, fieldCount: Int? = nil
    ) {
        let start = begin()
        let formatter = type(of: sentence).formatter
        if formatter.proprietary == nil { buffer.append(text: talker.rawValue) }
        buffer.append(text: formatter.description)
        let fields = buffer.count
        sentence.encode(into: &self)
        if let fieldCount { buffer.truncate(from: fields, toFields: fieldCount) }
        end(from: start)
    }

    /// Writes a sentence that has no Swift type. `body` is the text from its address to its last
    /// field, such as `PMTK010,001`.
    public mutating func write(body: String) {
        let start = begin()
        buffer.append(text: body)
        end(from: start)
    }

    private mutating func begin() -> Int {
        buffer.append(UInt8(ascii: "$"))
        return buffer.count - 1
    }

    private mutating func end(from start: Int) {
        let sum = Self.checksum(buffer.bytes.extracting((start + 1)...))
        buffer.append(UInt8(ascii: "*"))
        append(hexadecimal: sum)
        buffer.append(0x0D)
        buffer.append(0x0A)
    }

    private static func checksum(_ body: Span<UInt8>) -> UInt8 {
        body.indices.reduce(0) { $0 ^ body[$1] }
    }

    /// Removes everything written.
    public mutating func removeAll() {
        buffer.removeAll()
    }

    // MARK: Fields

    /// Writes `count` null fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { buffer.append(UInt8(ascii: ",")) }
    }

    /// Writes a single character. A character that would end a field or a sentence is omitted.
    public mutating func letter(_ letter: UInt8?) {
        buffer.append(UInt8(ascii: ","))
        if let letter, Self.isLetter(letter) { buffer.append(letter) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x20...0x7E ~= byte && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "$")
            && byte != UInt8(ascii: "!")
    }

    /// Writes one mode letter for each constellation.
    package mutating func modes(_ modes: ModeIndicators) {
        buffer.append(UInt8(ascii: ","))
        for index in 0..<modes.count { buffer.append(modes.letter(at: index)) }
    }

    /// Writes an integer, padded with zeros to `width` digits.
    public mutating func integer(_ value: Int?, width: Int = 1) {
        buffer.append(UInt8(ascii: ","))
        if let value { buffer.append(integer: value, width: width) }
    }

    /// Writes a hexadecimal digit: a system or signal ID.
    public mutating func hexadecimal(_ value: UInt8?) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(hexadecimal: UInt64(value), width: 1, isUppercase: true)
    }

    /// Writes a number with at least `decimals` decimals.
    public mutating func decimal(_ value: Double?, decimals: Int, width: Int = 1) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(fixed: value, decimals: count(decimals, of: value), width: width)
    }

    /// Writes a number and its unit letter.
    public mutating func decimal(_ value: Double?, decimals: Int, unit: Character) {
        decimal(value, decimals: decimals)
        self.unit(unit)
    }

    /// Writes a unit letter.
    public mutating func unit(_ unit: Character) {
        letter(writesUnits ? unit.asciiValue : nil)
    }

    /// Writes a field that consists of a prefix and a number, such as `EHT171.4`.
    package mutating func decimal(_ value: Double?, decimals: Int, after prefix: StaticString) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(prefix)
        buffer.append(fixed: value, decimals: count(decimals, of: value))
    }

    /// Writes an angle in degrees. If `isExact` is `false`, an angle that would be rounded to 360
    /// is written as 0.
    public mutating func bearing(_ value: Double?, decimals: Int, width: Int = 1) {
        guard !isExact, let value, value.isFinite else {
            return decimal(value, decimals: decimals, width: width)
        }
        let limit = 360 - 0.5 / Double(powerOfTen(SentenceDecimals.clamp(decimals)))
        decimal(value >= limit ? 0 : value, decimals: decimals, width: width)
    }

    /// Writes a course over ground in degrees.
    package mutating func course(_ value: Double?) { bearing(value, decimals: decimals.course) }

    /// Writes a speed. `value` is in the unit that is used on the wire.
    package mutating func speed(_ value: Double?) { decimal(value, decimals: decimals.speed) }

    /// Writes a dilution of precision.
    public mutating func dilution(_ value: Double?) { decimal(value, decimals: decimals.dilution) }

    /// Writes a standard deviation in metres.
    package mutating func deviation(_ value: Double?) {
        decimal(value, decimals: decimals.deviation)
    }

    /// Writes a length in metres and its unit letter.
    public mutating func metres(_ value: Double?, decimals: Int) {
        decimal(value, decimals: decimals, unit: "M")
    }

    /// Writes a number in two fields: its absolute value, and a letter for its sign.
    public mutating func decimal(
        _ value: Double?, decimals: Int, plus: Character, minus: Character
    ) {
        decimal(value.map { abs($0) }, decimals: decimals)
        letter(value.flatMap { ($0 < 0 ? minus : plus).asciiValue })
    }

    /// Writes a time of day as `hhmmss.ss`.
    public mutating func time(_ time: TimeOfDay?) {
        buffer.append(UInt8(ascii: ","))
        guard let time else { return }
        append(pairs: time.hour, time.minute, time.second)
        var digits = SentenceDecimals.clamp(decimals.seconds)
        // Decimals are truncated, not rounded, so that a second never becomes 60.
        while isExact, time.nanosecond % powerOfTen(9 - digits) != 0 { digits += 1 }
        guard digits > 0 else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(integer: time.nanosecond / powerOfTen(9 - digits), width: digits)
    }

    /// The years that can be written with two digits.
    static let shortYears = 1980..<2080

    /// Writes a date as `ddmmyy`. For a year outside 1980 to 2079, writes an empty field, because
    /// two digits would mean another year.
    public mutating func date(_ date: CalendarDate?) {
        buffer.append(UInt8(ascii: ","))
        if let date, Self.shortYears.contains(date.year) {
            append(pairs: date.day, date.month, date.year % 100)
        }
    }

    /// Writes a date as `mmddyy`, the order that Trimble uses. For a year outside 1980 to 2079,
    /// writes an empty field.
    mutating func monthFirstDate(_ date: CalendarDate?) {
        buffer.append(UInt8(ascii: ","))
        if let date, Self.shortYears.contains(date.year) {
            append(pairs: date.month, date.day, date.year % 100)
        }
    }

    /// Writes a date as day, month and four-digit year in three fields.
    package mutating func longDate(_ date: CalendarDate?) {
        integer(date?.day, width: 2)
        integer(date?.month, width: 2)
        integer(date?.year, width: 4)
    }

    // MARK: Pieces

    mutating func append(_ byte: UInt8) { buffer.append(byte) }

    /// Appends three numbers with two digits each.
    private mutating func append(pairs first: Int, _ second: Int, _ third: Int) {
        buffer.append(integer: first, width: 2)
        buffer.append(integer: second, width: 2)
        buffer.append(integer: third, width: 2)
    }

    mutating func append(hexadecimal byte: UInt8) {
        buffer.append(hexadecimal: UInt64(byte), width: 2, isUppercase: true)
    }

    mutating func append(integer value: Int, width: Int) {
        buffer.append(integer: value, width: width)
    }

    /// Returns the smallest number of decimals, from `wanted` to nine, that makes the written value
    /// exact; `wanted` if none does. If necessary, fewer decimals are returned, so that the number
    /// has at most 18 digits: readers accept no more.
    private func count(_ wanted: Int, of value: Double) -> Int {
        guard isExact else { return SentenceDecimals.clamp(wanted) }
        let size = abs(value)
        // Above 2^53, every double is an integer.
        var usual = size < 0x1p53 ? max(0, min(18, wanted)) : 0
        while usual > 0, size * Double(powerOfTen(usual)) >= 1e18 { usual -= 1 }
        for count in usual..<max(10, usual + 1) {
            let scale = Double(powerOfTen(count))
            let scaled = (size * scale).rounded()
            if scaled < 1e18, scaled / scale == size { return count }
        }
        return usual
    }
}

extension TextBuffer {
    /// Removes the fields after the first `fieldCount` fields of the sentence that begins at
    /// `start`.
    fileprivate mutating func truncate(from start: Int, toFields fieldCount: Int) {
        var left = max(0, fieldCount)
        for index in start..<count where bytes[index] == UInt8(ascii: ",") {
            guard left > 0 else { return count = index }
            left -= 1
        }
    }
}
