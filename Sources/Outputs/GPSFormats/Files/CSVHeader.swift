// SPDX-License-Identifier: MIT
import GNSS

/// The columns of a CSV file, parsed from its first line.
package struct CSVHeader {
    /// The meaning of a column.
    enum Column: Hashable {
        case time, date, timeOfDay
        /// A property of a fix, identified by its index in `FixProperty.all`.
        case property(Int)
        case segment, origin
        /// Whether the position in the row is valid. Loggers with MediaTek chips write `No fix`
        /// here if they repeat an old position. Programs that copy NMEA's status write `V`.
        case validity
        /// The letter of the hemisphere (`N` or `S`, `E` or `W`) of an unsigned latitude or
        /// longitude.
        case northSouth, eastWest
        /// The name or the number of the track.
        case track
        /// Whether the row is a point of a track or a waypoint, as GPS Visualizer writes it.
        case kind
        /// The name and the description of a waypoint; the name also of a track.
        case name, description
    }

    /// The column for each accepted name, which is in lower case and without units and
    /// punctuation.
    private static let names = {
        var names: [String: Column] = [
            "time": .time, "timestamp": .time, "datetime": .time, "utc": .time, "fixtime": .time,
            "utctime": .time, "timeutc": .time, "gpstime": .time, "datetimeutc": .time,
            "isotime": .time, "tst": .time, "epoch": .time, "unixtime": .time,
            "unixtimestamp": .time, "locationtimestampsince1970": .time,
            "date": .date, "utcdate": .date, "dateutc": .date, "gpsdate": .date,
            "timeofday": .timeOfDay,
            "segment": .segment, "origin": .origin, "valid": .validity,
            "n/s": .northSouth, "latdir": .northSouth, "latitudedirection": .northSouth,
            "trackid": .track, "trackname": .track, "trackno": .track, "tracknumber": .track,
            "type": .kind, "tag": .kind, "name": .name, "desc": .description,
            "description": .description,
            "e/w": .eastWest, "londir": .eastWest, "longitudedirection": .eastWest,
        ]
        for (index, property) in FixProperty.all.enumerated()
        where property.cell != nil && property.cell != .voteCount {
            for name in [property.name.lowercased()] + property.aliases {
                names[name] = .property(index)
            }
        }
        return names
    }()

    /// The columns of latitude and longitude.
    private static let position = ["latitude", "longitude"].map { names[$0] }

    /// Returns whether a property is the latitude or the longitude.
    static func isPosition(_ property: FixProperty) -> Bool {
        property.name == "latitude" || property.name == "longitude"
    }

    /// Returns whether a column is the latitude or the longitude.
    static func isPosition(_ column: Column?) -> Bool { position.contains(column) }

    /// The properties that are read only from columns with a unit in their name, because in other
    /// programs' files, columns such as `log` and `depth` may have another meaning.
    private static let measured = Set(
        FixProperty.all.indices.filter { FixProperty.all[$0].cell == .instrument })

    let separator: UInt8
    let columns: [Column?]
    /// The numbers by which the values of columns in other units are multiplied.
    let factors: [Column: Double]
    /// The name of the first column of a known property with an unknown unit; `nil` if there is
    /// none.
    let unknownUnit: String?
    /// Whether the column of the mode is named `fix`. Its numbers may be the quality of GGA
    /// sentences, where 1 is a fix.
    let mayHaveQualityAsMode: Bool
    /// The number of columns, including those without a name at the end, which `columns` omits.
    let fieldCount: Int
    /// Whether dates and times have only digits, and the year comes first, as Columbus loggers write
    /// them.
    let isColumbus: Bool
    /// The index of the column of the course if it is named `track`, so that it may contain names or
    /// numbers of tracks; otherwise `nil`.
    let courseOrTrack: Int?
    /// The names of `columns`.
    private let names: [String]
    /// The columns that are read only if the rows have the kinds of GPS Visualizer.
    private static let optional: [Column?] = [.kind, .name, .description]

    /// Returns the names of the columns that are not read. `hasKinds` states whether a row is a point
    /// of a track or a waypoint.
    func unreadNames(hasKinds: Bool) -> [String] {
        // `CSVFormat` writes the name of the file in the column `source`.
        zip(names, columns).filter { $1 == nil || !hasKinds && Self.optional.contains($1) }
            .map { $0.0.filter { $0 != "\"" }.trimmed }.filter { !["", "source"].contains($0) }
    }

    /// Parses the first line of a file. Returns `nil` if it does not contain columns for latitude
    /// and longitude.
    package init?(_ line: ArraySlice<UInt8>) {
        let layouts = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
            .map { (separator: $0, names: Self.names(line, separatedBy: $0)) }
        guard let layout = layouts.max(by: { $0.names.count < $1.names.count }),
            layout.names.count > 1
        else { return nil }
        separator = layout.separator
        var names = layout.names
        fieldCount = names.count
        while names.count > 1, names.last?.trimmed.isEmpty == true { names.removeLast() }
        let matches = names.map(Self.match)
        unknownUnit = zip(names, matches).first { $1 == .unknownUnit }?.0
        var columns = matches.map(\.column)
        // If there is a date column, `time` is the time of day.
        if columns.contains(.date) {
            columns = columns.map { $0 == .time ? .timeOfDay : $0 }
        } else if columns.count(where: { $0 == .time }) > 1 {
            // A column such as `time (ms)` may count from the start of the recording.
            for (index, name) in names.enumerated()
            where columns[index] == .time && Self.isCount(name) {
                columns[index] = nil
            }
        }
        // `track` is a course, unless another column is.
        if let track = names.firstIndex(where: { Self.plain($0) == "track" }),
            let course = columns[track], columns.count(where: { $0 == course }) > 1
        {
            columns[track] = columns.contains(.track) ? nil : .track
        }
        // Beside a latitude and a longitude, `x` and `y` are local coordinates.
        for (index, name) in names.enumerated() where Self.isLocal(name) {
            let column = columns[index]
            if columns.count(where: { $0 == column }) > 1 { columns[index] = nil }
        }
        for (index, column) in columns.enumerated() where columns[..<index].contains(column) {
            columns[index] = nil
        }
        guard Self.position.allSatisfy(columns.contains) else { return nil }
        var factors: [Column: Double] = [:]
        let plain = Set(names.map(Self.plain))
        isColumbus = plain.isSuperset(of: Self.columbus)
        for (column, match) in zip(columns, matches) {
            guard let column, case .column(_, let factor) = match else { continue }
            factors[column] = factor ?? Self.defaultFactor(column, in: plain)
        }
        self.factors = factors.filter { $0.value != 1 }
        let mode = FixProperty.all.firstIndex { $0.cell == .mode }.map { Column.property($0) }
        mayHaveQualityAsMode =
            columns.firstIndex(of: mode).map { names[$0].lowercased().contains("fix") } ?? false
        let track = names.firstIndex { Self.plain($0) == "track" }
        courseOrTrack = track.flatMap { columns[$0] == nil || columns[$0] == .track ? nil : $0 }
        self.columns = columns
        self.names = names
    }

    /// Names in the header of Columbus loggers.
    private static let columbus: Set<String> = [
        "index", "tag", "date", "time", "latituden/s", "longitudee/w",
    ]

    /// Returns the names in a line. A separator in quotation marks is part of a name. A quotation
    /// mark inside an unquoted name does not quote it, because it may be a unit.
    private static func names(
        _ line: ArraySlice<UInt8>, separatedBy separator: UInt8
    ) -> [String] {
        let quote = UInt8(ascii: "\"")
        let hasQuotes = line.count { $0 == quote }.isMultiple(of: 2)
        var (isQuoted, last) = (false, separator)
        return line.split(omittingEmptySubsequences: false) { byte in
            // A quote in quotes is doubled.
            if hasQuotes, byte == quote, isQuoted || last == separator || last == quote {
                isQuoted.toggle()
            }
            if byte != UInt8(ascii: " ") { last = byte }
            return byte == separator && !isQuoted
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the last column contains a property of a fix, which usually is a number.
    var endsWithNumber: Bool {
        if case .property?? = columns.last { true } else { false }
    }

    /// Returns whether a line states the separator, such as `sep=;`. Spreadsheets write it before
    /// the header.
    package static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        let text = line.filter { $0 != UInt8(ascii: "\"") }
        return text.count == 5 && text.starts(with: "sep=".utf8)
    }

    /// Returns whether a column's name is `x` or `y`. GDAL uses these names for positions, other
    /// programs for local coordinates.
    private static func isLocal(_ name: String) -> Bool {
        ["x", "y"].contains(name.lowercased().filter { !"\" ".contains($0) })
    }

    /// What a column's name means.
    private enum Match: Equatable {
        /// A column, and the number by which its values are multiplied; `nil` if the name contains
        /// no unit.
        case column(Column, factor: Double?)
        case unread
        /// A property with a unit that is not known.
        case unknownUnit

        var column: Column? { if case .column(let column, _) = self { column } else { nil } }
    }

    /// Returns a name in lower case without quotation marks, spaces and punctuation.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { !"\"#_ -.,()[]".contains($0) }
    }

    /// Returns whether a name ends with a unit of time.
    private static func isCount(_ name: String) -> Bool {
        let name = name.lowercased().filter { !"\" )]".contains($0) }
        return ["(s", "(ms", "[s", "[ms", "_ms", "_s", "(millisecond", "(milliseconds", "(seconds"]
            .contains { name.hasSuffix($0) }
    }

    /// Returns the unit of a speed without one in the files of programs and loggers that do not use
    /// metres per second: Traccar (knots), OpenTracks, OwnTracks and Columbus (km/h).
    private static func defaultFactor(_ column: Column, in names: Set<String>) -> Double {
        guard case .property(let index) = column, FixProperty.all[index].name == "speed" else {
            return 1
        }
        if names.isSuperset(of: ["deviceid", "fixtime"]) { return 1852.0 / 3600 }
        let isMetric =
            names.contains("trackpointtype") || names.contains("tst")
            || names.isSuperset(of: columbus)
        return isMetric ? 1 / 3.6 : 1
    }

    private static func match(_ name: String) -> Match {
        let lower = name.lowercased().filter { !"\"#".contains($0) }.trimmed
        if let column = names[plain(lower)] {
            // Without a unit, instruments would be the columns of other programs.
            guard case .property(let index) = column else { return .column(column, factor: nil) }
            return measured.contains(index) ? .unread : .column(column, factor: nil)
        }
        // A unit in parentheses or after a mark, as in `Altitude (m)` and `altitude_m`.
        if let mark = lower.lastIndex(where: { "([".contains($0) }),
            let column = names[plain(String(lower[..<mark]))]
        {
            let unit = lower[lower.index(after: mark)...].filter { !")]".contains($0) }.trimmed
            if let known = CSVUnit(unit) { return match(column, known) }
            guard case .property(let index) = column else { return .column(column, factor: nil) }
            guard !measured.contains(index) else { return .unread }
            return CSVUnit.notes.contains(unit) || FixProperty.all[index].unit.isEmpty
                ? .column(column, factor: nil) : .unknownUnit
        }
        if let mark = lower.lastIndex(where: { "_ ,".contains($0) }),
            let column = names[plain(String(lower[..<mark]))]
        {
            let unit = String(lower[lower.index(after: mark)...])
            if let known = CSVUnit(unit) { return match(column, known) }
            if ["n/s", "e/w"].contains(unit), position.contains(column) {
                return .column(column, factor: nil)
            }
            if unit == "utc" || column == .time && ["s", "ms", "us", "ns"].contains(unit) {
                return .column(column, factor: nil)
            }
        }
        for ending in CSVUnit.endings where lower.hasSuffix(ending) {
            guard let column = names[plain(String(lower.dropLast(ending.count)))],
                let unit = CSVUnit(ending)
            else { continue }
            return match(column, unit)
        }
        return .unread
    }

    /// Returns the meaning of a column whose name contains a unit. `x_m` is a distance, not a
    /// longitude.
    private static func match(_ column: Column, _ unit: CSVUnit) -> Match {
        guard case .property(let index) = column else { return .unread }
        let expected = FixProperty.all[index].unit
        if expected == unit.property { return .column(column, factor: unit.factor) }
        return expected.isEmpty && unit.factor == 1 ? .column(column, factor: nil) : .unread
    }
}

/// Decides whether the numbers in a column `track` without a unit are those of tracks, or courses.
///
/// Programs number tracks from 0 or 1, in the order of the file. Numbers of tracks are therefore whole
/// numbers, of which each is the same as the one before or the next one, and some are repeated.
struct CSVTrackNumbers {
    /// The number of rows after which the numbers are those of tracks if they look like them. So many
    /// courses do not.
    private static let limit = 1000

    private var rows: [(row: [String], line: Int)] = []
    private var last: Int?
    private var isRepeated = false
    /// Whether it is not known yet.
    private(set) var isOpen = true
    private(set) var areOfTracks = false

    /// Adds a row, with the text in the column.
    mutating func add(_ row: [String], line: Int, number text: String) {
        rows.append((row, line))
        let text = text.trimmed
        guard !text.isEmpty else { return decideAtLimit() }
        guard let number = Int(text), last.map({ $0...$0 + 1 ~= number }) ?? (0...1 ~= number)
        else {
            return isOpen = false
        }
        if last == number { isRepeated = true }
        last = number
        decideAtLimit()
    }

    private mutating func decideAtLimit() { if rows.count >= Self.limit { decide() } }

    /// Decides by the rows so far, because no others follow. Courses of 0 are not numbers of tracks.
    mutating func decide() {
        guard isOpen else { return }
        isOpen = false
        areOfTracks = isRepeated && last ?? 0 > 0
    }

    /// Removes and returns the rows, in their order.
    mutating func takeRows() -> [(row: [String], line: Int)] { exchange(&rows, with: []) }
}

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

    /// Returns the time of day in a text such as `12:35:19.5` or, if it has only digits, `123519`;
    /// `nil` for other text.
    static func timeOfDay(_ text: String) -> TimeOfDay? {
        UTCTime(written: "2000-01-01T\(clock(text.trimmed))").flatMap {
            $0.date.day == 1 ? $0.time : nil
        }
    }

    /// Returns a date and a time of day as one text. Six digits are `hhmmss`, eight `yyyymmdd`, and,
    /// if `isYearFirst`, six are `yymmdd`.
    static func join(_ date: String, _ time: String, isYearFirst: Bool) -> String {
        let digits = Array(date.trimmed)
        guard digits.allSatisfy({ "0"..."9" ~= $0 }),
            digits.count == 8 || digits.count == 6 && isYearFirst
        else { return date + " " + time }
        let year = digits.dropLast(4)
        let (month, day) = (digits.suffix(4).prefix(2), digits.suffix(2))
        return String((digits.count == 6 ? ["2", "0"] : []) + year + ["-"] + month + ["-"] + day)
            + " " + clock(time.trimmed)
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
