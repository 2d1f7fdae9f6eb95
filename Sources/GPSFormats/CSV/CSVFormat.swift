// SPDX-License-Identifier: MIT
public import GNSS

/// Comma-separated values (RFC 4180) with LF: a header with units, then one row per fix. Unknown values
/// are empty.
public struct CSVFormat: OutputFormat, Equatable, Sendable {
    /// `csv`.
    public static let name = "csv"
    /// The extension `csv`.
    public static let fileExtensions = ["csv"]
    /// The description in `--help`.
    public static let summary = "comma-separated values, with units in the header"

    /// In this order, because gpsbabel's unicsv reads the last column with "altitude" in its name, which has
    /// to be the one above mean sea level.
    private static let properties = FixProperty.all.filter { $0.cell != nil && $0.cell != .read }

    private static let head =
        (["time"] + properties.map(title) + ["segment", "origin", "source"])
        .joined(separator: ",") + "\n"

    /// Returns a column's title: `geoid_separation_m`.
    private static func title(_ property: FixProperty) -> String {
        property.words(separatedBy: "_") + (property.unit.isEmpty ? "" : "_" + property.unit)
    }

    /// The parts of a property that are needed for each row.
    private enum Cell {
        case number(@Sendable (Fix) -> Double?, decimals: Int)
        case mode, quality, integrity

        init(_ property: FixProperty) {
            switch property.cell {
            case .mode: self = .mode
            case .quality: self = .quality
            case .integrity: self = .integrity
            default: self = .number(property.value, decimals: property.decimals)
            }
        }
    }

    private static let cells = Self.properties.map(Cell.init)
    private var text = TextBuffer()
    private var source = OutputSource()
    /// The source's name as a cell.
    private var name = ""
    private var segment = 0
    private var isEmpty = true

    /// Creates a writer.
    public init() {}

    /// Writes the header, and stores the source.
    public mutating func begin(_ source: OutputSource) {
        self.source = source
        let quoted =
            "\""
            + source.name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
        let marks: [Character] = ["\"", ",", "\n", "\r", "\r\n"]
        name = source.name.contains { marks.contains($0) } ? quoted : source.name
        guard isEmpty else { return }
        isEmpty = false
        text.append(text: Self.head)
    }

    /// Increments the segment number.
    public mutating func beginSegment() {
        segment += 1
    }

    /// Writes a row.
    public mutating func write(_ fix: Fix) {
        guard fix.coordinate?.isValid == true else { return }
        if let time = fix.time { text.append(iso8601: time) }
        text.appendRecord { record in
            for cell in Self.cells {
                record.append(",")
                switch cell {
                case .mode: record.append(fix.mode == .threeD ? "3D" : "2D")
                case .quality: record.append(fix.quality.name)
                case .integrity: if let name = fix.integrity?.state.name { record.append(name) }
                case .number(let value, let decimals):
                    record.append("", value(fix), decimals: decimals)
                }
            }
        }
        text.append(",", segment)
        text.append(character: ",")
        text.append(source.originName(isSimulated: source.isSimulated(fix)))
        text.append(character: ",")
        text.append(text: name)
        text.append(character: "\n")
    }

    /// Continues after the last complete row.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        FileEnd.resume(head, end, start: Self.head) { _ in
            isEmpty = false
            return true
        }
    }

    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }
}
