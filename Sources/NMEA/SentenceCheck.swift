// SPDX-License-Identifier: MIT

/// The verdict on the bytes between a start character and what ended them.
enum SentenceCheck {
    /// Where the parts of an accepted sentence end.
    struct Body {
        var addressEnd: Int
        var end: Int
        var textEnd: Int
        var commas: Int
    }

    case accepted(Body)
    case rejected(Rejection.Reason)

    /// Checks `bytes[start..<end]`, of which the first is the start character.
    ///
    /// Where the next sentence follows without a line end, only a right checksum tells a whole
    /// sentence from a fragment, whatever the policy.
    init(_ bytes: Span<UInt8>, start: Int, end: Int, isGlued: Bool, policy: ChecksumPolicy) {
        let first = start + 1
        let star = Self.lastStar(bytes, from: first, to: end)
        let bodyEnd = star ?? end
        var addressEnd = first
        while addressEnd < bodyEnd, bytes[addressEnd] != UInt8(ascii: ",") { addressEnd += 1 }
        guard addressEnd > first else {
            self = .rejected(.emptyBody)
            return
        }
        let (sum, commas) = WordScan.sum(bytes, from: first, to: bodyEnd)
        var body = Body(addressEnd: addressEnd, end: bodyEnd, textEnd: end, commas: commas)
        let fault: Rejection.Reason?
        if let star {
            if star + 2 < end, let high = hexValue(bytes[star + 1]),
                let low = hexValue(bytes[star + 2])
            {
                body.textEnd = star + 3
                fault = sum == high << 4 | low ? nil : .badChecksum
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

    /// The last `*`: text may contain one. Nearly always it stands three bytes before the end.
    private static func lastStar(_ bytes: Span<UInt8>, from first: Int, to end: Int) -> Int? {
        var i = end - 1
        while i >= first {
            if bytes[i] == UInt8(ascii: "*") { return i }
            i -= 1
        }
        return nil
    }
}

/// The value of a hexadecimal digit of either case.
func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
}
