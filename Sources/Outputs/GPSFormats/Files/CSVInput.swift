// SPDX-License-Identifier: MIT
import GNSS

/// Reads comma-separated values (RFC 4180) with a header. Semicolons and tabs are also accepted as
/// separators.
///
/// If the name of a column contains no unit, the unit is metres, metres per second or degrees, as
/// in gpsbabel's `unicsv`; an unknown unit is an error. With semicolons and tabs, numbers may have a
/// decimal comma. Values of instruments are read only from columns with a unit. A row that cannot be
/// read is left out and counted; it is an error if no row before it, or most rows cannot be read. A
/// column with the hemisphere (`N/S`, `E/W`), which many loggers write, determines the sign of the
/// latitude or the longitude.
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
    private var segment: String?
    /// The number of complete rows, and the smallest number of decimals in their last field.
    private var completeRows = (count: 0, fewestDecimals: Int.max)
    package private(set) var leftOut = LeftOut()
    /// The rows and values that cannot be read: the first reason of each kind, its line, and how
    /// many there are.
    private var unread: [(kind: String, reason: String, line: Int, count: Int)] = []
    /// The first reason of all, which is an error if most rows cannot be read.
    private var firstError: InputError?
    private var readRows = 0
    private var unreadableRows = 0
    /// Whether a value of the current row is left out.
    private var lacksValue = false
    private var hasElapsedTimes = false

    package init(file: String) {
        self.file = file
    }

    package var formatName: String { "CSV" }

    /// The columns and units that are not read; see `InputReader.warning`.
    package var warning: String? {
        var parts: [String] = []
        if let names = header?.unreadNames, !names.isEmpty {
            let shown = names.prefix(Self.maximumShownNames).map { $0.prefix(40) }
                .joined(separator: ", ")
            let more = names.count - Self.maximumShownNames
            parts.append(
                "has columns that are not read: \(shown)" + (more > 0 ? " and \(more) more" : ""))
        }
        if hasElapsedTimes { parts.append("has times without a date, which are not read") }
        // If most rows cannot be read, that is an error.
        for (_, reason, line, count) in unread where unreadableRows <= readRows {
            let place = count == 1 ? "(line \(line))" : "\(count) times (first in line \(line))"
            parts.append("has something left out \(place): \(reason)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; it ")
    }

    private static let maximumShownNames = 10
    private static let shortRow = LeftOut.Reason(
        "row", "without a position and with fewer fields than the header")

    /// The minimum number of complete rows that is needed to detect a cut-off last number: it has
    /// fewer decimals than the last number of every complete row. In a shorter table, this may be
    /// a coincidence, because some programs omit trailing zeros.
    private static let sampleSize = 50

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        for byte in bytes {
            try scan(byte, receive)
            line += byte == 0x0D || byte == 0x0A && !followsReturn ? 1 : 0
            followsReturn = byte == 0x0D
        }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        guard !isQuoted || endsQuote else { throw error("a quoted field is cut off") }
        if isCutOff { throw error("the last row is cut off") }
        try endRow(receive)
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

    /// The number of decimals of the current field.
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
        case UInt8(ascii: "\"") where field.isEmpty && header != nil: isQuoted = true
        case 0x0A where followsReturn: break
        case 0x0A, 0x0D: try endRow(receive)
        case header?.separator: endField()
        default: field.append(byte)
        }
    }

    private mutating func endField() {
        row.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
    }

    private mutating func endRow(_ receive: (InputEvent) -> Void) throws(InputError) {
        defer {
            (rowLine, rowSize) = (line + 1, 0)
            row.removeAll(keepingCapacity: true)
            field.removeAll(keepingCapacity: true)
        }
        guard let header else {
            var names = field[...]
            if names.starts(with: [0xEF, 0xBB, 0xBF]) { names = names.dropFirst(3) }
            guard !names.isEmpty, !CSVHeader.isSeparator(names) else { return }
            header = CSVHeader(names)
            guard let header else {
                throw error("the header has no columns for latitude and longitude")
            }
            if let name = header.unknownUnit {
                throw error(
                    "the unit of the column \"\(name.trimmed.prefix(40))\" is not known: use one such "
                        + "as m, ft, m/s, km/h, mph or knots")
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
        lacksValue = false
        do throws(InputError) {
            guard row.count <= header.columns.count else {
                throw error(
                    "a row has \(row.count) fields, but the header has \(header.columns.count)")
            }
            try read(header, receive)
        } catch {
            try leaveOut(error)
        }
    }

    /// The number of rows at the start of a file that must not all be unreadable.
    private static let unreadableStart = 10

    /// Counts a row or a value that cannot be read. Throws the first error if the file begins with
    /// such rows.
    private mutating func leaveOut(
        _ error: InputError, countsRow: Bool = true
    ) throws(InputError) {
        let kind = String(error.reason.prefix { $0 != ":" })
        if let index = unread.firstIndex(where: { $0.kind == kind }) {
            unread[index].count += 1
        } else {
            unread.append((kind, error.reason, rowLine, 1))
        }
        guard countsRow, !lacksValue else { return }
        lacksValue = true
        unreadableRows += 1
        let first = firstError ?? error
        firstError = first
        if readRows == 0, unreadableRows == Self.unreadableStart { throw first }
    }

    // MARK: Rows

    private mutating func read(
        _ header: CSVHeader, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        var texts: [CSVHeader.Column: String] = [:]
        for (column, text) in zip(header.columns, row) {
            if let column, !text.isEmpty { texts[column] = text }
        }
        var fix = Fix()
        var (mode, quality): (FixMode?, FixQuality?)
        var numbers: [String: Double] = [:]
        for (index, property) in FixProperty.all.enumerated() {
            guard let text = texts[.property(index)] else { continue }
            switch property.cell {
            case .mode: mode = Self.mode(text, mayBeQuality: header.mayHaveQualityAsMode)
            case .quality: quality = FixQuality(name: text)
            case .integrity:
                fix.integrity = Integrity.State(rawValue: text).map { Integrity(state: $0) }
            case .voteState:
                fix.vote = Vote.State(rawValue: text).map { Vote(state: $0) }
            default:
                let factor = header.factors[.property(index)] ?? 1
                let value: Double?
                do throws(InputError) {
                    value = try number(text, property, factor)
                } catch {
                    guard !CSVHeader.isPosition(property) else { throw error }
                    // The column `track` may contain names.
                    try leaveOut(error, countsRow: property.name != "course")
                    continue
                }
                guard let value else { continue }
                numbers[property.name] = value
                property.set(&fix, value)
            }
        }
        // A row without a position represents an epoch without a fix.
        guard let north = numbers["latitude"], let east = numbers["longitude"],
            mode != .noFix, quality != .invalid, !Self.isInvalid(texts[.validity])
        else {
            if row.count < header.columns.count, row.contains(where: { !$0.trimmed.isEmpty }) {
                leftOut.add(Self.shortRow, line: rowLine)
            }
            return receive(.segment)
        }
        let latitude = try signed(north, ["N", "S"], .northSouth, texts)
        let longitude = try signed(east, ["E", "W"], .eastWest, texts)
        fix.coordinate = Coordinate(checking: latitude, longitude)
        guard fix.coordinate != nil else {
            throw error("not a position: \(latitude), \(longitude)")
        }
        if texts[.segment] != segment { receive(.segment) }
        segment = texts[.segment]
        try readTime(texts, into: &fix)
        let isSimulated = texts[.origin] == "simulated"
        fix.complete(mode: mode, quality: isSimulated ? .simulated : quality)
        if !lacksValue { readRows += 1 }
        receive(.fix(fix))
    }

    /// Returns an angle with the sign of its hemisphere, if a column contains the hemisphere.
    /// `letters` contains the letter for positive angles and the letter for negative ones. Throws
    /// an error for any other text, because the sign is then unknown.
    private func signed(
        _ degrees: Double, _ letters: [String], _ column: CSVHeader.Column,
        _ texts: [CSVHeader.Column: String]
    ) throws(InputError) -> Double {
        guard let header, header.columns.contains(column) else { return degrees }
        let text = texts[column] ?? ""
        switch letters.firstIndex(of: text.trimmed.uppercased()) {
        case 0: return degrees
        case 1: return -degrees.magnitude
        default:
            let expected = letters.joined(separator: " or ")
            throw error("the hemisphere is not \(expected): \"\(text.prefix(40))\"")
        }
    }

    /// Returns the mode that a cell contains. Numbers are modes as in gpsd's JSON and in GSA
    /// sentences, except that 1 is unknown if it may be the quality of a GGA sentence.
    private static func mode(_ text: String, mayBeQuality: Bool) -> FixMode? {
        switch text.trimmed.lowercased() {
        case "3d", "3": .threeD
        case "2d", "2": .twoD
        case "none", "no fix", "0": .noFix
        case "1" where !mayBeQuality: .noFix
        default: nil
        }
    }

    /// Returns whether the text of the column `VALID` means that the position is not valid.
    private static func isInvalid(_ text: String?) -> Bool {
        ["no fix", "false", "0", "no", "n", "v"].contains(text?.trimmed.lowercased())
    }

    /// Parses a number in a column whose unit is `factor` times that of the property. A unit after
    /// the number, as in `12.5 km/h`, replaces that of the column. Returns `nil` for white space,
    /// `NaN` and infinity, which some programs write for an unknown value.
    private func number(
        _ text: String, _ property: FixProperty, _ factor: Double
    ) throws(InputError) -> Double? {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        if let number = decimal(text) { return number.isFinite ? number * factor : nil }
        let digits = text.prefix { "+-.,0123456789".contains($0) }
        let rest = String(text.dropFirst(digits.count)).trimmed
        guard let number = decimal(String(digits)) else { throw notANumber(text, property) }
        // Loggers write the satellites in view after those in use: `8(11)`.
        if property.name == "satellitesUsed", "(/".contains(rest.prefix(1)) { return number }
        guard let unit = CSVUnit(rest), unit.property == property.unit else {
            throw notANumber(text, property)
        }
        return number * unit.factor
    }

    private func notANumber(_ text: String, _ property: FixProperty) -> InputError {
        error("the \(property.words(separatedBy: " ")) is not a number: \"\(text.prefix(40))\"")
    }

    /// Parses a number. If the separator is not a comma, the decimal mark may be one.
    private func decimal(_ text: String) -> Double? {
        if let number = Double(decimal: text) { return number }
        let comma = UInt8(ascii: ",")
        guard header?.separator != comma, text.utf8.count(where: { $0 == comma }) == 1 else {
            return nil
        }
        return Double(decimal: text.replacing(",", with: "."))
    }

    private mutating func readTime(
        _ texts: [CSVHeader.Column: String], into fix: inout Fix
    ) throws(InputError) {
        let text: String
        if let time = texts[.time] {
            text = time
        } else if let date = texts[.date], let time = texts[.timeOfDay] {
            text = date + " " + time
        } else {
            // A date alone has no time, but the column may contain both.
            guard let date = texts[.date], date.utf8.contains(UInt8(ascii: ":")) else { return }
            text = date
        }
        switch CSVTime(text) {
        case .known(let time): fix.set(time: time)
        case .unknown: break
        case .elapsed: hasElapsedTimes = true
        case nil:
            throw error(
                "not a time: \"\(text.prefix(40))\" (expected a time such as "
                    + "2026-03-23T12:35:19Z, 23.03.2026 12:35:19 or a Unix time)")
        }
    }
}
