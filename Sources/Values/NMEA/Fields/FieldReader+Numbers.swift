// SPDX-License-Identifier: MIT
import GNSS

// The functions for letters and numbers are not inlined. The code that reads the sentences of an
// epoch must fit into the processor's instruction cache, because cache misses cost more than calls.
extension FieldReader {
    /// Reads a field that consists of one character.
    @inline(never)
    public mutating func letter() -> UInt8? {
        let field = next()
        if let letter = field.letter { return letter }
        return field.isEmpty ? nil : withoutPadding(field)?.letter ?? malformed(field)
    }

    /// Reads one hexadecimal digit: a system or signal ID.
    public mutating func hexadecimal() -> UInt8? {
        let field = next()
        let letter = field.letter ?? withoutPadding(field)?.letter
        return letter.flatMap(Hexadecimal.value) ?? malformed(field)
    }

    /// Reads an unsigned integer of up to nine digits.
    @inline(never)
    public mutating func integer() -> Int? {
        integer(next())
    }

    @inline(__always)
    private mutating func integer(_ field: Field) -> Int? {
        if let letter = field.letter {
            let digit = letter &- UInt8(ascii: "0")
            return digit <= 9 ? Int(digit) : malformedNumber(field)
        }
        guard field.count <= 7, let value = WordDigits.number(field.word, count: field.count)
        else { return wholeNumber(field, from: field.start, to: field.end) }
        return field.isEmpty ? nil : value
    }

    /// Reads an integer with an optional sign.
    package mutating func signedInteger() -> Int? {
        var field = next()
        field = withoutPadding(field) ?? field
        let (isNegative, start) = sign(from: field.start, to: field.end)
        guard start < field.end else { return malformed(field) }
        let number = wholeNumber(field, from: start, to: field.end)
        return isNegative ? number.map { -$0 } : number
    }

    /// Returns the unsigned integer in the characters of a field from `start` to `end`; `nil` if
    /// there are none. Counts the field as malformed unless all are digits, at most nine.
    @inline(never)
    mutating func wholeNumber(_ field: Field, from start: Int, to end: Int) -> Int? {
        guard start < end else { return nil }
        guard end - start <= 9, let value = digits(from: start, to: end) else {
            return malformedNumber(field)
        }
        return value
    }

    /// Reads an integer without the spaces with which it is padded. Counts any other field as
    /// malformed unless it is empty.
    @inline(never)
    private mutating func malformedNumber(_ field: Field) -> Int? {
        guard let inner = withoutPadding(field) else { return malformed(field) }
        return wholeNumber(inner, from: inner.start, to: inner.end)
    }

    /// Reads a number with an optional sign and an optional decimal point, at most 18 digits, and
    /// no exponent.
    public mutating func decimal() -> Double? {
        let field = next()
        guard !field.isEmpty else { return nil }
        if field.count <= 8,
            let (value, decimals) = WordDigits.decimal(field.word, count: field.count)
        {
            return Double(value) / Double(powerOfTen(decimals))
        }
        return number(field, from: field.start)
    }

    /// Reads a number whose minus sign may be repeated after the point. Navico's plotters send -1.4
    /// as `-1.-4`.
    mutating func decimalWithRepeatedSign() -> Double? {
        let field = next()
        return field.isEmpty ? nil : number(field, from: field.start, mayRepeatSign: true)
    }

    /// Returns the number in a field from an index to the end of the field.
    @inline(never)
    private mutating func number(
        _ field: Field, from first: Int, mayRepeatSign: Bool = false
    ) -> Double? {
        let (isNegative, start) = sign(from: first, to: field.end)
        let point = (start..<field.end).first { bytes[$0] == UInt8(ascii: ".") } ?? field.end
        var fractionStart = min(point + 1, field.end)
        if mayRepeatSign, isNegative, fractionStart + 1 < field.end,
            bytes[fractionStart] == UInt8(ascii: "-")
        {
            fractionStart += 1
        }
        let decimals = field.end - fractionStart
        guard 1...18 ~= point - start + decimals, let whole = digits(from: start, to: point),
            let fraction = digits(from: fractionStart, to: field.end)
        else {
            guard let inner = withoutPadding(field) else { return malformed(field) }
            return number(inner, from: max(first, inner.start), mayRepeatSign: mayRepeatSign)
        }
        // The digits before and after the point form one integer. One division by a power of ten
        // then rounds only once.
        let scale = powerOfTen(decimals)
        let magnitude = Double(whole * scale + fraction) / Double(scale)
        return isNegative ? -magnitude : magnitude
    }

    /// Reads a number within bounds. A number out of bounds is malformed.
    @inline(__always)
    public mutating func decimal(in range: ClosedRange<Double>) -> Double? {
        guard let value = decimal() else { return nil }
        guard range.contains(value) else {
            countMalformed()
            return nil
        }
        return value
    }

    /// Reads a number after a prefix, such as the height in `EHT171.4`.
    package mutating func decimal(after prefix: StaticString) -> Double? {
        let field = next()
        let isPresent = prefix.withUTF8Buffer { text in
            field.count > text.count
                && text.indices.allSatisfy { bytes[field.start + $0] == text[$0] }
        }
        guard isPresent else { return malformed(field) }
        return number(field, from: field.start + prefix.utf8CodeUnitCount)
    }

    /// Reads a dilution of precision. Values below 0.01 or above 89.99 mean unknown: receivers send
    /// 0 or 99.99, for example.
    @inline(never)
    public mutating func dilution() -> Double? {
        guard let value = decimal(), value >= 0.01, value <= 89.99 else { return nil }
        return value
    }

    /// Reads an angle clockwise from north in degrees, from 0 up to but not including 360; 360
    /// becomes 0.
    public mutating func bearing() -> Double? {
        guard let value = decimal(in: 0...360) else { return nil }
        return value == 360 ? 0 : value
    }

    /// Reads a length in metres, followed by a field that is empty or contains `M` or `m`. Other
    /// units are rejected, so that feet are never read as metres.
    public mutating func metres() -> Double? {
        let value = decimal()
        let unit = next()
        guard !unit.isEmpty, unit.letter != UInt8(ascii: "M") else { return value }
        return isMetres(unit) ? value : malformed(unit)
    }

    @inline(never)
    private func isMetres(_ unit: Field) -> Bool {
        let unit = withoutPadding(unit) ?? unit
        return unit.isEmpty || unit.letter.map { $0 | 0x20 } == UInt8(ascii: "m")
    }

    /// Reads an unsigned number up to `limit`, and the letter of its sign in the next field.
    public mutating func decimal(
        plus: Unicode.Scalar, minus: Unicode.Scalar, upTo limit: Double = .infinity
    ) -> Double? {
        let value = decimal()
        let sign = next()
        guard let value, !sign.isEmpty,
            let letter = sign.letter ?? withoutPadding(sign)?.letter
        else { return nil }
        guard 0...limit ~= value else { return malformed(sign) }
        if UInt32(letter) == plus.value { return value }
        return UInt32(letter) == minus.value ? -value : malformed(sign)
    }

    /// Reads a unit letter. Returns `true` if the next field contains that letter or is empty. If
    /// `unit` is `nil`, reads nothing and returns `true`.
    mutating func hasUnit(_ unit: Unicode.Scalar?) -> Bool {
        guard let unit else { return true }
        let field = next()
        guard !field.isEmpty, field.letter.map(UInt32.init) != unit.value else {
            return true
        }
        guard let inner = withoutPadding(field) else { return malformed(field) ?? false }
        return inner.isEmpty || inner.letter.map(UInt32.init) == unit.value
            ? true : malformed(inner) ?? false
    }

    // MARK: Parts of fields

    /// Returns the integer formed by up to 18 digits, or 0 for an empty range; `nil` for more
    /// digits or other characters.
    @inline(__always)
    func digits(from start: Int, to end: Int) -> Int? {
        end &- start <= 7
            ? WordDigits.number(WordScan.load(bytes, at: start), count: end &- start)
            : manyDigits(from: start, to: end)
    }

    @inline(never)
    private func manyDigits(from start: Int, to end: Int) -> Int? {
        guard end - start <= 18 else { return nil }
        var value = 0
        for i in start..<end {
            let digit = bytes[i] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }

    /// Returns whether the number has a minus sign, and the index after its sign, if any.
    private func sign(from start: Int, to end: Int) -> (isNegative: Bool, start: Int) {
        guard start < end else { return (false, start) }
        let isNegative = bytes[start] == UInt8(ascii: "-")
        return (isNegative, isNegative || bytes[start] == UInt8(ascii: "+") ? start + 1 : start)
    }
}
