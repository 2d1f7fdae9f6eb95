// SPDX-License-Identifier: MIT

/// The digits of the numbers below 1000, which are most of those that are written: worked out anew,
/// they cost 9 % of `convert --to json`.
struct SmallNumbers: Sendable {
    static let all = SmallNumbers()

    /// Up to three characters and `.0`, the first in the lowest byte, and in the highest byte how many
    /// come before the point.
    private var words: [UInt64] = []

    private init() {
        for number in 0..<1000 {
            let digits = Array(String(number).utf8)
            var word = UInt64(digits.count) << 56
            for (index, digit) in (digits + Array(".0".utf8)).enumerated() {
                word |= UInt64(digit) << UInt64(8 * index)
            }
            words.append(word)
        }
    }

    /// The characters, with `.0` behind them, and their count without it; `nil` for other numbers.
    @inline(__always)
    subscript(number: Int) -> (characters: UInt64, count: Int)? {
        guard words.indices.contains(number) else { return nil }
        let word = words[number]
        return (word, Int(truncatingIfNeeded: word >> 56))
    }
}
