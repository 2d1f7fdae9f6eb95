// SPDX-License-Identifier: MIT

/// Text of any length that is written again and again: in words, the last one filled up with zeros.
struct PaddedText: Sendable {
    /// Eight characters each, the first in the lowest byte.
    let words: [UInt64]
    /// How many characters there are.
    let count: Int

    init(_ bytes: [UInt8]) {
        words = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<Swift.min(start + 8, bytes.count)].reversed()
                .reduce(0) { $0 << 8 | UInt64($1) }.littleEndian
        }
        count = bytes.count
    }
}
