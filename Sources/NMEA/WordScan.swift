// SPDX-License-Identifier: MIT

/// Looking at eight bytes at a time. Loads are checked against the span's bounds.
enum WordScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// What is found on the way to a sentence's end.
    struct Body {
        /// The first index whose byte cannot stand in a sentence's body.
        var end: Int
        /// XOR of the bytes before it.
        var sum: UInt8 = 0
        /// How many commas are among them.
        var commas = 0
    }

    /// The eight bytes from an index on, the first in the lowest byte; zeros beyond the last one.
    @inline(__always)
    static func load(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        // The same words as in the load's own check, so that it is made once.
        let isInside = UInt(bitPattern: index) <= UInt(bitPattern: bytes.count)
        guard isInside, 8 <= bytes.count &- index else { return loadLast(bytes, from: index) }
        let raw = bytes.bytes
        return UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    @inline(never)
    private static func loadLast(_ bytes: Span<UInt8>, from start: Int) -> UInt64 {
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
        var end = start
        var folded = SIMD2<UInt64>()
        var others = SIMD2<UInt64>()
        let raw = bytes.bytes
        // Each byte of `others` counts to 255 at the most.
        let lastPair = min(bytes.count &- 16, start &+ 250 &* 16)
        while end <= lastPair {
            let pair = raw.unsafeLoadUnaligned(fromByteOffset: end, as: SIMD2<UInt64>.self)
            let found = strangers(pair)
            guard (found[0] | found[1]) & highs == 0 else { break }
            folded ^= pair
            others &+= notCommas(pair)
            end &+= 16
        }
        var body = Body(end: end, commas: (end &- start) &- sum(others[0]) &- sum(others[1]))
        var rest = folded[0] ^ folded[1]
        var word = load(bytes, at: end)
        var found = strangers(SIMD2(word, 0))[0] & highs
        while found == 0 {
            rest ^= word
            body.commas &+= commas(word)
            body.end &+= 8
            word = load(bytes, at: body.end)
            found = strangers(SIMD2(word, 0))[0] & highs
        }
        // Zeros beyond the last byte end the body as well.
        let count = found.trailingZeroBitCount / 8
        word &= 1 << UInt64(truncatingIfNeeded: 8 &* count) &- 1
        body.commas &+= commas(word)
        body.end &+= count
        body.sum = fold(rest ^ word)
        return body
    }

    /// XOR of the bytes, and how many commas are among them.
    static func sum(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> (UInt8, commas: Int) {
        var folded: UInt64 = 0
        var count = 0
        for i in stride(from: start, to: end, by: 8) {
            let word = load(bytes, at: i)
            let rest = end - i < 8 ? word & (1 << UInt64(8 * (end - i)) - 1) : word
            folded ^= rest
            count += commas(rest)
        }
        return (fold(folded), count)
    }

    /// The index of the first such byte in a word, 8 where there is none.
    @inline(__always)
    static func first(_ byte: UInt8, in word: UInt64) -> Int {
        zeros(word ^ UInt64(byte) &* ones).trailingZeroBitCount / 8
    }

    /// The high bit of each byte that cannot stand in a sentence's body, and perhaps of bytes above
    /// one: what is borrowed or carried only goes upwards. The other bits mean nothing.
    @inline(__always)
    private static func strangers(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
        let isControl = pair &- 0x20 &* ones
        let isDelete = pair &+ ones
        let isDollar = (pair ^ UInt64(UInt8(ascii: "$")) &* ones) &- ones
        let isBang = (pair ^ UInt64(UInt8(ascii: "!")) &* ones) &- ones
        return pair | isControl | isDelete | isDollar | isBang
    }

    /// 1 in each byte that is no comma, of bytes below 0x80.
    @inline(__always)
    private static func notCommas(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
        (((pair ^ UInt64(UInt8(ascii: ",")) &* ones) &+ 0x7F &* ones) &>> 7) & ones
    }

    /// How many commas there are among bytes below 0x80.
    @inline(__always)
    private static func commas(_ word: UInt64) -> Int {
        8 &- Int(truncatingIfNeeded: (notCommas(SIMD2(word, 0))[0] &* ones) >> 56)
    }

    /// The sum of a word's bytes.
    @inline(__always)
    private static func sum(_ word: UInt64) -> Int {
        let pairs = (word & 0x00FF_00FF_00FF_00FF) &+ (word >> 8 & 0x00FF_00FF_00FF_00FF)
        return Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) >> 48)
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
