// SPDX-License-Identifier: MIT

extension TextBuffer {
    /// Appends an instant in ISO 8601 with 1 to 9 decimals: `2026-03-23T12:35:19.000Z`. Further
    /// decimals are truncated; rounding could give second 60.
    package mutating func append(iso8601 instant: UTCTime, decimals: Int = 3) {
        append(atMost: 40) { room, start in
            Self.put(iso8601: instant, decimals: decimals, in: &room, at: start)
        }
    }

    /// Stores an instant in ISO 8601 with 1 to 9 decimals in `room` from `start`. Returns the index
    /// after it.
    package static func put(
        iso8601 instant: UTCTime, decimals: Int, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        let (date, time) = (instant.date, instant.time)
        let (century, year) = UInt16(date.year).quotientAndRemainder(dividingBy: 100)
        // Each call stores an excess byte, which the next one overwrites.
        var end = put(twoDigits: Int(century), "0", in: &room, at: start) &- 1
        end = put(twoDigits: Int(year), "-", in: &room, at: end)
        end = put(twoDigits: date.month, "-", in: &room, at: end)
        end = put(twoDigits: date.day, "T", in: &room, at: end)
        end = put(clock: time, in: &room, at: end)
        let (digits, last) = UInt64(time.nanosecond).quotientAndRemainder(dividingBy: 10)
        room.storeBytes(
            of: Digits(digits).last(8).littleEndian, toByteOffset: end, as: UInt64.self)
        room.storeBytes(
            of: 0x30 | UInt8(truncatingIfNeeded: last), toByteOffset: end &+ 8, as: UInt8.self)
        return put("Z", in: &room, at: end &+ min(9, decimals))
    }

    /// Stores a time of day in `room` from `start` as `10:15:20.`, with a point for a fraction.
    /// Returns the index after it.
    @inline(__always)
    private static func put(
        clock time: TimeOfDay, in room: inout MutableRawSpan, at start: Int
    ) -> Int {
        var end = put(twoDigits: time.hour, ":", in: &room, at: start)
        end = put(twoDigits: time.minute, ":", in: &room, at: end)
        return put(twoDigits: time.second, ".", in: &room, at: end)
    }

    /// Appends a time of day with its second truncated: `10:15:20`.
    package mutating func append(clock time: TimeOfDay) {
        append(atMost: 9) { room, start in Self.put(clock: time, in: &room, at: start) &- 1 }
    }

    /// Stores a number below 100 as two digits, followed by a character, in `room` from `start`.
    /// Returns the index after them.
    @inline(__always)
    private static func put(
        twoDigits value: Int, _ character: Unicode.Scalar, in room: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        let (tens, ones) = UInt8(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
        let digits = UInt32(tens) | UInt32(ones) << 8 | character.value << 16
        room.storeBytes(of: (0x3030 | digits).littleEndian, toByteOffset: start, as: UInt32.self)
        return start &+ 3
    }
}

extension TimeOfDay {
    /// The time as `10:15:20`, with its second truncated.
    package var clock: String { TextBuffer.text { $0.append(clock: self) } }
}

extension UTCTime {
    /// The instant in ISO 8601 with milliseconds: `2026-03-23T12:35:19.000Z`.
    public var description: String { TextBuffer.text { $0.append(iso8601: self) } }

    /// Creates the instant from ISO 8601: `2026-03-23T12:35:19.5Z`, or with an offset such as
    /// `+02:00`, `+0200` or `+02`. Without `Z` and offset, the time is UTC. A space may replace the
    /// `T`. Returns `nil` for any other text.
    package init?(iso8601 text: some StringProtocol) {
        var scanner = DigitScanner(Substring(text).utf8)
        guard let year = scanner.number(of: 4), scanner.skip("-"),
            let month = scanner.number(of: 2), scanner.skip("-"),
            let day = scanner.number(of: 2), scanner.skip("T", or: "t") || scanner.skip(" "),
            let hour = scanner.number(of: 2), scanner.skip(":"),
            let minute = scanner.number(of: 2), scanner.skip(":"),
            let second = scanner.number(of: 2), second <= 60,
            let fraction = scanner.skip(".", or: ",") ? scanner.nanoseconds() : 0,
            let date = CalendarDate(year: year, month: month, day: day),
            // The minute of a leap second depends on the offset.
            let time = TimeOfDay(
                hour: hour, minute: minute, second: min(second, 59), nanosecond: fraction),
            let offset = scanner.minutesOfOffset()
        else { return nil }
        let shifted = time.nanoseconds - Int64(offset) * 60_000_000_000
        let days = shifted < 0 ? -1 : shifted >= TimeOfDay.day ? 1 : 0
        guard let utcDate = CalendarDate(daysSince1970: date.daysSince1970 + days) else {
            return nil
        }
        self.init(date: utcDate, time: TimeOfDay(wrapping: shifted))
        guard second == 60 else { return }
        guard
            let leap = TimeOfDay(
                hour: self.time.hour, minute: self.time.minute, second: 60, nanosecond: fraction)
        else { return nil }
        self.time = leap
    }
}

/// Reads digits and punctuation from the start of a string.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number of exactly `count` digits; returns `nil` if there are fewer.
    mutating func number(of count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count else { return nil }
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(count)
        return number
    }

    /// Reads the digits of a fraction of a second, and returns the fraction in nanoseconds; `nil`
    /// without digits. Digits beyond nanoseconds are ignored.
    mutating func nanoseconds() -> Int? {
        var number = 0
        var count = 0
        while let digit = self.number(of: 1) {
            if count < 9 { number = number * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(9, count)..<9 { number *= 10 }
        return number
    }

    /// Reads the offset from UTC at the end of the text, in minutes east; 0 for `Z` or no text.
    /// Returns `nil` for any other text.
    mutating func minutesOfOffset() -> Int? {
        if isAtEnd || skip("Z", or: "z") { return isAtEnd ? 0 : nil }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(of: 2), hours <= 14 else { return nil }
        guard !isAtEnd else { return isEast ? hours * 60 : -hours * 60 }
        _ = skip(":")
        guard let minutes = number(of: 2), minutes < 60, isAtEnd else { return nil }
        return (hours * 60 + minutes) * (isEast ? 1 : -1)
    }

    /// Skips `sign` or `other` if one of them is the next character. Returns whether it was.
    mutating func skip(_ sign: Unicode.Scalar, or other: Unicode.Scalar) -> Bool {
        skip(sign) || skip(other)
    }

    /// Skips `sign` if it is the next character. Returns whether it was.
    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard let next = rest.first, UInt32(next) == sign.value else { return false }
        rest = rest.dropFirst()
        return true
    }
}
