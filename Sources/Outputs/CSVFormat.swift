// SPDX-License-Identifier: MIT
public import GNSS

/// Comma-separated values (RFC 4180) with LF: a header with units, then a row for every fix; what is
/// not known is empty.
public struct CSVFormat: OutputFormat {
    /// `csv`.
    public static let name = "csv"
    /// CSV's own.
    public static let fileExtensions = ["csv"]
    /// What it is.
    public static let summary = "comma-separated values, with units in the header"

    /// gpsbabel's unicsv takes the last column with "altitude" in its name, which is to be the one
    /// above mean sea level.
    private static let head = Array(
        """
        time,latitude_deg,longitude_deg,ellipsoidal_altitude_m,altitude_m,geoid_separation_m,\
        speed_m/s,course_deg,mode,quality,satellites_used,hdop,vdop,pdop,horizontal_accuracy_m,\
        vertical_accuracy_m,segment,origin,source

        """.utf8)
    private static let longestRow = 500

    private var lines = JSONLines()
    private var source = OutputSource()
    /// The last two columns of what is simulated, and of what is not.
    private var ends: (simulated: [UInt8], other: [UInt8]) = ([], [])
    private var segment = 0
    private var isEmpty = true

    /// Makes a writer.
    public init() {}

    /// Writes the header, and takes note of the source.
    public mutating func begin(_ source: OutputSource) {
        self.source = source
        let quoted =
            "\""
            + source.name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
        let marks: [Character] = ["\"", ",", "\n", "\r", "\r\n"]
        let name = source.name.contains { marks.contains($0) } ? quoted : source.name
        ends.simulated = Array("\(source.word(simulated: true)),\(name)".utf8)
        ends.other = Array("\(source.word(simulated: false)),\(name)".utf8)
        guard isEmpty else { return }
        isEmpty = false
        lines.line(atMost: Self.head.count) {
            $0.put(Self.head.span.extracting(droppingLast: 1))
        }
    }

    /// Counts segments.
    public mutating func beginSegment() {
        segment += 1
    }

    /// Writes a row.
    public mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid else { return }
        let end = source.isSimulated(fix) ? ends.simulated : ends.other
        lines.line(atMost: Self.longestRow + end.count) { [segment] text in
            if let time = fix.time { text.utc(time) }
            text.cell(position.latitude, decimals: 9)
            text.cell(position.longitude, decimals: 9)
            text.cell(fix.ellipsoidalAltitude, decimals: 3)
            text.cell(fix.altitude, decimals: 3)
            text.cell(fix.geoidSeparation, decimals: 3)
            text.cell(fix.speed, decimals: 3)
            text.cell(fix.course, decimals: 3)
            text.put(fix.mode == .threeD ? .threeD : .twoD)
            text.put(fix.quality.piece)
            text.put(character: ",")
            if let count = fix.satellitesUsed { text.integer(count) }
            text.cell(fix.dilution.hdop, decimals: 2)
            text.cell(fix.dilution.vdop, decimals: 2)
            text.cell(fix.dilution.pdop, decimals: 2)
            text.cell(fix.accuracy.horizontal, decimals: 3)
            text.cell(fix.accuracy.vertical, decimals: 3)
            text.put(character: ",")
            text.integer(segment)
            text.put(character: ",")
            text.put(end.span)
        }
    }

    /// Goes on behind the last whole row.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard head.count >= Self.head.count else { return Self.head.starts(with: head) ? 0 : nil }
        guard head.starts(with: Self.head) else { return nil }
        isEmpty = false
        return FileEnd(end).kept
    }

    /// Hands over what was written, and forgets it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(lines.bytes)
        lines.removeAll()
    }
}

extension TextWriter {
    /// A comma, and a number if it is known.
    fileprivate mutating func cell(_ value: Double?, decimals: Int) {
        put(character: ",")
        guard let value, value.magnitude < 1e9 else { return }
        decimal(value, decimals)
    }
}

extension JSONPiece {
    fileprivate static let twoD: JSONPiece = ",2D,"
    fileprivate static let threeD: JSONPiece = ",3D,"
}
