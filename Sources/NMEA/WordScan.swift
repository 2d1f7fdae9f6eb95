// SPDX-License-Identifier: MIT

/// Looking at eight bytes at a time. Loads are checked against the span's bounds.
@usableFromInline
enum WordScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// What is found on the way to a sentence's end.
    struct Body {
        /// The first index whose byte cannot stand in a sentence's body.
        var end: Int
        /// XOR of the bytes before it.
        var sum: UInt8 = 0
        /// The commas among them.
        var commas = CommaMarks()
    }

    /// The eight bytes from an index on, the first in the lowest byte; zeros beyond the last one.
    @inlinable
    @inline(__always)
    static func load(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        // The same words as in the load's own check, so that it is made once.
        let isInside = UInt(bitPattern: index) <= UInt(bitPattern: bytes.count)
        guard isInside, 8 <= bytes.count &- index else { return loadLast(bytes, from: index) }
        let raw = bytes.bytes
        return UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    @usableFromInline
    @inline(never)
    static func loadLast(_ bytes: Span<UInt8>, from start: Int) -> UInt64 {
        var word: UInt64 = 0
        var i = bytes.count
        while i > start {
            i -= 1
            word = word << 8 | UInt64(bytes[i])
        }
        return word
    }

    /// Goes through a sentence's body from `start` on: two words at a time, then the last ones.
    @inline(__always)
    static func body(_ bytes: Span<UInt8>, from start: Int) -> Body {
        var body = Body(end: start)
        var folded = SIMD2<UInt64>()
        var counted = SIMD2<UInt64>()
        var marks: UInt64 = 0
        var shift: UInt64 = 0
        var window = 0
        let raw = bytes.bytes
        // Each byte of `counted` counts to 255 at the most.
        let lastPair = min(bytes.count &- 16, start &+ 250 &* 16)
        while body.end <= lastPair {
            let pair = raw.unsafeLoadUnaligned(fromByteOffset: body.end, as: SIMD2<UInt64>.self)
            let found = suspects(pair)
            guard (found[0] | found[1]) & highs == 0 else { break }
            folded ^= pair
            let commas = commas(pair)
            counted &+= commas
            marks |= (gather(commas[0]) | gather(commas[1]) << 8) &<< shift
            shift &+= 16
            body.end &+= 16
            if shift == 64 {
                body.commas.append(marks, window)
                (marks, shift, window) = (0, 0, window &+ 1)
            }
        }
        body.commas.count = sum(counted)
        var rest = folded[0] ^ folded[1]
        var word = load(bytes, at: body.end)
        var found = strangers(word) & highs
        while found == 0 {
            rest ^= word
            body.commas.take(commas(word), &marks, &shift, &window)
            body.end &+= 8
            word = load(bytes, at: body.end)
            found = strangers(word) & highs
        }
        // Zeros beyond the last byte end the body as well.
        let count = found.trailingZeroBitCount / 8
        word &= 1 << UInt64(truncatingIfNeeded: 8 &* count) &- 1
        body.commas.take(commas(word), &marks, &shift, &window)
        body.commas.append(marks, window)
        body.end &+= count
        body.sum = fold(rest ^ word)
        return body
    }

    /// XOR of the bytes, and the commas among them.
    static func sum(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> (UInt8, CommaMarks) {
        var folded: UInt64 = 0
        var all = CommaMarks()
        var marks: UInt64 = 0
        var shift: UInt64 = 0
        var window = 0
        for i in stride(from: start, to: end, by: 8) {
            let word = load(bytes, at: i)
            let rest = end - i < 8 ? word & (1 << UInt64(8 * (end - i)) - 1) : word
            folded ^= rest
            all.take(commas(rest), &marks, &shift, &window)
        }
        all.append(marks, window)
        return (fold(folded), all)
    }

    /// A mark for each comma before `end` in the 64 bytes from `start` on.
    static func commas(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
        var marks: UInt64 = 0
        for i in start..<max(start, min(start + 64, end)) where bytes[i] == UInt8(ascii: ",") {
            marks |= 1 << UInt64(i - start)
        }
        return marks
    }

    /// The index of the first such byte in a word, 8 where there is none.
    @inline(__always)
    static func first(_ byte: UInt8, in word: UInt64) -> Int {
        zeros(word ^ UInt64(byte) &* ones).trailingZeroBitCount / 8
    }

    /// The high bit of each byte that cannot stand in a sentence's body, of space, `"` and `#`, and
    /// perhaps of bytes above one: what is borrowed or carried only goes upwards. The other bits mean
    /// nothing.
    @inline(__always)
    private static func suspects(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
        pair | (pair &- 0x25 &* ones) | (pair &+ ones)
    }

    /// The high bit of each byte that cannot stand in a sentence's body, and perhaps of bytes above
    /// one. The other bits mean nothing.
    @inline(__always)
    private static func strangers(_ word: UInt64) -> UInt64 {
        let isControl = word &- 0x20 &* ones
        let isDelete = word &+ ones
        let isDollar = (word ^ UInt64(UInt8(ascii: "$")) &* ones) &- ones
        let isBang = (word ^ UInt64(UInt8(ascii: "!")) &* ones) &- ones
        return word | isControl | isDelete | isDollar | isBang
    }

    /// 1 in each byte that is a comma, of bytes below 0x80.
    @inline(__always)
    private static func commas(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
        let others = (pair ^ UInt64(UInt8(ascii: ",")) &* ones) &+ 0x7F &* ones
        return (~others &>> 7) & ones
    }

    @inline(__always)
    private static func commas(_ word: UInt64) -> UInt64 {
        let others = (word ^ UInt64(UInt8(ascii: ",")) &* ones) &+ 0x7F &* ones
        return (~others >> 7) & ones
    }

    /// The lowest bit of each byte, side by side: no two of the product's terms meet.
    @inline(__always)
    static func gather(_ bits: UInt64) -> UInt64 {
        (bits &* 0x0102_0408_1020_4080) >> 56
    }

    /// The sum of all bytes.
    @inline(__always)
    private static func sum(_ pair: SIMD2<UInt64>) -> Int {
        let low: UInt64 = 0x00FF_00FF_00FF_00FF
        let lanes = (pair & low) &+ (pair &>> 8 & low)
        return Int(truncatingIfNeeded: ((lanes[0] &+ lanes[1]) &* 0x0001_0001_0001_0001) >> 48)
    }

    /// XOR of the bytes of a word.
    @inline(__always)
    static func fold(_ word: UInt64) -> UInt8 {
        let half = word ^ word >> 32
        let quarter = half ^ half >> 16
        return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
    }

    /// The high bit of each zero byte, and perhaps of bytes above one.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
}
