// SPDX-License-Identifier: MIT
import GNSS

/// Writes JSON, XML and CSV, without a blank too many, into room that is large enough beforehand; what is not known is left out.
///
/// Nearly everything is stored by words of eight bytes, of which the next piece overwrites the rest.
struct TextWriter: ~Copyable, ~Escapable {
    /// Room needed behind the text.
    static let slack = 16
    /// The most that a number with its name takes.
    static let longestMember = 40

    private var room: MutableRawSpan
    private let smallNumbers = SmallNumbers.all
    /// Where the next byte goes.
    private(set) var count: Int

    @_lifetime(copy room)
    init(_ room: consuming MutableRawSpan, count: Int) {
        self.room = room
        self.count = count
    }

    // MARK: Members

    /// A number with 1 to 9 decimals; gpsd prints no exponents, and neither do we.
    mutating func number(_ name: JSONPiece, _ value: Double?, decimals: Int) {
        // What is not a number is not below the limit either.
        guard let value, value.magnitude < 1e9 else { return }
        put(name)
        let whole = Int(value)
        if decimals == 1, Double(whole) == value, let small = smallNumbers[whole] {
            put(small.characters, small.count &+ 2)
        } else {
            decimal(value, decimals)
        }
    }

    /// A number with one decimal; the name has at most eight characters.
    @inline(__always)
    mutating func tenths(_ name: JSONPiece, _ value: Millionths) {
        guard value.isKnown else { return }
        put(name.low, name.count)
        if let whole = value.wholeNumber, let small = smallNumbers[whole] {
            put(small.characters, small.count &+ 2)
        } else {
            decimal(value.value ?? 0, 1)
        }
    }

    mutating func number(_ name: JSONPiece, _ value: Int?) {
        guard let value else { return }
        put(name)
        integer(value)
    }

    // MARK: Values

    /// Up to sixteen characters of ours.
    @inline(__always)
    mutating func put(_ piece: JSONPiece) {
        // Both at once: one look whether there is room.
        let words = SIMD2(piece.low.littleEndian, piece.high.littleEndian)
        room.storeBytes(of: words, toByteOffset: count, as: SIMD2<UInt64>.self)
        count &+= piece.count
    }

    /// One character of ours.
    @inline(__always)
    mutating func put(character: Unicode.Scalar) {
        room.storeBytes(of: UInt8(ascii: character), toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// One character of ours in the place of the last one.
    mutating func replaceLast(_ character: Unicode.Scalar) {
        count -= 1
        put(character: character)
    }

    /// Text that is escaped already.
    mutating func put(_ text: Span<UInt8>) {
        let bytes = text.bytes
        let words = text.count & ~7
        for i in stride(from: 0, to: words, by: 8) {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self)
            room.storeBytes(of: word, toByteOffset: count &+ i, as: UInt64.self)
        }
        for i in words..<text.count {
            room.storeBytes(of: text[i], toByteOffset: count &+ i, as: UInt8.self)
        }
        count += text.count
    }

    /// The same, which is kept in words.
    @inline(__always)
    mutating func put(_ text: PaddedText) {
        let words = text.words.span
        for i in words.indices {
            room.storeBytes(of: words[i], toByteOffset: count &+ 8 &* i, as: UInt64.self)
        }
        count &+= text.count
    }

    mutating func integer(_ value: Int) {
        if let small = smallNumbers[value] { return put(small.characters, small.count) }
        if value < 0 { put(character: "-") }
        digits(UInt64(value.magnitude))
    }

    /// Rounds half away from zero; zero has no sign. The magnitude is below 1e9.
    mutating func decimal(_ value: Double, _ decimals: Int) {
        // The usual ones each by itself, so that they divide by constants.
        switch decimals {
        case 1: decimal(value, 1, unit: 10)
        case 2: decimal(value, 2, unit: 100)
        case 3: decimal(value, 3, unit: 1000)
        case 4: decimal(value, 4, unit: 10_000)
        case 9: decimal(value, 9, unit: 1_000_000_000)
        default: decimal(value, decimals, unit: powerOfTen(decimals))
        }
    }

    @inline(__always)
    private mutating func decimal(_ value: Double, _ decimals: Int, unit: UInt64) {
        let scaled = value.magnitude * Double(unit)
        let floor = Int64(scaled)
        let all = UInt64(floor) &+ (scaled - Double(floor) >= 0.5 ? 1 : 0)
        if value < 0, all > 0 { put(character: "-") }
        guard all < Digits.limit, decimals < 8 else {
            digits(all / unit)
            put(character: ".")
            return padded(all % unit, decimals)
        }
        let digits = Digits(all)
        let count = max(digits.significant, decimals &+ 1)
        let word = digits.last(count)
        let whole = count &- decimals
        put(word, whole)
        put(character: ".")
        put(word &>> UInt64(truncatingIfNeeded: 8 &* whole), decimals)
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
    mutating func put(_ word: UInt64, _ count: Int) {
        room.storeBytes(of: word.littleEndian, toByteOffset: self.count, as: UInt64.self)
        self.count &+= count
    }

    private func powerOfTen(_ exponent: Int) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
