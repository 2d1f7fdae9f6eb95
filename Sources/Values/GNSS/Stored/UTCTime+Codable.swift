// SPDX-License-Identifier: MIT

extension UTCTime: Codable {
    /// Writes the time in ISO 8601, with three decimals or, if they are not exact, nine:
    /// `"2026-03-21T10:15:20.250Z"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(iso8601)
    }

    /// Reads a time in ISO 8601, in UTC or with an offset from UTC. Throws `DecodingError` if the
    /// text is not valid.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("time") { UTCTime(iso8601: $0) }
    }

    private var iso8601: String {
        let decimals = time.nanosecond % 1_000_000 == 0 ? 3 : 9
        return TextBuffer.text { $0.append(iso8601: self, decimals: decimals) }
    }

    fileprivate static let dateLength = 10
    fileprivate static let epochDay = "1970-01-01T"

    fileprivate var dateText: String { String(iso8601.prefix(Self.dateLength)) }

    fileprivate var timeText: String { String(iso8601.dropFirst(Self.dateLength + 1).dropLast()) }
}

extension CalendarDate: Codable {
    /// Writes the date in ISO 8601: `"2026-03-21"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(UTCTime(date: self, time: TimeOfDay(wrapping: 0)).dateText)
    }

    /// Reads a date as written by `encode(to:)`. Throws `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("date") { text in
            text.utf8.count == UTCTime.dateLength
                ? UTCTime(iso8601: text + "T00:00:00Z")?.date : nil
        }
    }
}

extension TimeOfDay: Codable {
    /// Writes the time of day in ISO 8601, with three decimals or, if they are not exact, nine:
    /// `"10:15:20.250"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(
            CalendarDate(daysSince1970: 0).map { UTCTime(date: $0, time: self).timeText })
    }

    /// Reads a time of day as written by `encode(to:)`. Throws `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("time of day") { text in
            // An offset is not accepted, because the time might then belong to another day.
            let isPlain = text.utf8.allSatisfy { UInt8(ascii: ".")...UInt8(ascii: ":") ~= $0 }
            return isPlain ? UTCTime(iso8601: UTCTime.epochDay + text)?.time : nil
        }
    }
}

extension Decoder {
    /// Reads a string and converts it with `read`. Throws `DecodingError` if `read` returns `nil`.
    fileprivate func text<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = read(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a \(name): '\(text)'")
        }
        return value
    }
}
