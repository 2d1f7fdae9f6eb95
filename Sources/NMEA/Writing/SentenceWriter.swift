// SPDX-License-Identifier: MIT
public import GNSS

/// Writes sentences, field by field in wire order; checksum and line end come by themselves.
///
/// What was read is written so that reading it again gives the same: a number gets more decimals
/// than usual, up to nine, where that makes it exact. A number that nine decimals do not hold was
/// worked out, not read, and is rounded to the usual ones.
public struct SentenceWriter: Sendable {
    private var buffer = TextBuffer()

    /// Everything written so far.
    public var bytes: [UInt8] { buffer.array }

    /// Digits after the point of a coordinate's minutes, at the least: 5 is 2 cm.
    public var minuteDecimals = 5

    /// Digits after the point of a time's seconds, at the least.
    public var secondDecimals = 2

    /// Makes a writer with nothing written.
    public init() {}

    /// Writes a whole sentence; a proprietary one has no talker.
    public mutating func write(_ sentence: some Sentence, talker: Talker = .gnss) {
        let start = buffer.count
        let formatter = type(of: sentence).formatter
        buffer.append(UInt8(ascii: "$"))
        if formatter.proprietary == nil { buffer.append(text: talker.rawValue) }
        buffer.append(text: formatter.description)
        sentence.encode(into: &self)
        let sum = Self.checksum(buffer.bytes.extracting((start + 1)...))
        buffer.append(UInt8(ascii: "*"))
        buffer.append(Hexadecimal.uppercase(sum >> 4))
        buffer.append(Hexadecimal.uppercase(sum & 15))
        buffer.append(0x0D)
        buffer.append(0x0A)
    }

    private static func checksum(_ body: Span<UInt8>) -> UInt8 {
        body.indices.reduce(0) { $0 ^ body[$1] }
    }

    /// Forgets what was written.
    public mutating func removeAll() {
        buffer.removeAll()
    }

    // MARK: Fields

    /// Writes null fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { buffer.append(UInt8(ascii: ",")) }
    }

    /// Writes a single character; one that would end a field or a sentence is left out.
    public mutating func letter(_ letter: UInt8?) {
        buffer.append(UInt8(ascii: ","))
        if let letter, Self.isLetter(letter) { buffer.append(letter) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x20...0x7E ~= byte && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "$")
            && byte != UInt8(ascii: "!")
    }

    /// Writes one mode letter a constellation.
    public mutating func modes(_ modes: ModeIndicators) {
        buffer.append(UInt8(ascii: ","))
        for index in 0..<modes.count { buffer.append(modes.letter(at: index)) }
    }

    /// Writes a whole number, padded with zeros to `width` digits.
    public mutating func integer(_ value: Int?, width: Int = 1) {
        buffer.append(UInt8(ascii: ","))
        if let value { buffer.append(integer: value, width: width) }
    }

    /// Writes a hexadecimal digit: a system or signal id.
    public mutating func hexadecimal(_ value: UInt8?) {
        buffer.append(UInt8(ascii: ","))
        if let value { buffer.append(Hexadecimal.uppercase(value & 15)) }
    }

    /// Writes a number with at least that many decimals.
    public mutating func decimal(_ value: Double?, decimals: Int, width: Int = 1) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        let exact = Self.decimals(of: value, atLeast: decimals)
        buffer.append(fixed: value, decimals: exact, width: width)
    }

    /// Writes a number and its unit letter.
    public mutating func decimal(_ value: Double?, decimals: Int, unit: Character) {
        decimal(value, decimals: decimals)
        letter(unit.asciiValue)
    }

    /// Writes a number with characters in front of it.
    public mutating func decimal(_ value: Double?, decimals: Int, after prefix: StaticString) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(prefix)
        buffer.append(fixed: value, decimals: Self.decimals(of: value, atLeast: decimals))
    }

    /// Writes metres and their unit letter.
    public mutating func metres(_ value: Double?, decimals: Int) {
        decimal(value, decimals: decimals, unit: "M")
    }

    /// Writes a number's size, and its sign as a letter in the next field.
    public mutating func decimal(
        _ value: Double?, decimals: Int, plus: Character, minus: Character
    ) {
        decimal(value.map { abs($0) }, decimals: decimals)
        letter(value.flatMap { ($0 < 0 ? minus : plus).asciiValue })
    }

    /// Writes `hhmmss.ss`.
    public mutating func time(_ time: TimeOfDay?) {
        buffer.append(UInt8(ascii: ","))
        guard let time else { return }
        buffer.append(integer: time.hour, width: 2)
        buffer.append(integer: time.minute, width: 2)
        buffer.append(integer: time.second, width: 2)
        var digits = max(0, min(9, secondDecimals))
        while time.nanosecond % Int(powerOfTen(9 - digits)) != 0 { digits += 1 }
        guard digits > 0 else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(integer: time.nanosecond / Int(powerOfTen(9 - digits)), width: digits)
    }

    /// Writes `ddmmyy`.
    public mutating func date(_ date: CalendarDate?) {
        buffer.append(UInt8(ascii: ","))
        guard let date else { return }
        buffer.append(integer: date.day, width: 2)
        buffer.append(integer: date.month, width: 2)
        buffer.append(integer: date.year % 100, width: 2)
    }

    /// Writes `mmddyy`, as Trimble does.
    public mutating func monthFirstDate(_ date: CalendarDate?) {
        buffer.append(UInt8(ascii: ","))
        guard let date else { return }
        buffer.append(integer: date.month, width: 2)
        buffer.append(integer: date.day, width: 2)
        buffer.append(integer: date.year % 100, width: 2)
    }

    /// Writes day, month and four digits of the year, in three fields.
    public mutating func longDate(_ date: CalendarDate?) {
        integer(date?.day, width: 2)
        integer(date?.month, width: 2)
        integer(date?.year, width: 4)
    }

    // MARK: Pieces

    mutating func append(_ byte: UInt8) { buffer.append(byte) }

    mutating func append(integer value: Int, width: Int) {
        buffer.append(integer: value, width: width)
    }

    /// The decimals that say a number exactly, at most nine; `usual` where none do, or as many of
    /// them as 18 digits have room for, since no more are read.
    private static func decimals(of value: Double, atLeast wanted: Int) -> Int {
        let size = abs(value)
        // Beyond 2^53 every double is whole.
        var usual = size < 0x1p53 ? max(0, min(18, wanted)) : 0
        while usual > 0, size * powerOfTen(usual) >= 1e18 { usual -= 1 }
        for count in usual..<max(10, usual + 1) {
            let scale = powerOfTen(count)
            let scaled = (size * scale).rounded()
            if scaled < 1e18, scaled / scale == size { return count }
        }
        return usual
    }
}
