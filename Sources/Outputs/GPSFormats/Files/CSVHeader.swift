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

        /// Whether the column contains times, or parts of them.
        var isOfTime: Bool { [.time, .date, .timeOfDay].contains(self) }
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
            "trackid": .track, "trackname": .track, "trackno": .track, "tracknumber": .track,
            // The points of tracks and routes as GDAL writes them.
            "trackfid": .track, "routefid": .track, "tracksegid": .segment,
            "type": .kind, "tag": .kind, "name": .name, "desc": .description,
            "description": .description,
        ]
        for (column, letters, angles) in CSVHeader.hemispheres {
            for name in letters { names[name] = column }
            for angle in angles {
                for word in ["dir", "direction", "hemi", "hemisphere", "indicator"] {
                    names[angle + word] = column
                }
                for word in ["hemi", "hemisphere"] { names[word + angle] = column }
            }
            // The tags of photos. Elsewhere, `lat_ref` is the latitude of a reference.
            if let angle = angles.last { names["gps\(angle)ref"] = column }
        }
        for (index, property) in FixProperty.all.enumerated()
        where property.cell != nil && property.cell != .voteCount {
            for name in [property.name.lowercased()] + property.aliases {
                names[name] = .property(index)
            }
        }
        return names
    }()

    /// The columns of hemispheres, with names that are or follow their letters, and the names of
    /// their angles.
    private static let hemispheres: [(Column, letters: [String], angles: [String])] = [
        (
            .northSouth, ["n/s", "ns", "n/sindicator", "nsindicator", "northsouth", "north/south"],
            ["lat", "latitude"]
        ),
        (
            .eastWest, ["e/w", "ew", "e/windicator", "ewindicator", "eastwest", "east/west"],
            ["lon", "long", "lng", "longitude"]
        ),
    ]

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
    private(set) var columns: [Column?]
    /// The numbers by which the values of columns in other units are multiplied.
    let factors: [Column: Double]
    /// The name of the first column of a known property with an unknown unit; `nil` if there is
    /// none.
    let unknownUnit: String?
    /// The name of the first column of times in a zone that is not known, unless other columns have
    /// the time; otherwise `nil`.
    let unknownZone: String?
    /// The offset from UTC of the times in a column without one of their own, such as `+02:00`; an
    /// empty text for UTC.
    private var offsets: [Column: String]
    /// The meaning of numbers in the column of the time.
    private(set) var numbers: CSVTime.Numbers
    /// The columns that may contain the time, with the offset that their name states, while the time
    /// is sought by their contents; empty if only one may contain it.
    private var clocks: [(index: Int, offset: String?)]
    /// Whether columns of hemispheres are sought by their contents.
    private var seeksHemispheres = true
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
        // Another time is preferred to that of GPS, which may not be UTC.
        let times = columns.indices.filter { columns[$0] == .time }
        if times.contains(where: { !Self.isOfGPS(names[$0]) && !Self.isCount(names[$0]) }) {
            for index in times where Self.isOfGPS(names[index]) { columns[index] = nil }
        }
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
        let clocks = columns.indices.filter { columns[$0] == .time || columns[$0] == .timeOfDay }
            .map { (index: $0, offset: matches[$0].offset) }
        self.clocks = clocks.count > 1 || columns.contains(.date) ? clocks : []
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
        var offsets: [Column: String] = [:]
        for (column, match) in zip(columns, matches) {
            guard let column else { continue }
            switch match {
            case .column(_, let factor):
                factors[column] = factor ?? Self.defaultFactor(column, in: plain)
            case .time(_, let offset): offsets[column] = offset
            case .unread, .unknownUnit, .unknownZone: break
            }
        }
        self.factors = factors.filter { $0.value != 1 }
        self.offsets = offsets
        let zones = [offsets[.date], offsets[.timeOfDay]].compactMap(\.self)
        if zones.count == 2, zones[0] != zones[1] {
            unknownZone = columns.firstIndex(of: .timeOfDay).map { names[$0] }
        } else {
            let hasTime =
                columns.contains(.time) || columns.contains(.date) && columns.contains(.timeOfDay)
            unknownZone = hasTime ? nil : zip(names, matches).first { $1 == .unknownZone }?.0
        }
        let time = [Column.time, .timeOfDay, .date].compactMap(columns.firstIndex).first
        numbers = Self.numbers(time.map { names[$0] } ?? "", in: plain)
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

    /// Returns the texts in a row that are not empty.
    func texts(in row: [String]) -> [Column: String] {
        var texts: [Column: String] = [:]
        for (column, text) in zip(columns, row) {
            if let column, !text.isEmpty { texts[column] = text }
        }
        return texts
    }

    /// Returns the text with the time of a row, and the offset from UTC that the columns state.
    func time(in texts: [Column: String]) -> (text: String, offset: String?)? {
        if let time = texts[.time] { return (time, offsets[.time]) }
        if let time = texts[.timeOfDay] {
            return (
                texts[.date].map { CSVTime.join($0, time, isYearFirst: isColumbus) } ?? time,
                offsets[.timeOfDay] ?? offsets[.date]
            )
        }
        // A date alone has no time, but the column may contain both.
        guard let date = texts[.date], date.contains(":") || instant(date, numbers) != nil else {
            return nil
        }
        return (date, offsets[.date])
    }

    /// Finds the column of the time in the first row that has one, if several columns may contain it.
    /// A time that may be local is only read if no other is known: `Time` may count from the start of
    /// the recording, beside `UTC Time`. Another that differs by more than zones do is not the same
    /// time, but for example a count of milliseconds that looks like Unix time.
    mutating func findTime(in row: [String]) {
        guard !clocks.isEmpty else { return }
        var choices: [(index: Int?, text: String, offset: String?, numbers: CSVTime.Numbers)] = []
        if let (text, offset) = time(in: texts(in: row)) {
            choices.append((nil, text, offset, numbers))
        }
        for (index, offset) in clocks where index < row.count {
            choices.append((index, row[index], offset, Self.numbers(names[index], in: [])))
        }
        let known = choices.compactMap { choice in
            instant(choice.text, choice.numbers).map { (choice, Double($0.unixNanoseconds)) }
        }
        guard let first = known.first else { return }
        let certain = known.first { choice, time in
            let (_, text, offset, numbers) = choice
            let isCertain =
                offset != nil
                || CSVTime(text, offset: "+01:00", numbers: numbers)
                    == CSVTime(text, numbers: numbers)
            return isCertain && (time - first.1).magnitude <= Self.maximumOffset
        }
        let (choice, _) = certain ?? first
        clocks = []
        guard let index = choice.index else { return }
        columns = columns.map { $0?.isOfTime == true ? nil : $0 }
        while columns.count <= index { columns.append(nil) }
        columns[index] = .time
        (offsets[.time], numbers) = (choice.offset, choice.numbers)
    }

    /// The largest offset from UTC in nanoseconds.
    private static let maximumOffset = 14.0 * 3600 * 1e9

    private func instant(_ text: String, _ numbers: CSVTime.Numbers) -> UTCTime? {
        if case .known(let time) = CSVTime(text, numbers: numbers) { time } else { nil }
    }

    /// Returns what the numbers in a column of times may be. gpsbabel writes tables for spreadsheets
    /// with links.
    private static func numbers(_ name: String, in plain: Set<String>) -> CSVTime.Numbers {
        if isOfGPS(name) { return .gps }
        return name.lowercased().contains("date") || plain.contains("linktext") ? .days : .digits
    }

    /// Returns whether the name of a column of times says that they may be GPS time.
    private static func isOfGPS(_ name: String) -> Bool {
        let name = plain(name)
        return name.contains("gps") && !name.contains("utc")
    }

    /// Finds the columns of hemispheres whose names are not known, in the first row with a position.
    /// They are a pair next to the latitude and the longitude: one alone may be that of a wind.
    mutating func findHemispheres(in row: [String]) {
        guard seeksHemispheres else { return }
        // `self.columns` omits those without a name at the end.
        var columns = columns
        let angles = Self.position.compactMap { columns.firstIndex(of: $0) }
        // Loggers write 0 without a fix, and then no letter.
        guard angles.allSatisfy({ $0 < row.count && !row[$0].trimmed.isEmpty }),
            angles.contains(where: { Double(decimal: row[$0].trimmed) != 0 })
        else { return }
        seeksHemispheres = false
        while columns.count < min(row.count, fieldCount) { columns.append(nil) }
        func index(of column: Column, _ letters: [String]) -> Int? {
            columns.firstIndex(of: column)
                ?? zip(columns, row).enumerated().first { _, cell in
                    cell.0 == nil && letters.contains(cell.1.trimmed.uppercased())
                }?.offset
        }
        guard let northSouth = index(of: .northSouth, ["N", "S"]),
            let eastWest = index(of: .eastWest, ["E", "W"])
        else { return }
        let block = (angles + [northSouth, eastWest]).sorted()
        guard zip(block, block.dropFirst()).allSatisfy({ $1 == $0 + 1 }) else { return }
        (columns[northSouth], columns[eastWest]) = (.northSouth, .eastWest)
        while columns.last == .some(nil) { columns.removeLast() }
        self.columns = columns
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
        /// A column of times, and their offset from UTC; see `offsets`.
        case time(Column, offset: String)
        case unread
        /// A property with a unit that is not known.
        case unknownUnit
        /// A time in a zone that is not known.
        case unknownZone

        var column: Column? {
            switch self {
            case .column(let column, _), .time(let column, _): column
            case .unread, .unknownUnit, .unknownZone: nil
            }
        }

        /// The offset that the name of a column of times states.
        var offset: String? {
            if case .time(_, let offset) = self { offset } else { nil }
        }
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
    /// metres per second: Traccar (knots); OpenTracks, OwnTracks, Columbus, and loggers with MediaTek
    /// chips such as those of Qstarz and i-Blue (km/h).
    private static func defaultFactor(_ column: Column, in names: Set<String>) -> Double {
        guard case .property(let index) = column, FixProperty.all[index].name == "speed" else {
            return 1
        }
        if names.isSuperset(of: ["deviceid", "fixtime"]) { return 1852.0 / 3600 }
        let metric: [Set<String>] = [["trackpointtype"], ["tst"], columbus, ["rcr", "valid"]]
        return metric.contains(where: names.isSuperset) ? 1 / 3.6 : 1
    }

    private static func match(_ name: String) -> Match {
        let lower = name.lowercased().filter { !"\"#".contains($0) }.trimmed
        if let column = names[plain(lower)] {
            if column.isOfTime, plain(lower).contains("utc") { return .time(column, offset: "") }
            // Without a unit, instruments would be the columns of other programs.
            guard case .property(let index) = column else { return .column(column, factor: nil) }
            return measured.contains(index) ? .unread : .column(column, factor: nil)
        }
        // A unit in parentheses or after a mark, as in `Altitude (m)` and `altitude_m`.
        if let mark = lower.lastIndex(where: { "([".contains($0) }),
            let column = names[plain(String(lower[..<mark]))]
        {
            let unit = lower[lower.index(after: mark)...].filter { !")]".contains($0) }.trimmed
            if column.isOfTime { return match(column, note: unit) }
            if isCourse(column), CSVUnit.directions.contains(unit) {
                return CSVUnit.isMagnetic(unit) ? .unread : .column(column, factor: nil)
            }
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
            if column.isOfTime, let offset = CSVTime.offset(unit) {
                return .time(column, offset: offset)
            }
            if column == .time && ["s", "ms", "us", "ns"].contains(unit) {
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

    /// Returns the meaning of a column of times with a note in parentheses: a zone, the form of the
    /// times, or a unit of time.
    private static func match(_ column: Column, note: String) -> Match {
        if let offset = CSVTime.offset(note) { return .time(column, offset: offset) }
        return CSVTime.isForm(note) ? .column(column, factor: nil) : .unknownZone
    }

    private static func isCourse(_ column: Column) -> Bool {
        if case .property(let index) = column {
            FixProperty.all[index].name == "course"
        } else {
            false
        }
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
/// Programs number tracks from 0 or 1, in the order of the file. Therefore, each number is the same as
/// the previous one or one higher, and some are repeated.
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
