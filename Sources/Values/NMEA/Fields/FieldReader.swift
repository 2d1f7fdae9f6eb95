// SPDX-License-Identifier: MIT
package import GNSS

/// Reads a sentence's fields in wire order. An empty, missing or malformed field is read as `nil`.
public struct FieldReader: ~Copyable, ~Escapable {
    // The reader is limited to six words. In Swift 6.3, the compiler calls a function to destroy a
    // larger value that contains a span, although there is nothing to destroy.

    /// The bytes from the start character on. Bytes after the sentence's body may be loaded, but
    /// are ignored.
    let bytes: Span<UInt8>

    // The ends of fields are marked in advance, so that the processor can find the next field while
    // it still parses the current one.

    /// The ends of the remaining fields: one bit for each of the 64 characters from index `window`.
    private var ends: UInt64
    /// The ends of fields in the 64 characters that follow those of `ends`, one bit for each
    /// character.
    private var endsBeyond: UInt64
    private var storedWindow: UInt32 = 1
    private var storedPosition: UInt32
    private let storedEnd, storedCount, addressCount: UInt16
    private var storedMalformed: UInt16 = 0

    /// The index of the character that belongs to the lowest bit of `ends`.
    @inline(__always)
    private var window: Int { Int(storedWindow) }

    /// The start of the next field, or one past the end if there are no more fields. It is never
    /// negative, so only the upper bound must be checked.
    @inline(__always)
    private(set) var position: Int {
        get { Int(storedPosition) }
        @_lifetime(self: copy self)
        set { storedPosition = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The index after the last character of the sentence's body.
    var bodyEnd: Int { Int(storedEnd) }

    /// The number of fields after the address, or after the formatter of a proprietary sentence.
    package var count: Int { Int(storedCount) }

    var malformedCount: Int { Int(storedMalformed) }

    mutating func countMalformed() { storedMalformed &+= 1 }

    /// Creates a reader for the fields of a sentence. `passed` is the number of commas before the
    /// first field to read: 0 for a standard sentence, more if a proprietary formatter contains
    /// fields.
    @_lifetime(copy bytes)
    @inline(__always)
    init(
        _ bytes: Span<UInt8>, end: Int, addressCount: Int, commas: CommaMarks, passed: Int = 0
    ) {
        self.bytes = bytes
        storedEnd = UInt16(truncatingIfNeeded: end)
        storedCount = UInt16(truncatingIfNeeded: commas.count &- passed)
        self.addressCount = UInt16(truncatingIfNeeded: addressCount)
        storedPosition = UInt32(truncatingIfNeeded: addressCount &+ 2)
        ends = Self.from(addressCount &+ 1, commas.low | Self.mark(end &- 1))
        endsBeyond = commas.high | Self.mark(end &- 65)
    }

    /// The address: the first field of the sentence.
    @inline(__always)
    package var address: Address { Address(bytes, at: 1, count: Int(addressCount)) }

    /// The position of a field, and its first eight characters or fewer.
    struct Field {
        var start = 0
        var end = 0
        var word: UInt64 = 0

        var count: Int { end &- start }
        var isEmpty: Bool { start == end }
        /// The character, if the field has exactly one; otherwise `nil`.
        var letter: UInt8? { count == 1 ? UInt8(truncatingIfNeeded: word) : nil }
    }

    /// Returns a field without the spaces at its ends, with which some programs pad fields; `nil`
    /// if there are none. Called only for a field that cannot be read as it is.
    @inline(never)
    private func withoutPadding(_ field: Field) -> Field? {
        let space = UInt8(ascii: " ")
        var (start, end) = (field.start, field.end)
        while start < end, bytes[start] == space { start += 1 }
        while start < end, bytes[end - 1] == space { end -= 1 }
        guard end - start < field.count else { return nil }
        return Field(start: start, end: end, word: WordScan.load(bytes, at: start))
    }

    /// Skips the next `count` fields.
    @_lifetime(self: copy self)
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { _ = next() }
    }

    /// Reads the next field. After the last field, it returns empty fields.
    @inline(__always)
    mutating func next() -> Field {
        if ends == 0 { guard slide() else { return Field() } }
        let start = position
        let end = window &+ ends.trailingZeroBitCount
        ends &= ends &- 1
        position = end &+ 1
        return Field(start: start, end: end, word: WordScan.load(bytes, at: start))
    }

    /// Returns the ends of fields in the 64 characters from `position`, one bit for each character.
    @inline(__always)
    mutating func upcomingEnds() -> UInt64 {
        if ends == 0 { guard slide() else { return 0 } }
        guard position >= window else { return 0 }
        let passed = UInt64(truncatingIfNeeded: position &- window)
        return (ends &>> passed) | ((endsBeyond &<< 1) &<< (63 &- passed))
    }

    /// Moves forward to a position at the start of a field.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func pass(_ newPosition: Int) {
        position = newPosition
        ends = Self.from(newPosition &- window, ends)
    }

    /// Moves `window` to the next 64 characters that contain the end of a field. Returns `false` if
    /// there are none.
    @inline(never)
    private mutating func slide() -> Bool {
        repeat {
            guard window < bodyEnd else {
                ends = 0
                return false
            }
            storedWindow += 64
            ends = Self.from(position - window, endsBeyond)
            let next = window + 64
            endsBeyond =
                next <= bodyEnd
                ? WordScan.commas(bytes, from: next, to: bodyEnd) | Self.mark(bodyEnd - next) : 0
        } while ends == 0
        return true
    }

    /// Returns `marks` without the bits below `offset`.
    @inline(__always)
    private static func from(_ offset: Int, _ marks: UInt64) -> UInt64 {
        guard offset > 0 else { return marks }
        let passed = UInt64(truncatingIfNeeded: offset)
        return passed < 64 ? (marks &>> passed) &<< passed : 0
    }

    /// Returns a word in which only bit `offset` is set; 0 unless `offset` is 0 to 63.
    @inline(__always)
    private static func mark(_ offset: Int) -> UInt64 {
        UInt(bitPattern: offset) < 64 ? 1 &<< UInt64(truncatingIfNeeded: offset) : 0
    }

    /// Returns the single character of the next field without advancing; `nil` if the field has
    /// none or several.
    func peek() -> UInt8? {
        guard !isNextEmpty else { return nil }
        let end = position + 1
        return end == bodyEnd || bytes[end] == UInt8(ascii: ",") ? bytes[position] : nil
    }

    /// Whether the next field is empty or missing.
    var isNextEmpty: Bool {
        position >= bodyEnd || bytes[position] == UInt8(ascii: ",")
    }

    var isAtEnd: Bool { position > bodyEnd }

    /// Counts a field as malformed unless it is empty. Returns `nil`.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func malformed<Value>(_ field: Field) -> Value? {
        countMalformed(isEmpty: field.isEmpty)
        return nil
    }

    @inline(never)
    @_lifetime(self: copy self)
    private mutating func countMalformed(isEmpty: Bool) {
        if !isEmpty { countMalformed() }
    }
}

extension FieldReader {
    /// Reads the text of the field. `^` and two hexadecimal digits encode a Latin-1 character.
    package mutating func text() -> String? {
        let field = next()
        return text(field.start, field.end)
    }

    /// Reads the text of all remaining fields, including the commas between them.
    package mutating func remainingText() -> String? {
        let start = position
        var end = start
        repeat { end = next().end } while !isAtEnd
        return text(start, end)
    }

    private func text(_ start: Int, _ end: Int) -> String? {
        guard start < end else { return nil }
        var scalars = String.UnicodeScalarView()
        var i = start
        while i < end {
            if bytes[i] == UInt8(ascii: "^"), i + 2 < end,
                let character = Hexadecimal.value(bytes[i + 1], bytes[i + 2])
            {
                scalars.append(Unicode.Scalar(character))
                i += 3
            } else {
                scalars.append(Unicode.Scalar(bytes[i]))
                i += 1
            }
        }
        return String(scalars)
    }
}

extension FieldReader {
    /// Reads `hhmmss`, optionally followed by a point and a fraction of any length, which is
    /// truncated to nanoseconds.
    package mutating func time() -> TimeOfDay? {
        let field = next()
        if let time = time(field) { return time }
        guard !field.isEmpty else { return nil }
        guard let inner = withoutPadding(field) else { return malformed(field) }
        return time(inner) ?? malformed(inner)
    }

    @inline(__always)
    private func time(_ field: Field) -> TimeOfDay? {
        let hasFraction = field.count > 6 && field.word >> 48 & 0xFF == UInt64(UInt8(ascii: "."))
        guard field.count == 6 || hasFraction,
            let (hour, minute, second) = WordDigits.threePairs(field.word),
            let nanosecond = nanoseconds(from: field.start &+ 7, to: field.end)
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }

    /// Returns the digits of a fraction of a second as nanoseconds.
    @inline(__always)
    private func nanoseconds(from start: Int, to end: Int) -> Int? {
        guard start < end else { return 0 }
        let kept = min(start &+ 9, end)
        guard let number = digits(from: start, to: kept) else { return nil }
        for i in kept..<end where bytes[i] &- UInt8(ascii: "0") > 9 { return nil }
        return number &* powerOfTen(9 &- (kept &- start))
    }

    /// Reads `ddmmyy`, or `ddmmyyyy`, which some receivers send. Years 80 to 99 mean 1980 to 1999,
    /// and 00 to 79 mean 2000 to 2079.
    package mutating func date() -> CalendarDate? {
        date { (day: $0, month: $1) }
    }

    /// Reads `mmddyy`, the order that Trimble uses, or `mmddyyyy`.
    mutating func monthFirstDate() -> CalendarDate? {
        date { (day: $1, month: $0) }
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func date(_ order: (Int, Int) -> (day: Int, month: Int)) -> CalendarDate? {
        let field = next()
        guard field.count == 6, let (first, second, year) = WordDigits.threePairs(field.word) else {
            return field.isEmpty ? nil : longDate(in: field, order)
        }
        let (day, month) = order(first, second)
        return CalendarDate(year: Self.year(year), month: month, day: day) ?? malformed(field)
    }

    /// Returns the year that two digits mean.
    @inline(__always)
    private static func year(_ digits: Int) -> Int { digits < 80 ? 2000 + digits : 1900 + digits }

    /// Reads a date with a four-digit year, or one that is padded with spaces.
    @inline(never)
    @_lifetime(self: copy self)
    private mutating func longDate(
        in field: Field, _ order: (Int, Int) -> (day: Int, month: Int)
    ) -> CalendarDate? {
        let field = withoutPadding(field) ?? field
        guard let (first, second, shortYear) = WordDigits.threePairs(field.word),
            case let (day, month) = order(first, second)
        else { return malformed(field) }
        var year: Int?
        if field.count == 6 { year = Self.year(shortYear) }
        if field.count == 8 { year = digits(from: field.start + 4, to: field.end) }
        guard let year else { return malformed(field) }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(field)
    }

    /// Reads day, month and year from three fields. Some receivers send only two digits of the
    /// year.
    package mutating func longDate() -> CalendarDate? {
        let day = integer()
        let month = integer()
        var field = next()
        if field.count != 4 { field = withoutPadding(field) ?? field }
        guard field.count == 4 || field.count == 2,
            var year = digits(from: field.start, to: field.end)
        else { return malformed(field) }
        guard let day, let month else { return nil }
        if field.count == 2 { year = Self.year(year) }
        return CalendarDate(year: year, month: month, day: day) ?? malformed(field)
    }
}

extension FieldReader {
    /// Reads four fields: `ddmm.m`, `N` or `S`, `dddmm.m`, `E` or `W`. Returns `nil` unless both
    /// latitude and longitude are valid.
    package mutating func coordinate() -> Coordinate? {
        let latitude = angle(UInt8(ascii: "N"), UInt8(ascii: "S"), limit: 90)
        let longitude = angle(UInt8(ascii: "E"), UInt8(ascii: "W"), limit: 180)
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Reads degrees and minutes, followed by a hemisphere. The two digits before the point are
    /// minutes. Some programs round 59.9999 minutes to 60, which is the next degree.
    @_lifetime(self: copy self)
    private mutating func angle(_ plus: UInt8, _ minus: UInt8, limit: Double) -> Double? {
        let field = next()
        let hemisphere = next()
        if let degrees = degrees(field, hemisphere, plus, minus, limit: limit) { return degrees }
        return field.isEmpty ? nil : paddedAngle(field, hemisphere, plus, minus, limit: limit)
    }

    /// Reads an angle without the spaces with which its fields are padded.
    @inline(never)
    @_lifetime(self: copy self)
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

// The functions for letters and numbers are not inlined. The code that reads the sentences of an
// epoch must fit into the processor's instruction cache, because cache misses cost more than calls.
extension FieldReader {
    /// Reads a field that consists of one character.
    @inline(never)
    package mutating func letter() -> UInt8? {
        let field = next()
        if let letter = field.letter { return letter }
        return field.isEmpty ? nil : withoutPadding(field)?.letter ?? malformed(field)
    }

    /// Reads one hexadecimal digit: a system or signal ID.
    package mutating func hexadecimal() -> UInt8? {
        let field = next()
        let letter = field.letter ?? withoutPadding(field)?.letter
        return letter.flatMap(Hexadecimal.value) ?? malformed(field)
    }

    /// Reads an unsigned integer of up to nine digits.
    @inline(never)
    package mutating func integer() -> Int? {
        integer(next())
    }

    @inline(__always)
    @_lifetime(self: copy self)
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
    mutating func signedInteger() -> Int? {
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
    @_lifetime(self: copy self)
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
    @_lifetime(self: copy self)
    private mutating func malformedNumber(_ field: Field) -> Int? {
        guard let inner = withoutPadding(field) else { return malformed(field) }
        return wholeNumber(inner, from: inner.start, to: inner.end)
    }

    /// Reads a number with an optional sign and an optional decimal point, at most 18 digits, and
    /// no exponent.
    package mutating func decimal() -> Double? {
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
    @_lifetime(self: copy self)
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
    @_lifetime(self: copy self)
    package mutating func decimal(in range: ClosedRange<Double>) -> Double? {
        guard let value = decimal() else { return nil }
        guard range.contains(value) else {
            countMalformed()
            return nil
        }
        return value
    }

    /// Reads a number after a prefix, such as the height in `EHT171.4`.
    @_lifetime(self: copy self)
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
    package mutating func dilution() -> Double? {
        guard let value = decimal(), value >= 0.01, value <= 89.99 else { return nil }
        return value
    }

    /// Reads an angle clockwise from north in degrees, from 0 up to but not including 360; 360
    /// becomes 0.
    mutating func bearing() -> Double? {
        guard let value = decimal(in: 0...360) else { return nil }
        return value == 360 ? 0 : value
    }

    /// Reads a length in metres, followed by a field that is empty or contains `M` or `m`. Other
    /// units are rejected, so that feet are never read as metres.
    mutating func metres() -> Double? {
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
    @_lifetime(self: copy self)
    package mutating func decimal(
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
    @_lifetime(self: copy self)
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
