// SPDX-License-Identifier: MIT
import CGPSLanes

/// Scans the bytes of a sentence several at a time: sixteen to find its end, and eight to find its
/// fields. Loads are checked against the bounds of the span.
enum WordScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The result of scanning for the end of a sentence.
    struct Body {
        /// The first index whose byte is not valid in a sentence's body.
        var end: Int
        /// The XOR of the bytes before `end`.
        var sum: UInt8 = 0
        /// The marks of the commas before `end`.
        var commas = CommaMarks()
    }

    /// Returns the eight bytes from an index, with the first in the lowest byte. Bytes after the
    /// end of the span are zero.
    @inline(__always)
    static func load(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        guard index >= 0, index <= bytes.count &- 8 else { return loadLast(bytes, from: index) }
        // Safety: the eight bytes are within bounds, as checked above.
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: index, as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// Returns the sixteen bytes from an index; see `load`.
    @inline(__always)
    static func loadPair(_ bytes: Span<UInt8>, at index: Int) -> SIMD2<UInt64> {
        guard index >= 0, index <= bytes.count &- 16 else {
            return loadLastPair(bytes, from: index)
        }
        // Safety: the sixteen bytes are within bounds, as checked above.
        return unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: index, as: SIMD2<UInt64>.self)
    }

    @inline(never)
    private static func loadLastPair(_ bytes: Span<UInt8>, from index: Int) -> SIMD2<UInt64> {
        SIMD2(loadLast(bytes, from: index), loadLast(bytes, from: index &+ 8))
    }

    @inline(never)
    static func loadLast(_ bytes: Span<UInt8>, from start: Int) -> UInt64 {
        var word: UInt64 = 0
        var i = min(start &+ 8, bytes.count)
        while i > start {
            i -= 1
            word = word << 8 | UInt64(bytes[i])
        }
        return word
    }

    /// Scans the body of a sentence of at most the standard length. Returns `nil` if the body is
    /// longer, or if fewer than 80 bytes are available.
    ///
    /// If the byte at the `end` of the returned body is not a line end, it may be a rare but valid
    /// character. The sentence's body may then continue after it.
    @inline(__always)
    static func fastPathBody(_ bytes: Span<UInt8>, from start: Int) -> Body? {
        // The 82 characters of the standard include `$`, CR and LF, so 79 and the line end remain.
        guard start <= bytes.count &- 80, start >= 0 else { return nil }
        let raw = bytes.bytes
        var pair = SIMD2<UInt64>()
        var folded = SIMD2<UInt64>()
        var counted = SIMD2<UInt64>()
        var marks: UInt64 = 0
        var passed = 0
        @inline(__always)
        func delimiterMask(_ piece: Int) -> UInt32 {
            // Safety: piece is 0 to 4, and eighty bytes are within bounds, as checked above.
            pair = unsafe raw.unsafeLoadUnaligned(
                fromUncheckedByteOffset: start &+ 16 &* piece, as: SIMD2<UInt64>.self)
            return clanes_delimiters(pair)
        }
        @inline(__always)
        func pass(_ piece: Int) {
            passed = 16 &* (piece &+ 1)
            folded ^= pair
            counted = clanes_count(counted, pair)
            marks |= UInt64(clanes_commas(pair)) << UInt64(16 &* piece)
        }
        var ending = delimiterMask(0)
        for piece in 0..<4 where ending == 0 {
            pass(piece)
            ending = delimiterMask(piece &+ 1)
        }
        guard ending != 0 else { return nil }
        let count = ending.trailingZeroBitCount
        pair = clanes_first(pair, UInt8(truncatingIfNeeded: count))
        folded ^= pair
        counted = clanes_count(counted, pair)
        let last = UInt64(clanes_commas(pair))
        var body = Body(end: start &+ passed &+ count)
        body.commas =
            passed == 64
            ? CommaMarks(low: marks, high: last)
            : CommaMarks(low: marks | last &<< UInt64(passed), high: 0)
        body.commas.count = Int(clanes_sum(counted))
        body.sum = fold(folded[0] ^ folded[1])
        return body
    }

    /// Scans a sentence's body from `start`, two words at a time.
    @inline(never)
    static func body(_ bytes: Span<UInt8>, from start: Int) -> Body {
        var body = Body(end: start)
        var folded = SIMD2<UInt64>()
        while true {
            // After the last byte, zeros are loaded, which also end the body.
            var pair = loadPair(bytes, at: body.end)
            let nonPrintable = clanes_non_printable(pair)
            let count = nonPrintable == 0 ? 16 : nonPrintable.trailingZeroBitCount
            if nonPrintable != 0 { pair = clanes_first(pair, UInt8(truncatingIfNeeded: count)) }
            folded ^= pair
            body.commas.add(UInt64(clanes_commas(pair)), at: body.end &- start)
            body.end &+= count
            guard nonPrintable == 0 else { break }
        }
        body.sum = fold(folded[0] ^ folded[1])
        return body
    }

    /// Returns the body from `start` to `end`, even if it contains bytes that usually end a body.
    static func body(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Body {
        var body = Body(end: end)
        for i in start..<end {
            body.sum ^= bytes[i]
            if bytes[i] == UInt8(ascii: ",") { body.commas.add(1, at: i - start) }
        }
        return body
    }

    /// Returns one bit for each of the 64 bytes from `start`, set for commas before `end`.
    static func commas(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
        var marks: UInt64 = 0
        for i in start..<max(start, min(start + 64, end)) where bytes[i] == UInt8(ascii: ",") {
            marks |= 1 << UInt64(i - start)
        }
        return marks
    }

    /// Returns a mask in which all bits of the first `count` bytes are set. `count` is 0 to 7.
    @inline(__always)
    static func first(_ count: Int) -> UInt64 {
        (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
    }

    /// Returns the index of the first byte in a word that equals `byte`; 8 if there is none.
    @inline(__always)
    static func first(_ byte: UInt8, in word: UInt64) -> Int {
        zeros(word ^ UInt64(byte) &* ones).trailingZeroBitCount / 8
    }

    /// Returns the XOR of the bytes of a word.
    @inline(__always)
    static func fold(_ word: UInt64) -> UInt8 {
        let half = word ^ word >> 32
        let quarter = half ^ half >> 16
        return UInt8(truncatingIfNeeded: quarter ^ quarter >> 8)
    }

    /// Returns a word with the high bit of each zero byte set. Bytes above a zero byte may also be
    /// marked.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }
}
