// SPDX-License-Identifier: MIT
public import GNSS

/// Comma-separated values (RFC 4180) with LF: a header with units, then a row for every fix; what is
/// not known is empty.
public struct CSVFormat: OutputFormat, Sendable {
    /// `csv`.
    public static let name = "csv"
    /// CSV's own.
    public static let fileExtensions = ["csv"]
    /// What it is.
    public static let summary = "comma-separated values, with units in the header"

    /// gpsbabel's unicsv takes the last column with "altitude" in its name, which is to be the one
    /// above mean sea level.
    private static let head: StaticString = """
        time,latitude_deg,longitude_deg,ellipsoidal_altitude_m,altitude_m,geoid_separation_m,\
        speed_m/s,course_deg,mode,quality,satellites_used,hdop,vdop,pdop,horizontal_accuracy_m,\
        vertical_accuracy_m,segment,origin,source

        """

    private var text = TextBuffer()
    private var source = OutputSource()
    /// The source's name as a cell.
    private var name = ""
    private var segment = 0
    private var isEmpty = true

    /// Creates a writer.
    public init() {}

    /// Writes the header, and remembers the source.
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
        text.append(Self.head)
    }

    /// Counts segments.
    public mutating func beginSegment() {
        segment += 1
    }

    /// Writes a row.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        if let time = fix.time { text.append(iso8601: time) }
        cell(position.latitude, decimals: 9)
        cell(position.longitude, decimals: 9)
        cell(fix.ellipsoidalAltitude, decimals: 3)
        cell(fix.altitude, decimals: 3)
        cell(fix.geoidSeparation, decimals: 3)
        cell(fix.speed, decimals: 3)
        cell(fix.course, decimals: 3)
        text.append(fix.mode == .threeD ? ",3D," : ",2D,")
        text.append(fix.quality.name)
        text.append(character: ",")
        text.append("", fix.satellitesUsed)
        cell(fix.dilution.hdop, decimals: 2)
        cell(fix.dilution.vdop, decimals: 2)
        cell(fix.dilution.pdop, decimals: 2)
        cell(fix.accuracy.horizontal, decimals: 3)
        cell(fix.accuracy.vertical, decimals: 3)
        text.append(",", segment)
        text.append(character: ",")
        text.append(source.originName(isSimulated: source.isSimulated(fix)))
        text.append(character: ",")
        text.append(text: name)
        text.append(character: "\n")
    }

    /// A comma, and the number if it is known.
    private mutating func cell(_ value: Double?, decimals: Int) {
        text.append(character: ",")
        text.append("", value, decimals: decimals)
    }

    /// Whether they are in the same segment, of the same source.
    public func isInterchangeable(with other: Self) -> Bool {
        source == other.source && segment == other.segment && isEmpty == other.isEmpty
            && text.hasText(of: other.text)
    }

    /// Continues behind the last whole row.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        FileEnd.resume(head, end, start: Self.head) { _ in
            isEmpty = false
            return true
        }
    }

    /// Hands over what was written, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }
}
