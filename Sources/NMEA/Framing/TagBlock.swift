// SPDX-License-Identifier: MIT

/// A TAG block: parameters that precede a sentence.
///
///     \s:mast,c:1715674530,g:1-2-33*hh\
public struct TagBlock: Hashable, Sendable {
    /// The fields between the backslashes, without the checksum, as sent.
    public var text: String

    /// Creates a block from its text.
    package init(text: String) {
        self.text = text
    }

    /// The value of the field with a letter; `nil` if the block has no such field.
    public subscript(code: Character) -> Substring? {
        for field in text.split(separator: ",") where field.dropFirst().first == ":" {
            if field.first == code { return field.dropFirst(2) }
        }
        return nil
    }

    /// `s`: the source of the sentence.
    public var source: String? { self["s"].map(String.init) }

    /// `d`: the destination of the sentence.
    public var destination: String? { self["d"].map(String.init) }

    /// `g`: the sentence's number, the number of sentences in the group, and the group: `1-2-33`.
    public var group: String? { self["g"].map(String.init) }

    /// `n`: the line number.
    public var lineNumber: Int? { self["n"].flatMap { Int($0) } }

    /// `r`: time relative to a start chosen by the sender, in the sender's unit.
    public var relativeTime: Int? { self["r"].flatMap { Int($0) } }

    /// `t`: a text.
    public var note: String? { self["t"].map(String.init) }

    /// `c`: Unix time in milliseconds; seconds are converted, since senders use either.
    public var unixMilliseconds: Int64? {
        guard let value = self["c"].flatMap({ Int64($0) }), value >= 0 else { return nil }
        // Seconds have ten digits until the year 2286, milliseconds have had more since 2001.
        return value < 100_000_000_000 ? value * 1000 : value
    }
}
