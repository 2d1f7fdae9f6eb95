// SPDX-License-Identifier: MIT

/// The digits of the numbers below 1000, which are most of those that are written.
struct SmallNumbers: Sendable {
    static let all = SmallNumbers()

    /// Up to three characters, the first in the lowest byte, and their count in the highest.
    private var words: [UInt32] = []

    private init() {
        for number in 0..<1000 {
            let digits = Array(String(number).utf8)
            var word = UInt32(digits.count) << 24
            for (index, digit) in digits.enumerated() { word |= UInt32(digit) << UInt32(8 * index) }
            words.append(word)
        }
    }

    /// The characters and their count; `nil` for other numbers.
    @inline(__always)
    subscript(number: Int) -> (characters: UInt64, count: Int)? {
        guard words.indices.contains(number) else { return nil }
        let word = words[number]
        return (UInt64(word & 0xFF_FFFF), Int(word >> 24))
    }
}
