// SPDX-License-Identifier: MIT
import GNSS

/// The result of checking the bytes between a start character and the end of the sentence.
enum SentenceCheck {
    /// The indices at which the parts of an accepted sentence end.
    struct Body {
        var addressEnd: Int
        var end: Int
        var textEnd: Int
        var commas: CommaMarks
    }

    case accepted(Body)
    case rejected(Rejection.Reason)

    /// Checks the sentence in `bytes[start..<found.end]`, which includes the start character.
    ///
    /// If the next sentence follows without a line end, every policy requires a valid checksum,
    /// because nothing else distinguishes a complete sentence from a fragment.
    @inline(__always)
    init(
        _ bytes: Span<UInt8>, start: Int, found: WordScan.Body, isGlued: Bool,
        policy: ChecksumPolicy
    ) {
        let star = found.end &- 3
        let tail = star > start ? WordScan.load(bytes, at: star) & 0xFF_FFFF : 0
        let sum = found.sum ^ WordScan.fold(tail)
        let address = found.commas.low.trailingZeroBitCount
        if tail == Self.checksum(sum), 1..<64 ~= address {
            self = .accepted(
                Body(
                    addressEnd: start &+ 1 &+ address, end: star, textEnd: found.end,
                    commas: found.commas))
            return
        }
        self.init(bytes, start: start, end: found.end, isGlued: isGlued, policy: policy)
    }

    /// Returns `*` and the two upper-case hexadecimal digits of a checksum in one word, with the
    /// first character in the lowest byte.
    @inline(__always)
    private static func checksum(_ sum: UInt8) -> UInt64 {
        func digit(_ value: UInt64) -> UInt64 { value &+ (value > 9 ? 0x37 : 0x30) }
        let high = digit(UInt64(sum >> 4))
        let low = digit(UInt64(sum & 15))
        return UInt64(UInt8(ascii: "*")) | high << 8 | low << 16
    }

    /// Checks a sentence whose checksum is missing, wrong, or not in the usual form.
    @inline(never)
    private init(
        _ bytes: Span<UInt8>, start: Int, end: Int, isGlued: Bool, policy: ChecksumPolicy
    ) {
        let first = start + 1
        let star = Self.lastStar(bytes, from: first, to: end)
        let bodyEnd = star ?? end
        var addressEnd = first
        while addressEnd < bodyEnd, bytes[addressEnd] != UInt8(ascii: ",") { addressEnd += 1 }
        guard addressEnd > first else {
            self = .rejected(.emptyBody)
            return
        }
        let found = WordScan.body(bytes, from: first, to: bodyEnd)
        var body = Body(addressEnd: addressEnd, end: bodyEnd, textEnd: end, commas: found.commas)
        let fault: Rejection.Reason?
        if let star {
            if star + 2 < end, let sum = Hexadecimal.value(bytes[star + 1], bytes[star + 2]) {
                body.textEnd = star + 3
                fault = found.sum == sum ? nil : .badChecksum
            } else {
                fault = .malformedChecksum
            }
        } else {
            fault = .noChecksum
        }
        switch (fault, policy) {
        case (nil, _): self = .accepted(body)
        case (_, _) where isGlued: self = .rejected(.truncated)
        case (_, .ignore), (.noChecksum, .acceptMissing): self = .accepted(body)
        case (let fault?, _): self = .rejected(fault)
        }
    }

    /// Returns the index of the last `*`, because text may contain others. It is nearly always
    /// three bytes before the end.
    private static func lastStar(_ bytes: Span<UInt8>, from first: Int, to end: Int) -> Int? {
        var i = end - 1
        while i >= first {
            if bytes[i] == UInt8(ascii: "*") { return i }
            i -= 1
        }
        return nil
    }
}
