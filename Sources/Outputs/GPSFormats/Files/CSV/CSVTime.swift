// SPDX-License-Identifier: MIT
import GNSS

/// A time in a table of another program.
enum CSVTime: Equatable {
    case known(UTCTime)
    /// An instant that does not exist, which means an unknown time.
    case unknown
    /// A number that is no Unix time, such as the seconds since the start of a recording.
    case elapsed

    /// Parses ISO 8601 and similar forms, a Unix time in seconds, milliseconds, microseconds or
    /// nanoseconds, and a date of which it is certain what is its day and what its month. Returns
    /// `nil` for other text.
    ///
    /// Times without an offset are UTC.
    init?(_ text: String) {
        let text = text.trimmed
        if UTCTime.isImpossible(written: text) {
            self = .unknown
        } else if let time = UTCTime(written: text) {
            self = .known(time)
        } else if let number = Double(decimal: text.replacing(",", with: ".")) {
            let time = Self.unixTime(text.replacing(",", with: "."), number)
            self = time.map { CSVTime.known($0) } ?? CSVTime.elapsed
        } else if let time = Self.dateAndTime(text) {
            self = .known(time)
        } else {
            return nil
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
        func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(pad(month))-\(pad(day))"
    }
}
