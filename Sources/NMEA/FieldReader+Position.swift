// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// Four fields: `ddmm.m`, `N` or `S`, `dddmm.m`, `E` or `W`. Both halves or none.
    public mutating func coordinate() -> Coordinate? {
        let latitude = angle(UInt8(ascii: "N"), UInt8(ascii: "S"), limit: 90)
        let longitude = angle(UInt8(ascii: "E"), UInt8(ascii: "W"), limit: 180)
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Degrees and minutes, and a hemisphere. The two digits before the point are minutes.
    private mutating func angle(_ plus: UInt8, _ minus: UInt8, limit: Double) -> Double? {
        let (start, end) = field()
        let (letter, letterEnd) = field()
        guard letterEnd - letter == 1, end - start >= 3, end - start <= 18,
            byte(letter) == plus || byte(letter) == minus
        else { return malformed(start, end) }
        var whole = 0
        var i = start
        while i < end, i - start < 5, let digit = digit(i) {
            whole = whole * 10 + digit
            i += 1
        }
        guard i - start >= 3, i == end || byte(i) == UInt8(ascii: ".") else {
            return malformed(start, end)
        }
        var minutes = Double(whole % 100)
        if i < end {
            var fraction: UInt64 = 0
            for k in i + 1..<end {
                guard let digit = digit(k) else { return malformed(start, end) }
                fraction = fraction &* 10 &+ UInt64(digit)
            }
            minutes += Double(fraction) / powerOfTen(end - i - 1)
        }
        let degrees = Double(whole / 100) + minutes / 60
        guard minutes < 60, degrees <= limit else { return malformed(start, end) }
        return byte(letter) == plus ? degrees : -degrees
    }
}
