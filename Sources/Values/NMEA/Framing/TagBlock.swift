// SPDX-License-Identifier: MIT

/// An NMEA 4 TAG block: parameters, such as source and time, that precede a sentence.
///
///     \s:mast,c:1715674530,g:1-2-33*hh\
public struct TagBlock: Hashable, Sendable {
    /// The fields between the backslashes, without the checksum, as sent.
    public var text: String

    /// Creates a block from its text.
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
    public var destination: String? { self["d"].map(String.init) }

    /// The sentence number, the number of sentences in the group and the group number: `1-2-33`
    /// (`g`).
    public var group: String? { self["g"].map(String.init) }

    /// The line number (`n`).
    public var lineNumber: Int? { self["n"].flatMap { Int($0) } }

    /// The relative time (`r`). Its start and its unit depend on the sender.
    public var relativeTime: Int? { self["r"].flatMap { Int($0) } }

    /// A text (`t`).
    public var note: String? { self["t"].map(String.init) }

    /// The Unix time in milliseconds (`c`); `nil` if it is missing. Some senders use seconds, which
    /// are converted.
    public var unixMilliseconds: Int64? {
        guard let value = self["c"].flatMap({ Int64($0) }), value >= 0 else { return nil }
        // Seconds have ten digits until the year 2286, milliseconds have had more since 2001.
        return value < 100_000_000_000 ? value * 1000 : value
    }
}
