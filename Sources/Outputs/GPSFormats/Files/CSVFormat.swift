// SPDX-License-Identifier: MIT
package import GNSS

/// Writes comma-separated values (RFC 4180) with LF line ends: a header with units, then one row
/// for each fix. Unknown values are empty. `OutputMetadata.columns` selects additional columns.
package struct CSVFormat: OutputFormat, TextFormat, Equatable, Sendable {
    package static let traits = FormatTraits(
        name: "csv", extensions: ["csv"],
        summary: "comma-separated values, with units in the header")

    /// The header and the columns of a file.
    private struct Layout: Sendable {
        let head: String
        let cells: [Cell]

        /// Creates the layout. The requested additional columns come first.
        ///
        /// The order matters, because gpsbabel's unicsv reads the last column with "altitude" or
        /// "speed" in its name. These must be the altitude above mean sea level and the speed over
        /// ground, not the speed of the wind.
        init(_ columns: OutputColumns) {
            let requested = FixProperty.all.filter {
                !columns.isDisjoint(with: $0.cell?.columns ?? [])
            }
            let always = FixProperty.all.filter { $0.cell?.columns == [] }
            let titles = (requested + always).map(title)
            head =
                (["time"] + titles + ["segment", "origin", "source"]).joined(separator: ",") + "\n"
            cells = (requested + always).map(Cell.init)
        }
    }

    private static let plain = Layout([])
    private static let layouts = (0..<8).map { Layout(OutputColumns(rawValue: $0)) }

    private var layout: Layout {
        columns.isEmpty ? Self.plain : Self.layouts[Int(columns.rawValue & 7)]
    }

    /// Returns the title of a column: `geoid_separation_m`.
    private static func title(_ property: FixProperty) -> String {
        property.words(separatedBy: "_") + (property.unit.isEmpty ? "" : "_" + property.unit)
    }

    /// The data that is needed to write the value of a property in a row.
    private enum Cell: Sendable {
        case number(@Sendable (Fix) -> Double?, decimals: Int)
        case mode, quality, integrity, vote
        case word(@Sendable (Fix) -> String?)

        init(_ property: FixProperty) {
            switch property.cell {
            case .mode: self = .mode
            case .quality: self = .quality
            case .integrity: self = .integrity
            case .voteState: self = .vote
            case .receiver where !property.words.isEmpty:
                self = .word { property.word($0)?.name }
            default:
                self = .number(
                    property.written(decimals: property.decimals), decimals: property.decimals)
            }
        }
    }

    private let columns: OutputColumns
    var text = TextBuffer()
    private var source = OutputSource()
    /// The source's name, quoted if necessary.
    private var name = ""
    private var segment = 0
    private var isEmpty = true

    package init(_ metadata: OutputMetadata) { columns = metadata.columns }

    /// Sets the source of the next rows. The first call writes the header.
    package mutating func begin(_ source: OutputSource) {
        self.source = source
        name = Self.cell(source.name)
        guard isEmpty else { return }
        isEmpty = false
        text.append(text: layout.head)
    }

    /// Returns text as a cell. Control characters are escaped as in messages. The cell is quoted if
    /// it contains a separator or a quotation mark, or begins as a formula does; `-`, the name of
    /// standard input, is none.
    private static func cell(_ text: String) -> String {
        let safe = TerminalText.safe(text)
        let isFormula = safe != "-" && safe.first.map { "=+-@".contains($0) } ?? false
        guard isFormula || safe != text || safe.contains(where: { "\",;".contains($0) }) else {
            return safe
        }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    /// Increments the segment number.
    package mutating func beginSegment() {
        segment += 1
    }

    /// Writes a row.
    package mutating func write(_ fix: Fix) {
        guard fix.coordinate?.isValid == true else { return }
        if let time = fix.time { text.append(iso8601: time) }
        let cells = layout.cells
        text.appendRecord { record in
            for cell in cells {
                record.append(",")
                switch cell {
                case .mode: record.append(fix.mode == .threeD ? "3D" : "2D")
                case .quality: record.append(fix.quality.name)
                case .integrity: record.append(text: fix.integrity?.state.rawValue ?? "")
                case .vote: record.append(text: fix.vote?.state.rawValue ?? "")
                case .word(let word): record.append(text: word(fix) ?? "")
                case .number(let value, let decimals):
                    record.append("", value(fix), decimals: decimals)
                }
            }
        }
        text.append(",", segment)
        text.append(character: ",")
        text.append(text: source.originName(isSimulated: source.isSimulated(fix)))
        text.append(character: ",")
        text.append(text: name)
        text.append(character: "\n")
    }

    /// Prepares to continue an existing file after its last complete row.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        // The columns before the segment contain no commas.
        let column = layout.cells.count + 1
        return FileEnd.resume(head, end, start: layout.head) { lines in
            isEmpty = false
            let fields = lines.lastLine?.split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            segment = fields?.dropFirst(column).first.flatMap { FileEnd.segment($0) } ?? segment
            return true
        }
    }

    /// Names the columns in which an existing table differs from the rows that would follow.
    package func obstacle(toResuming head: [UInt8]) -> String? {
        let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
        let found = String(decoding: line, as: UTF8.self).split(separator: ",").map(String.init)
        let own = layout.head.dropLast().split(separator: ",").map(String.init)
        // Other tables have none of these columns, or few.
        guard found.count(where: own.contains) > own.count / 2 else { return nil }
        let (more, less) = (own.filter { !found.contains($0) }, found.filter { !own.contains($0) })
        let differences = [("without", more), ("with", less)].compactMap { word, names in
            names.isEmpty
                ? nil : "\(word) \(names.map { TerminalText.safe($0) }.joined(separator: ", "))"
        }
        let text = differences.isEmpty ? "in another order" : differences.joined(separator: " and ")
        return
            "it exists, and has other columns (\(text)): give another name, or the columns of that "
            + "file (--columns)"
    }
}

extension FixProperty.Cell {
    /// The group of columns to which a column belongs: empty for a column that is always written,
    /// and `nil` for one that is never written.
    fileprivate var columns: OutputColumns? {
        switch self {
        case .mode, .quality, .integrity, .written: []
        case .instrument: .instruments
        case .receiver: .receiver
        case .vote, .voteCount, .voteState: .vote
        case .read: nil
        }
    }
}

/// A unit of a column or a value in a table.
struct CSVUnit {
    /// The unit of the property that a value in this unit belongs to: `m`, `m/s`, `deg`…
    let property: String
    /// The number by which a value is multiplied.
    let factor: Double

    /// Creates a unit from its name in any case; `nil` if it is unknown.
    init?(_ name: String) {
        guard let unit = Self.names[name.lowercased().filter { $0 != " " && $0 != "." }] else {
            return nil
        }
        self = unit
    }

    private init(_ property: String, _ factor: Double) {
        (self.property, self.factor) = (property, factor)
    }

    private static let names = {
        let knot = 1852.0 / 3600
        let list: [(names: String, property: String, factor: Double)] = [
            ("m meter meters metre metres mtr mts", "m", 1),
            ("ft foot feet", "m", 0.3048), ("km kilometer kilometers", "m", 1000),
            ("mi mile miles", "m", 1609.344), ("nmi nm", "m", 1852), ("yd yards", "m", 0.9144),
            ("cm", "m", 0.01), ("mm", "m", 0.001),
            ("m/s mps m/sec ms-1 meters/second metres/second meter/sec", "m/s", 1),
            ("km/h kmh kph kmph km/hr km/hour kilometers/hour", "m/s", 1 / 3.6),
            ("mph mi/h miles/hour", "m/s", 0.44704),
            ("kn kt kts knot knots nmi/h", "m/s", knot),
            ("ft/s fps ft/sec feet/second", "m/s", 0.3048),
            ("cm/s", "m/s", 0.01), ("mm/s", "m/s", 0.001),
            ("deg degs degree degrees ° degt °t decimaldegrees dd", "deg", 1),
            ("rad rads radian radians", "deg", 180 / .pi),
            ("semicircle semicircles", "deg", 180 / 0x1p31), ("e7 dege7", "deg", 1e-7),
            ("degc °c c", "degC", 1), ("rpm", "rpm", 1),
        ]
        var units: [String: CSVUnit] = [:]
        for entry in list {
            for name in entry.names.split(separator: " ") {
                units[String(name)] = CSVUnit(entry.property, entry.factor)
            }
        }
        return units
    }()

    /// The units that a name may end with without a separator, as in `altitudeFeet`.
    static let endings = names.keys.filter { $0.count > 2 || $0 == "e7" }.sorted {
        ($0.count, $0) > ($1.count, $1)
    }

    /// The notes after the name of a course, which say to which north it refers.
    static let directions: Set<String> = ["t", "m", "mag", "magn", "magnetic", "degm", "°m"]

    static func isMagnetic(_ direction: String) -> Bool { direction != "t" }

    /// Returns the number in a text such as `12.5 km/h`, in the unit of a property; `nil` for any other
    /// text.
    static func number(_ text: String, in property: String) -> Double? {
        let (digits, rest) = split(text)
        guard let number = Double(decimal: digits), let unit = CSVUnit(rest),
            unit.property == property
        else { return nil }
        return number * unit.factor
    }

    /// Returns a number and the unit after it: `12.5` and `km/h`.
    static func split(_ text: String) -> (number: String, unit: String) {
        let number = text.prefix { "+-.,'’0123456789".contains($0) }
        return (String(number), String(text.dropFirst(number.count)).trimmed)
    }

    /// What stands like a unit after a name, but is none: how a value was determined.
    static let notes: Set<String> = [
        "utc", "gmt", "gps", "gnss", "msl", "amsl", "asl", "wgs84", "wgs-84", "hae", "true", "txt",
        "used/view", "used", "n/s", "e/w", "2d", "3d", "s", "sec", "ms", "us", "ns", "seconds",
        "millisecond", "milliseconds", "",
    ]
}
