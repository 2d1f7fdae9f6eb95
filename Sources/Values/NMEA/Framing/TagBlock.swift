// SPDX-License-Identifier: MIT
import GNSS

/// An NMEA 4 TAG block: parameters, such as source and time, that precede a sentence.
///
///     \s:mast,c:1715674530,g:1-2-33*hh\
public struct TagBlock: Hashable, Sendable {
    /// The fields between the backslashes, without the checksum, as sent.
    public var text: String

    package init(text: String) {
        self.text = text
    }

    /// The value of the field with the given letter; `nil` if the block does not have such a field.
    public subscript(code: Character) -> Substring? {
        for field in text.split(separator: ",") where field.dropFirst().first == ":" {
            if field.first == code { return field.dropFirst(2) }
        }
        return nil
    }

    /// The source of the sentence (`s`).
    public var source: String? { self["s"].map(String.init) }

    /// The destination of the sentence (`d`).
    package var destination: String? { self["d"].map(String.init) }

    /// The sentence number, the number of sentences in the group and the group number: `1-2-33`
    /// (`g`).
    package var group: String? { self["g"].map(String.init) }

    /// The line number (`n`).
    package var lineNumber: Int? { self["n"].flatMap { Int($0) } }

    /// The relative time (`r`). Its start and its unit depend on the sender.
    package var relativeTime: Int? { self["r"].flatMap { Int($0) } }

    /// A text (`t`).
    package var note: String? { self["t"].map(String.init) }

    /// The Unix time in milliseconds (`c`); `nil` if it is missing. Some senders use seconds, which
    /// are converted.
    public var unixMilliseconds: Int64? {
        guard let value = self["c"].flatMap({ Int64($0) }), value >= 0 else { return nil }
        // Seconds have ten digits until the year 2286, milliseconds have had more since 2001.
        return value < 100_000_000_000 ? value * 1000 : value
    }
}

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
