// SPDX-License-Identifier: MIT
import GNSS

extension TagBlock {
    /// What stands at a place where a TAG block may begin.
    enum Recognition {
        /// A block with a right checksum, or `nil` for one with a wrong one; and its length.
        case block(TagBlock?, count: Int)
        /// It may be a block: its end has not come yet.
        case incomplete
        case none
    }

    /// The standard allows 80 bytes; some writers send more.
    private static let maximumLength = 256

    /// Looks for `\…*hh\`.
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
