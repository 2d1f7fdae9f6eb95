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
        let start = position
        if let degrees = usualAngle() {
            let letter = next().letter
            if degrees <= limit, letter == plus { return degrees }
            if degrees <= limit, letter == minus { return -degrees }
        }
        position = start
        let field = next()
        let letter = next().letter
        guard letter == plus || letter == minus, 3...18 ~= field.count,
            let (whole, fraction) = parts(field)
        else { return malformed(field) }
        let minutes = Double(whole % 100) + fraction
        let degrees = Double(whole / 100) + minutes / 60
        guard minutes < 60, degrees <= limit else { return malformed(field) }
        return letter == plus ? degrees : -degrees
    }

    /// Three to five digits, a point, one to seven digits and a comma; `nil` for anything else.
    @inline(__always)
    private mutating func usualAngle() -> Double? {
        guard position <= bodyEnd else { return nil }
        var word = word(position)
        var whole = 0
        let count = WordDigits.take(from: &word, into: &whole)
        guard 3...5 ~= count, word & 0xFF == UInt64(UInt8(ascii: ".")) else { return nil }
        let start = position &+ count &+ 1
        let fraction = self.word(start)
        let decimals = WordScan.first(UInt8(ascii: ","), in: fraction)
        guard 1..<8 ~= decimals, whole % 100 < 60,
            let value = WordDigits.number(fraction, count: decimals)
        else { return nil }
        position = start &+ decimals &+ 1
        let minutes = Double(whole % 100) + Double(value) / powerOfTen(decimals)
        return Double(whole / 100) + minutes / 60
    }

    /// At least three digits before the point, and what stands behind it.
    @inline(__always)
    private func parts(_ field: Field) -> (whole: Int, fraction: Double)? {
        let point = min(WordScan.first(UInt8(ascii: "."), in: field.word), field.count)
        guard 3...7 ~= point || point == field.count,
            let whole = WordDigits.number(field.word, count: point), whole < 100_000
        else { return nil }
        let start = field.start &+ point &+ 1
        let count = field.end &- start
        guard count > 0 else { return (whole, 0) }
        guard count > 8 else {
            guard let value = WordDigits.number(word(start), count: count) else { return nil }
            return (whole, Double(value) / powerOfTen(count))
        }
        guard let value = digits(start, field.end) else { return nil }
        return (whole, Double(value) / powerOfTen(count))
    }
}
