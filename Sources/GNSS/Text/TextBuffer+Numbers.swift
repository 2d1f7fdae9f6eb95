// SPDX-License-Identifier: MIT

// Numbers become text here and nowhere else.
extension TextBuffer {
    /// Appends a whole number, padded with zeros to `width` digits.
    package mutating func append(integer value: Int, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: UInt64(value.magnitude), width: width)
    }

    /// Appends a number with that many decimals (0 to 18), rounded half away from zero, and at least
    /// `width` digits before the point. Zero has no sign; a number with more than 18 digits is left
    /// out, and so are infinity and NaN.
    package mutating func append(fixed value: Double, decimals: Int, width: Int = 1) {
        let scaled = value.magnitude * powerOfTen(decimals)
        guard scaled < 1e18 else { return }
        // As `rounded()` does, which is a call into the mathematics library.
        let floor = Int64(scaled)
        let all = UInt64(floor) &+ (scaled - Double(floor) >= 0.5 ? 1 : 0)
        if value < 0, all > 0 { append(UInt8(ascii: "-")) }
        guard decimals > 0 else { return append(digits: all, width: width) }
        guard all < Digits.limit, decimals &+ width <= 8 else {
            let unit = UInt64(powerOfTen(decimals))
            append(digits: all / unit, width: width)
            append(UInt8(ascii: "."))
            return append(digits: all % unit, width: decimals)
        }
        let digits = Digits(all)
        let count = max(digits.significant, decimals &+ width)
        let word = digits.last(count)
        let whole = count &- decimals
        append(word: word, count: whole)
        append(UInt8(ascii: "."))
        append(word: word &>> UInt64(truncatingIfNeeded: 8 &* whole), count: decimals)
    }

    private mutating func append(digits value: UInt64, width: Int) {
        guard value >= Digits.limit || width > 8 else {
            let digits = Digits(value)
            let count = max(digits.significant, width, 1)
            return append(word: digits.last(count), count: count)
        }
        append(digits: value / Digits.limit, width: width &- 8)
        append(word: Digits(value % Digits.limit).last(8), count: 8)
    }
}

extension String {
    /// The number with that many decimals, 0 to 9; `nan`, and `huge` beyond 18 digits.
    package init(_ value: Double, decimals: Int) {
        let decimals = Swift.min(9, Swift.max(0, decimals))
        guard value.magnitude * powerOfTen(decimals) < 9e17 else {
            self = value.isNaN ? "nan" : value < 0 ? "-huge" : "huge"
            return
        }
        self = TextBuffer.text { $0.append(fixed: value, decimals: decimals) }
    }

    /// The number with that many decimals, without zeros at its end.
    package init(_ value: Double, atMostDecimals decimals: Int) {
        self.init(value, decimals: decimals)
        guard contains(".") else { return }
        while hasSuffix("0") { removeLast() }
        if hasSuffix(".") { removeLast() }
    }

    /// The number with zeros in front, up to a width.
    package init(_ value: Int, width: Int) {
        self = TextBuffer.text { $0.append(integer: value, width: width) }
    }
}

/// 10 to the power of 0 to 18; exact in a double.
@inline(__always)
private func powerOfTen(_ exponent: Int) -> Double {
    powersOfTen[exponent]
}

private let powersOfTen: InlineArray<19, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
]
