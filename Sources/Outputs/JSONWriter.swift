// SPDX-License-Identifier: MIT

/// Writes compact JSON into room that is large enough beforehand; what is not known is left out.
///
/// Everything is stored by words of eight bytes, of which the next piece overwrites the rest.
struct JSONWriter: ~Copyable, ~Escapable {
    /// Room needed behind the text.
    static let slack = 8
    /// The most that a number with its name takes.
    static let longestMember = 40

    private var room: MutableRawSpan
    /// Where the next byte goes.
    private(set) var count: Int

    @_lifetime(copy room)
    init(_ room: consuming MutableRawSpan, count: Int) {
        self.room = room
        self.count = count
    }

    // MARK: Members

    /// A number with 1 to 9 decimals; gpsd prints no exponents, and neither do we.
    @inline(__always)
    mutating func number(_ name: StaticString, _ value: Double?, decimals: Int) {
        // What is not a number is not below the limit either.
        guard let value, value.magnitude < 1e9 else { return }
        key(name)
        decimal(value, decimals)
    }

    @inline(__always)
    mutating func number(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    /// The name of a member that is not the first.
    @inline(__always)
    mutating func key(_ name: StaticString) {
        put(",\"")
        put(name)
        put("\":")
    }

    // MARK: Values

    /// Text of ours, which needs no escapes.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { utf8 in
            var word: UInt64 = 0
            for i in utf8.indices {
                word |= UInt64(utf8[i]) << UInt64(i % 8 * 8)
                if i % 8 == 7 || i + 1 == utf8.count {
                    put(word, i % 8 + 1)
                    word = 0
                }
            }
        }
    }

    /// Text that is escaped already.
    mutating func put(_ text: Span<UInt8>) {
        for i in text.indices {
            room.storeBytes(of: text[i], toByteOffset: count + i, as: UInt8.self)
        }
        count += text.count
    }

    @inline(__always)
    mutating func integer(_ value: Int) {
        if value < 0 { put("-") }
        digits(UInt64(value.magnitude))
    }

    /// Rounds half away from zero; zero has no sign. The magnitude is below 1e9.
    mutating func decimal(_ value: Double, _ decimals: Int) {
        let unit = powerOfTen(decimals)
        let scaled = value.magnitude * Double(unit)
        var all = UInt64(scaled)
        if scaled - Double(all) >= 0.5 { all += 1 }
        if value < 0, all > 0 { put("-") }
        guard all < Digits.limit, decimals < 8 else {
            digits(all / unit)
            put(".")
            return padded(all % unit, decimals)
        }
        let digits = Digits(all)
        let count = max(digits.significant, decimals + 1)
        let word = digits.last(count)
        put(word, count - decimals)
        put(".")
        put(word >> UInt64(8 * (count - decimals)), decimals)
    }

    /// A number with zeros in front, of 1 to 16 digits.
    @inline(__always)
    mutating func padded(_ value: UInt64, _ width: Int) {
        guard width > 8 else { return put(Digits(value).last(width), width) }
        put(Digits(value / Digits.limit).last(width - 8), width - 8)
        put(Digits(value % Digits.limit).last(8), 8)
    }

    private mutating func digits(_ value: UInt64) {
        guard value < Digits.limit else {
            digits(value / Digits.limit)
            return put(Digits(value % Digits.limit).last(8), 8)
        }
        let digits = Digits(value)
        let count = max(digits.significant, 1)
        put(digits.last(count), count)
    }

    /// The lowest `count` bytes of a word.
    @inline(__always)
    private mutating func put(_ word: UInt64, _ count: Int) {
        room.storeBytes(of: word.littleEndian, toByteOffset: self.count, as: UInt64.self)
        self.count += count
    }

    private func powerOfTen(_ exponent: Int) -> UInt64 {
        switch exponent {
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 10_000
        default: (0..<exponent).reduce(1) { power, _ in power * 10 }
        }
    }
}
