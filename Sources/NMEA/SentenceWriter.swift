// SPDX-License-Identifier: MIT
public import GNSS

/// Writes sentences, field by field in wire order; checksum and line end come by themselves.
public struct SentenceWriter: Sendable {
    /// Everything written so far.
    public private(set) var bytes: [UInt8] = []

    /// Digits after the point of a coordinate's minutes: 5 is 2 cm.
    public var minuteDecimals = 5

    /// Digits after the point of a time's seconds.
    public var secondDecimals = 2

    private var start = 0

    /// Makes a writer with nothing written.
    public init() {}

    /// Writes a whole sentence.
    public mutating func write<S: Sentence>(_ sentence: S, talker: Talker) {
        start = bytes.count
        bytes.append(UInt8(ascii: "$"))
        bytes.append(contentsOf: talker.rawValue.utf8)
        bytes.append(contentsOf: S.formatter.description.utf8)
        sentence.encode(into: &self)
        var sum: UInt8 = 0
        for byte in bytes[(start + 1)...] { sum ^= byte }
        bytes.append(UInt8(ascii: "*"))
        bytes.append(Self.hexDigit(sum >> 4))
        bytes.append(Self.hexDigit(sum & 15))
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    /// Forgets what was written.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: Fields

    /// Writes null fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { bytes.append(UInt8(ascii: ",")) }
    }

    /// Writes a single character.
    public mutating func letter(_ letter: UInt8?) {
        bytes.append(UInt8(ascii: ","))
        if let letter { bytes.append(letter) }
    }

    /// Writes one mode letter a constellation.
    public mutating func modes(_ modes: ModeIndicators) {
        bytes.append(UInt8(ascii: ","))
        for index in 0..<modes.count { bytes.append(modes.letter(at: index)) }
    }

    /// Writes a whole number, padded with zeros to `width` digits.
    public mutating func integer(_ value: Int?, width: Int = 1) {
        bytes.append(UInt8(ascii: ","))
        if let value { bytes.append(integer: value, width: width) }
    }

    /// Writes a hexadecimal digit: a system or signal id.
    public mutating func hexadecimal(_ value: UInt8?) {
        bytes.append(UInt8(ascii: ","))
        if let value { bytes.append(Self.hexDigit(value & 15)) }
    }

    /// Writes a number with that many decimals.
    public mutating func decimal(_ value: Double?, decimals: Int, width: Int = 1) {
        bytes.append(UInt8(ascii: ","))
        if let value { bytes.append(fixed: value, decimals: decimals, width: width) }
    }

    /// Writes metres and their unit letter.
    public mutating func metres(_ value: Double?, decimals: Int) {
        decimal(value, decimals: decimals)
        letter(UInt8(ascii: "M"))
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
        bytes.append(UInt8(ascii: ","))
        guard let time else { return }
        bytes.append(integer: time.hour, width: 2)
        bytes.append(integer: time.minute, width: 2)
        bytes.append(integer: time.second, width: 2)
        guard secondDecimals > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        let unit = Int(powerOfTen(9 - min(9, secondDecimals)))
        bytes.append(integer: time.nanosecond / unit, width: min(9, secondDecimals))
    }

    /// Writes `ddmmyy`.
    public mutating func date(_ date: CalendarDate?) {
        bytes.append(UInt8(ascii: ","))
        guard let date else { return }
        bytes.append(integer: date.day, width: 2)
        bytes.append(integer: date.month, width: 2)
        bytes.append(integer: date.year % 100, width: 2)
    }

    /// Writes the four fields of a position.
    public mutating func coordinate(_ coordinate: Coordinate?) {
        angle(coordinate?.latitude, width: 2, plus: UInt8(ascii: "N"), minus: UInt8(ascii: "S"))
        angle(coordinate?.longitude, width: 3, plus: UInt8(ascii: "E"), minus: UInt8(ascii: "W"))
    }

    private mutating func angle(_ degrees: Double?, width: Int, plus: UInt8, minus: UInt8) {
        bytes.append(UInt8(ascii: ","))
        guard let degrees, abs(degrees) <= 360 else { return letter(nil) }
        // Rounded as a whole first, so that 59.999999 minutes become the next degree.
        let unit = powerOfTen(minuteDecimals)
        let all = (abs(degrees) * 60 * unit).rounded()
        let whole = (all / (60 * unit)).rounded(.down)
        bytes.append(integer: Int(whole), width: width)
        let minutes = (all - whole * 60 * unit) / unit
        bytes.append(fixed: minutes, decimals: minuteDecimals, width: 2)
        letter(degrees < 0 ? minus : plus)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
