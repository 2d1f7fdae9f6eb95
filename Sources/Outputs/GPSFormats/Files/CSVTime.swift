// SPDX-License-Identifier: MIT
import GNSS

/// A time in a table of another program.
enum CSVTime: Equatable {
    case known(UTCTime)
    /// An instant that does not exist, which means an unknown time.
    case unknown
    /// A number that is not a Unix time, such as the seconds since the start of a recording.
    case elapsed
    /// A number in a column of GPS time. It may be Unix time, or seconds of GPS time, whose epoch is
    /// ten years later.
    case uncertain

    /// The meaning of numbers in a column that are not Unix times.
    enum Numbers {
        /// Dates with all their digits, such as `20260321120000.000`.
        case digits
        /// Counts since the start of a recording. Nanoseconds may look like digits of a date.
        case counts
        /// Seconds of GPS time.
        case gps
        /// Days, as spreadsheets store dates.
        case days
    }

    /// Parses ISO 8601 and similar forms, a Unix time in seconds, milliseconds, microseconds or
    /// nanoseconds, and a date whose day and month cannot be confused. Returns `nil` for other text.
    ///
    /// `offset` is that of times without one of their own: `+02:00`; an empty text for UTC.
    init?(_ text: String, offset: String = "", numbers: Numbers = .digits) {
        let text = text.trimmed
        // A text with two offsets is not a time.
        if !offset.isEmpty,
            let time = UTCTime(written: text + offset) ?? Self.dateAndTime("\(text) \(offset)")
        {
            self = .known(time)
        } else if let time = UTCTime(written: text) {
            self = .known(time)
        } else if UTCTime.isImpossible(written: text) {
            self = .unknown
        } else if numbers != .counts, let time = Self.digits(text, offset) {
            self = .known(time)
        } else if let number = Double(decimal: text.replacing(",", with: ".")) {
            let text = text.replacing(",", with: ".")
            let days = numbers == .days && offset.isEmpty ? Self.days(text, number) : nil
            let time = Self.unixTime(text, number) ?? days
            self = time.map { numbers == .gps ? .uncertain : .known($0) } ?? .elapsed
        } else if let time = Self.dateAndTime(text) {
            self = .known(time)
        } else {
            return nil
        }
    }

    /// Returns the instant in a JSON value: ISO 8601 or a Unix time, as text or as a number.
    static func instant(_ value: JSONScalar) -> UTCTime? {
        switch value {
        case .number(let number): unixTime("\(number)", number)
        case .string(let text):
            UTCTime(written: text) ?? Double(decimal: text).flatMap { unixTime(text, $0) }
        default: nil
        }
    }

    /// Returns the instant that a Unix time identifies. Its unit follows from its size: between
    /// 1990 and 2100, the ranges of the units do not overlap. Returns `nil` for other numbers.
    private static func unixTime(_ text: String, _ number: Double) -> UTCTime? {
        let scales: [(unit: Double, nanoseconds: Int64)] = [
            (1, 1_000_000_000), (1e3, 1_000_000), (1e6, 1000), (1e9, 1),
        ]
        let range = 631_152_000.0..<4_102_444_800
        guard let scale = scales.first(where: { range.contains(number / $0.unit) }) else {
            return nil
        }
        let digits = text.prefix { $0.isNumber }
        guard let whole = Int64(digits), text.allSatisfy({ $0.isNumber || $0 == "." }) else {
            // A number with an exponent. Doubles near the present differ by 0.2 µs.
            let microseconds = (number / scale.unit * 1e6).rounded(.down)
            return Int64(exactly: microseconds).flatMap { UTCTime(unixNanoseconds: $0 * 1000) }
        }
        var (nanoseconds, rest) = (whole * scale.nanoseconds, scale.nanoseconds)
        for digit in text.dropFirst(digits.count + 1) {
            rest /= 10
            nanoseconds += Int64(digit.wholeNumberValue ?? 0) * rest
        }
        return UTCTime(unixNanoseconds: nanoseconds)
    }

    /// Returns the instant in a text such as `20260321120000.000`, as the modules of SIMCom write it.
    /// It is too large for Unix time in milliseconds, and too small for microseconds.
    private static func digits(_ text: String, _ offset: String) -> UTCTime? {
        guard text.prefix(while: { "0"..."9" ~= $0 }).count == 14,
            ("1990"..."2099").contains(String(text.prefix(4)))
        else { return nil }
        let text = "\(text.prefix(8))T\(text.dropFirst(8))"
        return UTCTime(written: text + offset) ?? UTCTime(written: text)
    }

    /// Returns the instant that a number of days since 30 December 1899 identifies. Six decimals, with
    /// which gpsbabel writes it, are exact to 0.1 s, and eight to 1 ms. With fewer, the time of
    /// day is not known.
    private static func days(_ text: String, _ number: Double) -> UTCTime? {
        let decimals = text.drop { $0 != "." }.count - 1
        guard 32_874..<73_051 ~= number, decimals >= 6 else { return nil }
        let milliseconds = decimals < 8 ? 100.0 : 1
        let count = ((number - 25_569) * 86_400_000 / milliseconds).rounded()
        return UTCTime(unixNanoseconds: Int64(count * milliseconds) * 1_000_000)
    }

    /// Returns the time of day in a text such as `12:35:19.5` or, if it has only digits, `123519`;
    /// `nil` for other text. `offset` is as in the initializer.
    static func timeOfDay(_ text: String, offset: String = "") -> TimeOfDay? {
        let text = "2000-01-02T\(clock(text.trimmed))"
        return (UTCTime(iso8601: text + offset) ?? UTCTime(iso8601: text))?.time
    }

    /// Returns a date and a time of day as one text. Six digits are `hhmmss`, eight `yyyymmdd`, and,
    /// if `isYearFirst`, six are `yymmdd`.
    static func join(_ date: String, _ time: String, isYearFirst: Bool) -> String {
        let digits = Array(date.trimmed)
        guard digits.allSatisfy({ "0"..."9" ~= $0 }),
            digits.count == 8 || digits.count == 6 && isYearFirst
        else { return date + " " + time }
        let century = digits.count == 6 ? "20" : ""
        let (month, day) = (digits.suffix(4).prefix(2), digits.suffix(2))
        return "\(century)\(String(digits.dropLast(4)))-\(String(month))-\(String(day)) "
            + clock(time.trimmed)
    }

    /// Returns a time of day with colons between its digits.
    private static func clock(_ text: String) -> String {
        let digits = text.prefix { "0"..."9" ~= $0 }
        let rest = text.dropFirst(digits.count)
        guard digits.count == 6, rest.isEmpty || rest.first == "." else { return text }
        return "\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2)):\(digits.suffix(2))\(rest)"
    }

    /// Parses a date in another order than ISO 8601 with a time of day, such as
    /// `21.03.2026 9:05:07 PM`.
    private static func dateAndTime(_ text: String) -> UTCTime? {
        var parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 2, let date = date(parts.removeFirst()) else { return nil }
        var time = parts.removeFirst()
        var noon: Int?
        switch parts.first?.lowercased() {
        case "am", "a.m.": noon = 0
        case "pm", "p.m.": noon = 12
        default: break
        }
        if noon != nil { parts.removeFirst() }
        switch parts.first?.lowercased() {
        case "utc", "gmt", "z": time += "Z"
        case let zone? where "+-".contains(zone.prefix(1)): time += zone
        case nil: break
        default: return nil
        }
        guard parts.count <= 1 else { return nil }
        // ISO 8601 has two digits for the hour, and seconds.
        let clock = time.prefix { $0.isNumber || $0 == ":" }
        var numbers = clock.split(separator: ":", omittingEmptySubsequences: false)
            .map(String.init)
        guard 2...3 ~= numbers.count, numbers.allSatisfy({ 1...2 ~= $0.count }),
            var hour = Int(numbers[0])
        else { return nil }
        if let noon {
            guard 1...12 ~= hour else { return nil }
            hour = hour % 12 + noon
        }
        numbers[0] = "\(hour)"
        if numbers.count == 2 { numbers.append("00") }
        let padded = numbers.map { $0.count == 1 ? "0" + $0 : $0 }.joined(separator: ":")
        return UTCTime(written: "\(date)T\(padded)\(time.dropFirst(clock.count))")
    }

    /// Returns a date as `yyyy-mm-dd`. With points, the day comes first. With slashes and hyphens,
    /// the order of day and month depends on the country, so one of them must be above 12.
    private static func date(_ text: String) -> String? {
        guard let mark = text.first(where: { "./-".contains($0) }) else { return nil }
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        let year: Int
        let month: Int
        let day: Int
        if parts[0].count == 4 {
            (year, month, day) = (numbers[0], numbers[1], numbers[2])
        } else if parts[2].count == 4, mark == "." || numbers[0] > 12 || numbers[0] == numbers[1] {
            (day, month, year) = (numbers[0], numbers[1], numbers[2])
        } else if parts[2].count == 4, numbers[1] > 12 {
            (month, day, year) = (numbers[0], numbers[1], numbers[2])
        } else {
            return nil
        }
        guard CalendarDate(year: year, month: month, day: day) != nil else { return nil }
        return "\(year)-\(String(month, width: 2))-\(String(day, width: 2))"
    }

    // MARK: Columns

    /// Returns the offset from UTC in the name of a column, such as `utc`, `utc+2`, `gmt-5` or
    /// `+05:30` in lower case: `+02:00`, or an empty text for UTC. Returns `nil` for other text.
    static func offset(_ note: String) -> String? {
        var rest = note.filter { $0 != " " }[...]
        for name in ["utc", "gmt", "zulu", "z"] where rest.hasPrefix(name) {
            rest = rest.dropFirst(name.count)
            if rest.isEmpty { return "" }
            break
        }
        guard let sign = rest.popFirst(), "+-\u{2212}±".contains(sign) else { return nil }
        var parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 1, rest.count == 4 { parts = [rest.prefix(2), rest.suffix(2)] }
        let numbers = parts.map { $0.allSatisfy { "0"..."9" ~= $0 } ? Int($0) ?? 99 : 99 }
        guard 1...2 ~= parts.count, parts.allSatisfy({ 1...2 ~= $0.count }),
            numbers[0] <= 14, numbers.last ?? 0 < 60
        else { return nil }
        let minutes = numbers.count == 2 ? numbers[1] : 0
        if numbers[0] == 0, minutes == 0 { return "" }
        guard sign != "±" else { return nil }
        let hours = String(numbers[0], width: 2)
        return "\(sign == "+" ? "+" : "-")\(hours):\(String(minutes, width: 2))"
    }

    /// Returns whether a note after the name of a column, in lower case, is the form or the unit of
    /// its times, such as `yyyy-mm-dd`, `unix` or `ms`, and not their zone, such as `mst`.
    static func isForm(_ note: String) -> Bool {
        func hasOnly(_ characters: String, and parts: [String]) -> Bool {
            note.allSatisfy(characters.contains) && parts.contains { note.contains($0) }
        }
        return units.contains(note.filter { $0 != "." })
            || hasOnly("dmyhs/:-. ", and: ["/", ":", "-"])
            || hasOnly("dmyhsfaptz/:-.,'+ ", and: ["yy", "mm", "dd", "hh", "ss"])
            || ["unix", "epoch", "posix", "iso", "rfc", "since"].contains { note.contains($0) }
    }

    /// The units of time, and other notes that do not name a zone.
    private static let units: Set<String> = [
        "sec", "secs", "second", "seconds", "msec", "millisecond", "milliseconds", "us", "\u{B5}s",
        "microsecond", "microseconds", "ns", "nanosecond", "nanoseconds", "min", "mins", "minutes",
        "hr", "hrs", "hour", "hours", "days", "elapsed", "24h", "am/pm", "",
        "s", "ms", "m", "h", "d", "dmy", "mdy", "ymd", "hms",
    ]
}
