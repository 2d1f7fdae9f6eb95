// SPDX-License-Identifier: MIT
import GNSS

extension TagBlock {
    /// The result of checking for a TAG block at an index.
    enum Recognition {
        /// A block and its length in bytes. The block is `nil` if its checksum is wrong.
        case block(TagBlock?, count: Int)
        /// Bytes that may be the beginning of a block. More bytes are needed.
        case incomplete
        case none
    }

    /// The maximum length in bytes. The standard allows 80, but some senders exceed that.
    private static let maximumLength = 256

    /// Checks whether a TAG block, `\…*hh\`, begins at `start`.
    static func recognise(_ bytes: Span<UInt8>, at start: Int) -> Recognition {
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\\") {
            guard 0x20...0x7E ~= bytes[end], bytes[end] != UInt8(ascii: "$"),
                bytes[end] != UInt8(ascii: "!"), end - start < maximumLength
            else { return .none }
            end += 1
        }
        guard end < bytes.count else { return .incomplete }
        let count = end + 1 - start
        guard count > 2 else { return .none }
        let star = end - 3
        guard star > start, bytes[star] == UInt8(ascii: "*"),
            let sum = Hexadecimal.value(bytes[star + 1], bytes[star + 2]),
            WordScan.body(bytes, from: start + 1, to: star).sum == sum
        else { return .block(nil, count: count) }
        var text: [UInt8] = []
        for i in start + 1..<star { text.append(bytes[i]) }
        return .block(TagBlock(text: String(decoding: text, as: UTF8.self)), count: count)
    }
}
