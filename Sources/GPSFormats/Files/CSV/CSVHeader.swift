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
    }

    /// The column for each accepted name, which is in lower case and without units and
    /// punctuation.
    private static let names = {
        var names: [String: Column] = [
            "time": .time, "timestamp": .time, "datetime": .time, "utc": .time, "date": .date,
            "segment": .segment, "origin": .origin, "valid": .validity,
            "n/s": .northSouth, "latdir": .northSouth, "latitudedirection": .northSouth,
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

    /// The accepted units at the end of a column's name.
    private static let units: Set<String> = ["deg", "°", "m", "m/s", "degc", "rpm", "utc"]

    /// The properties that are read only from columns with a unit in their name, because in other
    /// programs' files, columns such as `log` and `depth` may have another meaning.
    private static let measured = Set(
        FixProperty.all.indices.filter { FixProperty.all[$0].cell == .instrument })

    let separator: UInt8
    let columns: [Column?]
    /// Whether the column of the mode is named `fix`. Its numbers may be the quality of GGA
    /// sentences, where 1 is a fix.
    let mayHaveQualityAsMode: Bool
    /// The names of the columns that are not read.
    let unreadNames: [String]

    /// Parses the first line of a file. Returns `nil` if it does not contain columns for latitude
    /// and longitude.
    package init?(_ line: ArraySlice<UInt8>) {
        let layouts = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
            .map { (separator: $0, names: Self.names(line, separatedBy: $0)) }
        guard let layout = layouts.max(by: { $0.names.count < $1.names.count }),
            layout.names.count > 1
        else { return nil }
        separator = layout.separator
        let names = layout.names
        var columns = names.map(Self.column)
        // If there is a date column, `time` is the time of day.
        if columns.contains(.date) {
            columns = columns.map { $0 == .time ? .timeOfDay : $0 }
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
        let mode = FixProperty.all.firstIndex { $0.cell == .mode }.map { Column.property($0) }
        mayHaveQualityAsMode =
            columns.firstIndex(of: mode).map { names[$0].lowercased().contains("fix") } ?? false
        self.columns = columns
        // `CSVFormat` writes the name of the file in the column `source`.
        unreadNames = zip(names, columns).filter { $1 == nil }
            .map { $0.0.filter { $0 != "\"" }.trimmed }.filter { !["", "source"].contains($0) }
    }

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

    private static func column(_ name: String) -> Column? {
        // Units may be in parentheses, as in `Altitude (m)`.
        var name = String(
            name.lowercased().filter { !"\" -)]".contains($0) }.map { "([".contains($0) ? "_" : $0 }
        )
        var unit: String?
        if let mark = name.lastIndex(of: "_") {
            let last = String(name[name.index(after: mark)...])
            if units.contains(last) { (name, unit) = (String(name[..<mark]), last) }
        }
        let column = names[name.filter { $0 != "_" }]
        guard case .property(let index)? = column else { return column }
        guard let unit else { return measured.contains(index) ? nil : column }
        // `x_m` is a distance, not a longitude.
        let expected = FixProperty.all[index].unit.lowercased()
        return ["", unit == "°" ? "deg" : unit].contains(expected) ? column : nil
    }
}
