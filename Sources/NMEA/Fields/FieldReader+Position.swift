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
        let field = next()
        let hemisphere = next()
        let letter = UInt8(truncatingIfNeeded: hemisphere.word)
        let point = min(WordScan.first(UInt8(ascii: "."), in: field.word), field.count)
        guard hemisphere.count == 1, letter == plus || letter == minus, 3...5 ~= point,
            let (wholeDegrees, wholeMinutes) = WordDigits.degreesAndMinutes(
                field.word, count: point),
            wholeMinutes < 60,
            let (fraction, decimals) = Self.fraction(
                bytes, from: field.start &+ point &+ 1, to: field.end)
        else { return malformed(field) }
        // One division, so that up to eleven decimals are rounded but once.
        let scale = powerOfTen(decimals)
        let minutes = Double(wholeDegrees &* 60 &+ wholeMinutes) * scale + fraction
        let degrees = minutes / (60 * scale)
        guard degrees <= limit else { return malformed(field) }
        // Without a branch: hemispheres cannot be foreseen where recordings are mixed.
        let sign: UInt64 = letter == plus ? 0 : 1 << 63
        return Double(bitPattern: degrees.bitPattern | sign)
    }

    /// What stands behind the point as a whole number, at most fourteen digits, and how many they are.
    @inline(__always)
    private static func fraction(
        _ bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> (Double, Int)? {
        let count = end &- start
        guard count > 0 else { return (0, 0) }
        guard count > 7 else {
            guard let value = WordDigits.number(WordScan.load(bytes, at: start), count: count)
            else { return nil }
            return (Double(value), count)
        }
        return longFraction(bytes, from: start, to: end)
    }

    @inline(never)
    private static func longFraction(
        _ bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> (Double, Int)? {
        let count = end &- start
        guard count <= 14, let value = digits(bytes, start, end) else { return nil }
        return (Double(value), count)
    }
}
