// SPDX-License-Identifier: MIT

/// Up to sixteen characters that are written as they are, made ready once.
struct JSONPiece: ExpressibleByStringLiteral, Sendable {
    /// The first eight characters, the first in the lowest byte.
    let low: UInt64
    let high: UInt64
    let count: Int

    init(stringLiteral text: StaticString) {
        let bytes = text.withUTF8Buffer { Array($0.prefix(16)) }
        self.init(bytes[...])
    }

    /// Takes up to sixteen characters.
    init(_ bytes: ArraySlice<UInt8>) {
        var words: (low: UInt64, high: UInt64) = (0, 0)
        for byte in bytes.reversed() {
            words.high = words.high << 8 | words.low >> 56
            words.low = words.low << 8 | UInt64(byte)
        }
        (low, high) = words
        count = bytes.count
    }
}
