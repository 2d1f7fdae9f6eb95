// SPDX-License-Identifier: MIT
import GNSS

/// Reads comma-separated values (RFC 4180) with a header. Semicolons and tabs are also accepted as
/// separators.
///
/// If the name of a column contains no unit, the unit is metres, metres per second or degrees, as
/// in gpsbabel's `unicsv`; an unknown unit is an error. With semicolons and tabs, numbers may have a
/// decimal comma. Values of instruments are read only from columns with a unit. A value that cannot
/// be read is left out and counted, and so is a row without a readable position; it is an error if no
/// row before it, or most rows cannot be read. A column with the hemisphere (`N/S`, `E/W`), which
/// many loggers write, determines the sign of the latitude or the longitude.
package struct CSVInput: InputReader {
    private static let maximumRowLength = 65_536

    private let file: String
    private var header: CSVHeader?
    private var line = 1
    /// Whether the last byte was a carriage return. It ends a line, alone or before a line feed.
    private var followsReturn = false
    /// The number of the line on which the current row began.
    private var rowLine = 1
    private var field: [UInt8] = []
    private var row: [String] = []
    private var rowSize = 0
    private var isQuoted = false
    /// Whether the last byte was a quote in a quoted field. That quote ends the field unless
    /// another one follows.
    private var endsQuote = false
    /// Whether quotation marks in the rest of the row are text.
    private var isLiteral = false
    /// Whether a quotation mark was not closed. Then no quoted field continues in the next line.
    private var hasOpenQuotes = false
    /// The current quoted field, so that it can be read again if it is not closed.
    private var quoted = Quoted()
    private var segment: String?
    /// The rows whose numbers in the column `track` may be those of tracks or courses.
    private var trackNumbers = CSVTrackNumbers()
    /// The name of the track.
    private var track: String?
    /// Whether a header has been read, but no position after it.
    private var isAtHeader = true
    /// Whether there is a header before each track.
    private var hasHeaders = false
    /// Whether a row is a point of a track or a waypoint.
    private var hasKinds = false
    private var places: ReadPlaces
    /// The number of complete rows, and the smallest number of decimals in their last field.
    private var completeRows = (count: 0, fewestDecimals: Int.max)
    private var unread = LeftOut()
    /// The first reason of all, which is an error if most rows cannot be read.
    private var firstError: InputError?
    private var readRows = 0
    private var unreadableRows = 0
    /// The meaning of the first texts in columns of kinds, because most rows repeat them.
    private var knownKinds: [(text: String, column: CSVHeader.Column, kind: FixKind)] = []
    private var hasElapsedTimes = false
    private var hasGPSTimes = false
    /// Whether a time of day has no date.
    private var hasTimesWithoutDate = false

    /// The bytes of a quoted field after its first quotation mark, and the state before them.
    private struct Quoted {
        var bytes: [UInt8] = []
        var line = 0
        var followsReturn = false
        var hasLineEnd = false
    }

    /// The reason why a row or a value is left out.
    private struct Unreadable: Error {
        let message: String
        let reason: LeftOut.Reason
        let text: String

        init(_ message: String, _ reason: LeftOut.Reason, _ text: String) {
            (self.message, self.reason, self.text) = (message, reason, text)
        }
    }

    /// Creates a reader. If `keepsWaypoints` is `true`, it passes on the waypoints of GPS Visualizer.
    package init(file: String, keepsWaypoints: Bool = false) {
        self.file = file
        places = ReadPlaces(isKept: keepsWaypoints)
    }

    package var formatName: String { "CSV" }
    package var unusableContent: String? { places.unusableContent }
    package var mayHavePlaces: Bool { hasKinds || isAtHeader }

    /// What is left out; nothing if most rows cannot be read, which is an error.
    package var leftOut: LeftOut { unreadableRows > readRows ? LeftOut() : unread }

    /// The columns and units that are not read; see `InputReader.warning`.
    package var warning: String? {
        // The error names the column.
        if header?.unknownUnit ?? header?.unknownZone != nil { return nil }
        var parts: [String?] = []
        if let names = header?.unreadNames(hasKinds: hasKinds), !names.isEmpty {
            let shown = names.prefix(Self.maximumShownNames).map { $0.prefix(40) }
                .joined(separator: ", ")
            let more = names.count - Self.maximumShownNames
            parts.append(
                "has columns that are not read: \(shown)" + (more > 0 ? " and \(more) more" : ""))
        }
        if hasTimesWithoutDate {
            parts.append("has times without a date, so the date of its positions is unknown")
        }
        if hasElapsedTimes { parts.append("has times without a date, which are not read") }
        if hasGPSTimes {
            parts.append(
                "has numbers in a column of GPS time, which are not read, because they may be GPS or "
                    + "Unix time: convert them to times such as 2026-03-23T12:35:19Z")
        }
        return parts.warning
    }

    private static let maximumShownNames = 10
    private static let shortRow = LeftOut.Reason(
        "row", "without a position and with fewer fields than the header")
    private static let longRow = LeftOut.Reason(
        "row", "with more fields than the header", isPosition: true)
    private static let oddTime = LeftOut.Reason(
        "row", "with a time in an unknown form", isPosition: true)
    private static let oddHemisphere = LeftOut.Reason(
        "row", "with an unknown hemisphere", isPosition: true)
    private static let oddValidity = LeftOut.Reason("value", "of the validity in an unknown form")
    private static let openQuote = LeftOut.Reason("quotation mark", "without an end")

    /// The minimum number of complete rows that is needed to detect a cut-off last number: it has
    /// fewer decimals than the last number of every complete row. In a shorter table, this may be
    /// a coincidence, because some programs omit trailing zeros.
    private static let sampleSize = 50

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        for byte in bytes { try read(byte, receive) }
    }

    private mutating func read(
        _ byte: UInt8, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        if isQuoted {
            quoted.bytes.append(byte)
            if isOpen(byte) { return try readAgain(receive) }
        }
        try scan(byte, receive)
        line += byte == 0x0D || byte == 0x0A && !followsReturn ? 1 : 0
        followsReturn = byte == 0x0D
    }

    /// Returns whether the quotation mark before the current field is text, because nothing closes
    /// it before other text follows. `byte` is the next one of the field.
    private mutating func isOpen(_ byte: UInt8) -> Bool {
        let isLineEnd = byte == 0x0A || byte == 0x0D
        if endsQuote {
            let isEnd = isLineEnd || byte == header?.separator
            return quoted.hasLineEnd && !isEnd && byte != UInt8(ascii: "\"") && byte != 0x20
        }
        if isLineEnd { quoted.hasLineEnd = true }
        return quoted.hasLineEnd && (hasOpenQuotes || rowSize >= Self.maximumRowLength)
    }

    /// Reads the current field again, with its quotation mark as text.
    private mutating func readAgain(_ receive: (InputEvent) -> Void) throws(InputError) {
        let again = quoted
        unread.add(Self.openQuote, line: again.line)
        (quoted, isQuoted, endsQuote) = (Quoted(), false, false)
        (isLiteral, hasOpenQuotes) = (true, true)
        (line, followsReturn) = (again.line, again.followsReturn)
        field = [UInt8(ascii: "\"")]
        rowSize = row.reduce(1) { $0 + $1.utf8.count + 1 }
        for byte in again.bytes { try read(byte, receive) }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        while isQuoted, !endsQuote, quoted.hasLineEnd { try readAgain(receive) }
        guard !isQuoted || endsQuote else { throw error("a quoted field is cut off") }
        if isCutOff { throw error("the last row is cut off") }
        try endRow(receive)
        try decideTracks(receive)
        if let firstError, unreadableRows > readRows { throw firstError }
    }

    /// Does nothing: the last row has no line end, so its last number may have lost digits.
    package mutating func finishDamaged(_ receive: (InputEvent) -> Void) {}

    /// Whether the last row, which has no line end, is cut off: fields are missing, or the last
    /// number may have lost digits, such as a longitude of 1 instead of 16.
    private var isCutOff: Bool {
        guard let header, !row.isEmpty || !field.isEmpty else { return false }
        guard row.count + 1 == header.columns.count else {
            return row.count + 1 < header.columns.count
        }
        guard header.endsWithNumber, !endsQuote, completeRows.count >= Self.sampleSize else {
            return false
        }
        return decimals < completeRows.fewestDecimals
    }

    private var decimals: Int {
        let comma = UInt8(ascii: ",")
        return field.firstIndex { $0 == UInt8(ascii: ".") || $0 == comma }
            .map { field.count - $0 - 1 } ?? 0
    }

    private func error(_ reason: String) -> InputError {
        InputError(file, line: rowLine, reason)
    }

    private mutating func scan(
        _ byte: UInt8, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        rowSize += 1
        guard rowSize <= Self.maximumRowLength else { throw error("a row is too long") }
        if isQuoted {
            if endsQuote {
                endsQuote = false
                if byte == UInt8(ascii: "\"") { return field.append(byte) }
                isQuoted = false
            } else if byte == UInt8(ascii: "\"") {
                return endsQuote = true
            } else {
                return field.append(byte)
            }
        }
        switch byte {
        // `CSVHeader` handles the quotes of the header, whose separator is not known yet.
        case UInt8(ascii: "\"") where field.isEmpty && header != nil && !isLiteral:
            isQuoted = true
            quoted = Quoted(line: line, followsReturn: followsReturn)
        case 0x0A where followsReturn: break
        case 0x0A, 0x0D: try endRow(receive)
        case header?.separator: endField()
        default: field.append(byte)
        }
    }

    private mutating func endField() {
        // Some loggers pad fields with zeros.
        row.append(String(decoding: field.filter { $0 != 0 }, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
    }

    private mutating func endRow(_ receive: (InputEvent) -> Void) throws(InputError) {
        defer {
            (rowLine, rowSize, isLiteral) = (line + 1, 0, false)
            row.removeAll(keepingCapacity: true)
            field.removeAll(keepingCapacity: true)
        }
        guard let header else {
            var names = field[...]
            if names.starts(with: [0xEF, 0xBB, 0xBF]) { names = names.dropFirst(3) }
            guard !names.isEmpty, !CSVHeader.isSeparator(names) else { return }
            header = CSVHeader(names)
            guard let header else {
                // A comment.
                if names.first == UInt8(ascii: "#") { return }
                throw error("the header has no columns for latitude and longitude")
            }
            if let name = header.unknownUnit {
                throw error(
                    "the unit of the column \"\(name.trimmed.prefix(40))\" is not known: use one such "
                        + "as m, ft, m/s, km/h, mph or knots")
            }
            if let name = header.unknownZone {
                throw error(
                    "the time zone of the column \"\(name.trimmed.prefix(40))\" is not known: write "
                        + "its offset in the header, such as \"time (UTC+2)\", or convert to UTC")
            }
            return
        }
        guard !row.isEmpty || !field.isEmpty else { return }
        // A missing value has no decimals. A shorter last value is then not considered cut off.
        if header.endsWithNumber, row.count + 1 == header.columns.count {
            completeRows.count += 1
            completeRows.fewestDecimals = min(completeRows.fewestDecimals, decimals)
        }
        endField()
        while row.count > header.fieldCount, row.last?.trimmed.isEmpty == true { row.removeLast() }
        if row.count < header.columns.count, row.first?.first == "#" { return }
        if let next = repeatedHeader(header) {
            try decideTracks(receive)
            trackNumbers = CSVTrackNumbers()
            (self.header, isAtHeader, hasHeaders) = (next, true, true)
            return
        }
        if let column = header.courseOrTrack, trackNumbers.isOpen {
            trackNumbers.add(row, line: rowLine, number: column < row.count ? row[column] : "")
            guard !trackNumbers.isOpen else { return }
            return try decideTracks(receive)
        }
        try readRow(header, receive)
    }

    /// Reads the rows that waited until it was known what the numbers in the column `track` are.
    private mutating func decideTracks(_ receive: (InputEvent) -> Void) throws(InputError) {
        trackNumbers.decide()
        let current = (row, rowLine)
        defer { (row, rowLine) = current }
        for waiting in trackNumbers.takeRows() {
            (row, rowLine) = waiting
            if let header { try readRow(header, receive) }
        }
    }

    private mutating func readRow(
        _ header: CSVHeader, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        self.header?.findTime(in: row)
        self.header?.findHemispheres(in: row)
        let header = self.header ?? header
        do throws(Unreadable) {
            guard row.count <= header.fieldCount else {
                throw Unreadable(
                    "a row has \(row.count) fields, but the header has \(header.fieldCount)",
                    Self.longRow, "")
            }
            try read(header, receive)
        } catch {
            leaveOut(error)
            unreadableRows += 1
            if firstError == nil { firstError = self.error(error.message) }
            if readRows == 0, unreadableRows == Self.unreadableStart, let firstError {
                throw firstError
            }
        }
    }

    /// Returns the header that the current row is: GPS Visualizer writes one before each track, and
    /// one before the waypoints.
    private func repeatedHeader(_ header: CSVHeader) -> CSVHeader? {
        guard
            zip(header.columns, row).contains(where: { column, text in
                CSVHeader.isPosition(column) && text.trimmed.first?.isLetter == true
            })
        else { return nil }
        let separator = String(decoding: [header.separator], as: UTF8.self)
        return CSVHeader(Array(row.joined(separator: separator).utf8)[...])
    }

    /// The number of rows at the start of a file that must not all be unreadable.
    private static let unreadableStart = 10

    /// Counts a row or a value that cannot be read.
    private mutating func leaveOut(_ unreadable: Unreadable) {
        unread.add(unreadable.reason, line: rowLine, unreadable.text)
    }

    // MARK: Rows

    private mutating func read(
        _ header: CSVHeader, _ receive: (InputEvent) -> Void
    ) throws(Unreadable) {
        let texts = header.texts(in: row)
        let isDecimalComma = texts.contains { CSVHeader.isPosition($0) && $1.contains(",") }
        var name = texts[.track]?.trimmed
        var fix = Fix()
        var (mode, quality) = (FixKind(), FixKind())
        var numbers: [String: Double] = [:]
        for (index, property) in FixProperty.all.enumerated() {
            guard let text = texts[.property(index)] else { continue }
            if trackNumbers.areOfTracks, property.name == "course" {
                name = text.trimmed
                continue
            }
            switch property.cell {
            case .mode:
                let numbers = header.mayHaveQualityAsMode ? Self.fixNumbers : Self.modeNumbers
                mode = kind(text, in: .property(index), numbers, .value(of: property))
            case .quality:
                quality = kind(
                    text, in: .property(index), Self.qualityNumbers, .value(of: property))
            case .integrity:
                fix.integrity = Integrity.State(rawValue: text).map { Integrity(state: $0) }
            case .voteState:
                fix.vote = Vote.State(rawValue: text).map { Vote(state: $0) }
            case .receiver where !property.words.isEmpty:
                if let number = property.number(of: text) { property.set(&fix, number) }
            default:
                let factor = header.factors[.property(index)] ?? 1
                let value: Double?
                do throws(Unreadable) {
                    value = try number(text, property, factor, isDecimalComma)
                } catch {
                    guard !CSVHeader.isPosition(property) else { throw error }
                    // The column `track` may contain names.
                    if header.courseOrTrack != nil, property.name == "course" {
                        if name == nil { name = text.trimmed }
                    } else {
                        leaveOut(error)
                    }
                    continue
                }
                guard let value else { continue }
                numbers[property.name] = value
                property.set(&fix, value)
            }
        }
        let validity = kind(
            texts[.validity] ?? "", in: .validity, Self.validityNumbers, Self.oddValidity)
        // A row without a position represents an epoch without a fix.
        guard let north = numbers["latitude"], let east = numbers["longitude"],
            ![mode, quality, validity].contains(where: \.isNoFix)
        else {
            if row.count < header.columns.count, row.contains(where: { !$0.trimmed.isEmpty }) {
                unread.add(Self.shortRow, line: rowLine)
            }
            return receive(.segment)
        }
        let latitude = try signed(north, ["N", "S"], .northSouth, texts)
        let longitude = try signed(east, ["E", "W"], .eastWest, texts)
        fix.coordinate = Coordinate(checking: latitude, longitude)
        guard fix.coordinate != nil else {
            throw Unreadable(
                "not a position: \(latitude), \(longitude)", .position, "\(latitude), \(longitude)")
        }
        try readTime(texts, into: &fix)
        let kind = Kind(texts[.kind])
        if kind != nil { hasKinds = true }
        if kind == .waypoint {
            readRows += 1
            return addWaypoint(fix, texts, receive)
        }
        // GPS Visualizer writes the name of a track in its first row.
        if isAtHeader, kind == .trackPoint, name == nil { name = texts[.name]?.trimmed }
        // There, the other rows have no name.
        let isNamed = kind == nil || name != nil
        if isAtHeader ? kind != nil || hasHeaders || name != nil : isNamed && name != track {
            receive(.track(name: name))
            segment = texts[.segment]
        }
        if isAtHeader || isNamed { track = name }
        isAtHeader = false
        if texts[.segment] != segment { receive(.segment) }
        segment = texts[.segment]
        let isSimulated = texts[.origin] == "simulated"
        // A vehicle may have the mode `manual`.
        let other = (header.mayHaveQualityAsMode ? mode.quality : nil) ?? validity.quality
        fix.complete(
            mode: mode.mode ?? quality.mode ?? validity.mode,
            quality: isSimulated ? .simulated : quality.quality ?? other)
        readRows += 1
        receive(.fix(fix))
    }

    /// What a row of GPS Visualizer is.
    private enum Kind {
        case trackPoint, waypoint

        init?(_ text: String?) {
            switch text?.trimmed.lowercased() {
            case "t", "trackpoint", "trkpt": self = .trackPoint
            case "w", "waypoint", "wpt": self = .waypoint
            default: return nil
            }
        }
    }

    private mutating func addWaypoint(
        _ fix: Fix, _ texts: [CSVHeader.Column: String], _ receive: (InputEvent) -> Void
    ) {
        guard let coordinate = fix.coordinate else { return }
        var fix = fix
        fix.complete(mode: nil, quality: nil)
        var waypoint = Waypoint(coordinate)
        (waypoint.altitude, waypoint.time) = (fix.altitude, fix.time)
        waypoint.name = texts[.name]?.trimmed
        waypoint.description = texts[.description]?.trimmed
        places.add(waypoint, receive)
    }

    /// Returns an angle with the sign of its hemisphere, if a column contains the hemisphere.
    /// `letters` contains the letter for positive angles and the letter for negative ones. Throws
    /// an error for any other text, because the sign is then unknown.
    private func signed(
        _ degrees: Double, _ letters: [String], _ column: CSVHeader.Column,
        _ texts: [CSVHeader.Column: String]
    ) throws(Unreadable) -> Double {
        guard let header, header.columns.contains(column) else { return degrees }
        let text = texts[column] ?? ""
        // Programs for photos write the whole word.
        let word = text.trimmed.uppercased()
        let isWord = ["NORTH", "SOUTH", "EAST", "WEST"].contains(word)
        switch letters.firstIndex(of: isWord ? String(word.prefix(1)) : word) {
        case 0: return degrees
        case 1: return -degrees.magnitude
        default:
            let expected = letters.joined(separator: " or ")
            throw Unreadable(
                "the hemisphere is not \(expected): \"\(text.prefix(40))\"", Self.oddHemisphere,
                text)
        }
    }

    /// Returns what a cell says about the fix: a word, or a number whose meaning depends on the column.
    /// Counts any other text, which leaves the kind of the fix unknown.
    private mutating func kind(
        _ text: String, in column: CSVHeader.Column, _ numbers: [FixKind],
        _ reason: @autoclosure () -> LeftOut.Reason
    ) -> FixKind {
        guard !text.isEmpty else { return FixKind() }
        if let known = knownKinds.first(where: { $0.text == text && $0.column == column }) {
            return known.kind
        }
        // Programs that fill gaps in a column write `4.0`.
        let number = Double(decimal: text.trimmed).flatMap { Int(exactly: $0) }
        let kind =
            number.flatMap { numbers.indices.contains($0) ? numbers[$0] : nil }
            ?? FixKind(written: text)
        guard let kind else {
            unread.add(reason(), line: rowLine, text.trimmed)
            return FixKind()
        }
        if knownKinds.count < 16 { knownKinds.append((text, column, kind)) }
        return kind
    }

    /// The modes of gpsd's JSON and of GSA sentences.
    private static let modeNumbers = [
        FixKind(mode: .noFix), FixKind(mode: .noFix), FixKind(mode: .twoD), FixKind(mode: .threeD),
    ]
    /// The numbers in a column `fix`. Whether 1 is no fix, or 4 is better than 5, depends on the
    /// program.
    private static let fixNumbers =
        [FixKind(mode: .noFix), FixKind()] + modeNumbers[2...]
        + Array(repeating: FixKind(), count: 6)
    private static let qualityNumbers = (0...9).compactMap(FixKind.init(gga:))
    private static let validityNumbers = [FixKind(mode: .noFix), FixKind()]

    /// Parses a number in a column whose unit is `factor` times that of the property. A unit after
    /// the number, as in `12.5 km/h`, replaces that of the column. Returns `nil` for white space,
    /// `NaN` and infinity, which some programs write for an unknown value. `isDecimalComma` states
    /// whether the row has decimal commas in quotation marks.
    private func number(
        _ text: String, _ property: FixProperty, _ factor: Double, _ isDecimalComma: Bool
    ) throws(Unreadable) -> Double? {
        func decimal(_ text: String) -> Double? { self.decimal(text, isDecimalComma) }
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        if let number = decimal(text) { return number.isFinite ? number * factor : nil }
        let (digits, rest) = CSVUnit.split(text)
        guard let number = decimal(digits) else { throw notANumber(text, property) }
        // Loggers write the satellites in view after those in use: `8(11)`.
        if property.name == "satellitesUsed", "(/".contains(rest.prefix(1)) { return number }
        // Columbus loggers write the hemisphere after the number: `48.1N`.
        if CSVHeader.isPosition(property) {
            switch (property.name, rest.uppercased()) {
            case ("latitude", "N"), ("longitude", "E"): return number
            case ("latitude", "S"), ("longitude", "W"): return -number.magnitude
            default: break
            }
        }
        guard let unit = CSVUnit(rest), unit.property == property.unit else {
            throw notANumber(text, property)
        }
        return number * unit.factor
    }

    private func notANumber(_ text: String, _ property: FixProperty) -> Unreadable {
        Unreadable(
            "the \(property.words(separatedBy: " ")) is not a number: \"\(text.prefix(40))\"",
            CSVHeader.isPosition(property) ? .position : .value(of: property), text)
    }

    /// Parses a number. If the separator is not a comma, or `isDecimalComma` is `true`, the decimal
    /// mark may be one. Otherwise, it may separate thousands.
    private func decimal(_ text: String, _ isDecimalComma: Bool) -> Double? {
        if let number = Double(decimal: text) ?? Self.grouped(text) { return number }
        let comma = UInt8(ascii: ",")
        guard header?.separator != comma || isDecimalComma,
            text.utf8.count(where: { $0 == comma }) == 1
        else {
            return nil
        }
        return Double(decimal: text.replacing(",", with: "."))
    }

    /// Parses a number with marks between thousands, if no other reading is possible: `1'234`,
    /// `1,234.5`, `1.234,5` and `1,234,567`, but not `1,234`.
    private static func grouped(_ text: String) -> Double? {
        guard let mark = text.first(where: { "'’,.".contains($0) }) else { return nil }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 != mark && ",.".contains($0)
        }
        let groups = parts[0].split(separator: mark, omittingEmptySubsequences: false)
        guard groups.count > 2 || parts.count > 1 || !",.".contains(mark),
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 && $0.allSatisfy(\.isNumber) }),
            1...3 ~= groups[0].count(where: \.isNumber)
        else { return nil }
        return Double(decimal: groups.joined() + parts.dropFirst().map { ".\($0)" }.joined())
    }

    /// Reads the time of a row. A time of day without a date stays one.
    private mutating func readTime(
        _ texts: [CSVHeader.Column: String], into fix: inout Fix
    ) throws(Unreadable) {
        guard let header, let (text, offset) = header.time(in: texts) else { return }
        if text.contains(":"), let time = CSVTime.timeOfDay(text, offset: offset ?? "") {
            fix.timeOfDay = time
            hasTimesWithoutDate = true
            return
        }
        let isCount = hasElapsedTimes && header.numbers == .digits
        switch CSVTime(text, offset: offset ?? "", numbers: isCount ? .counts : header.numbers) {
        case .known(let time): fix.set(time: time)
        case .unknown: unread.add(.impossibleTime, line: rowLine, text.trimmed)
        case .elapsed: hasElapsedTimes = true
        case .uncertain: hasGPSTimes = true
        case nil:
            throw Unreadable(
                "not a time: \"\(text.prefix(40))\" (expected a time such as "
                    + "2026-03-23T12:35:19Z, 23.03.2026 12:35:19 or a Unix time)", Self.oddTime,
                text)
        }
    }
}
