// SPDX-License-Identifier: MIT
public import GNSS

extension FieldReader {
    /// Reads four fields: `ddmm.m`, `N` or `S`, `dddmm.m`, `E` or `W`. Returns `nil` unless both
    /// latitude and longitude are valid.
    public mutating func coordinate() -> Coordinate? {
        let latitude = angle(UInt8(ascii: "N"), UInt8(ascii: "S"), limit: 90)
        let longitude = angle(UInt8(ascii: "E"), UInt8(ascii: "W"), limit: 180)
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Reads degrees and minutes, followed by a hemisphere. The two digits before the point are
    /// minutes. Some programs round 59.9999 minutes to 60, which is the next degree.
    private mutating func angle(_ plus: UInt8, _ minus: UInt8, limit: Double) -> Double? {
        let field = next()
        let hemisphere = next()
        if let degrees = degrees(field, hemisphere, plus, minus, limit: limit) { return degrees }
        return field.isEmpty ? nil : paddedAngle(field, hemisphere, plus, minus, limit: limit)
    }

    /// Reads an angle without the spaces with which its fields are padded.
    @inline(never)
    private mutating func paddedAngle(
        _ field: Field, _ hemisphere: Field, _ plus: UInt8, _ minus: UInt8, limit: Double
    ) -> Double? {
        let inner = withoutPadding(field) ?? field
        let letter = withoutPadding(hemisphere) ?? hemisphere
        guard inner.count < field.count || letter.count < hemisphere.count else {
            return malformed(field)
        }
        return degrees(inner, letter, plus, minus, limit: limit) ?? malformed(inner)
    }

    @inline(__always)
    private func degrees(
        _ field: Field, _ hemisphere: Field, _ plus: UInt8, _ minus: UInt8, limit: Double
    ) -> Double? {
        let letter = UInt8(truncatingIfNeeded: hemisphere.word)
        let point = min(WordScan.first(UInt8(ascii: "."), in: field.word), field.count)
        let fractionStart = min(field.start &+ point &+ 1, field.end)
        let decimals = field.end &- fractionStart
        guard hemisphere.count == 1, letter == plus || letter == minus, 3...5 ~= point,
            let whole = WordDigits.number(field.word, count: point), decimals <= 14,
            let fraction = digits(from: fractionStart, to: field.end)
        else { return nil }
        let (wholeDegrees, wholeMinutes) = UInt32(truncatingIfNeeded: whole)
            .quotientAndRemainder(dividingBy: 100)
        guard wholeMinutes < 60 || wholeMinutes == 60 && fraction == 0 else { return nil }
        // There is only one division, so up to eleven decimals are rounded only once.
        let scale = Double(powerOfTen(decimals))
        let minutes = Double(wholeDegrees &* 60 &+ wholeMinutes) * scale + Double(fraction)
        let degrees = minutes / (60 * scale)
        guard degrees <= limit else { return nil }
        // The code does not branch, because a processor cannot predict hemispheres in mixed
        // recordings.
        let sign: UInt64 = letter == plus ? 0 : 1 << 63
        return Double(bitPattern: degrees.bitPattern | sign)
    }
}
