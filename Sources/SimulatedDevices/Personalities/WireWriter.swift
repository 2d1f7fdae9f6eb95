// SPDX-License-Identifier: MIT
import GNSS

/// Writes sentences with exactly the digits a receiver has, whatever the numbers.
///
/// `NMEA.SentenceWriter` writes what reads back as the same value; a receiver rounds.
struct WireWriter: Sendable {
    /// Everything written so far.
    private(set) var bytes: [UInt8] = []
    /// Where each sentence begins.
    private(set) var starts: [Int] = []

    /// Begins a sentence by its address, such as `GPGGA` or `PUBX,00`.
    mutating func begin(_ address: String) {
        starts.append(bytes.count)
        bytes.append(UInt8(ascii: "$"))
        bytes.append(contentsOf: address.utf8)
    }

    /// Ends the sentence: checksum and line end.
    mutating func end() {
        guard let start = starts.last else { return }
        var sum: UInt8 = 0
        for byte in bytes[(start + 1)...] { sum ^= byte }
        bytes.append(UInt8(ascii: "*"))
        bytes.append(Self.hexDigit(sum >> 4))
        bytes.append(Self.hexDigit(sum & 15))
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    // MARK: Fields

    mutating func empty(_ count: Int = 1) {
        for _ in 0..<count { bytes.append(UInt8(ascii: ",")) }
    }

    mutating func letter(_ letter: UInt8?) {
        bytes.append(UInt8(ascii: ","))
        if let letter { bytes.append(letter) }
    }

    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func integer(_ value: Int?, width: Int = 1) {
        bytes.append(UInt8(ascii: ","))
        if let value { digits(value.magnitude, width: width, isNegative: value < 0) }
    }

    /// A number with so many decimals.
    mutating func fixed(_ value: Double?, _ decimals: Int, width: Int = 1) {
        bytes.append(UInt8(ascii: ","))
        number(value, decimals, width: width)
    }

    /// A height above the ellipsoid, as Trimble writes it.
    mutating func height(_ value: Double, _ decimals: Int) {
        text("EHT")
        number(value, decimals, width: 1)
    }

    private mutating func number(_ value: Double?, _ decimals: Int, width: Int) {
        guard let value, value.magnitude < 1e9 else { return }
        let scale = Self.power(decimals)
        let scaled = UInt((value.magnitude * Double(scale)).rounded())
        // No receiver says -0.0.
        digits(scaled / scale, width: width, isNegative: value < 0 && scaled != 0)
        fraction(scaled % scale, decimals)
    }

    /// Latitude and longitude, with so many decimals of their minutes: four fields.
    mutating func coordinate(_ coordinate: Coordinate?, _ decimals: Int) {
        guard let coordinate, coordinate.isValid else { return empty(4) }
        angle(coordinate.latitude, 2, decimals)
        letter(UInt8(ascii: coordinate.latitude < 0 ? "S" : "N"))
        angle(coordinate.longitude, 3, decimals)
        letter(UInt8(ascii: coordinate.longitude < 0 ? "W" : "E"))
    }

    /// `hhmmss.ss`, cut as receivers do: a second never rounds up to 60.
    mutating func time(_ time: TimeOfDay?, _ decimals: Int) {
        bytes.append(UInt8(ascii: ","))
        guard let time else { return }
        digits(UInt(time.hour * 10_000 + time.minute * 100 + time.second), width: 6)
        let unit = Self.power(9) / Self.power(decimals)
        fraction(UInt(time.nanosecond) / unit, decimals)
    }

    /// `ddmmyy`.
    mutating func date(_ date: CalendarDate?) {
        bytes.append(UInt8(ascii: ","))
        guard let date else { return }
        digits(UInt(date.day * 10_000 + date.month * 100 + date.year % 100), width: 6)
    }

    // MARK: Pieces

    private static let powers: [UInt] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
    private static let mostDecimals = powers.count - 1

    /// 10 to the power of so many decimals, 0 to 9.
    static func power(_ decimals: Int) -> UInt { powers[min(mostDecimals, max(0, decimals))] }

    private mutating func angle(_ degrees: Double, _ width: Int, _ decimals: Int) {
        bytes.append(UInt8(ascii: ","))
        let scale = Self.power(decimals)
        // Rounded as a whole, so that 59.99999 minutes become the next degree.
        let all = UInt((degrees.magnitude * 60 * Double(scale)).rounded())
        digits(all / (60 * scale), width: width)
        digits(all / scale % 60, width: 2)
        fraction(all % scale, decimals)
    }

    private mutating func fraction(_ value: UInt, _ decimals: Int) {
        guard decimals > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        digits(value, width: min(Self.mostDecimals, decimals))
    }

    private mutating func digits(_ value: UInt, width: Int, isNegative: Bool = false) {
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        var divisor: UInt = 1
        var count = 1
        while count < 19, count < width || value / divisor >= 10 {
            divisor *= 10
            count += 1
        }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
