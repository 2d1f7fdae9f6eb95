// SPDX-License-Identifier: MIT
import GNSS

/// Fixes that are copied into a temporary table, and from there into the table of fixes, which
/// skips duplicates.
enum StagedFix {
    static let table = "pg_temp.gpsbridge_staged"

    /// The columns of the messages, with their names and types in the table.
    private static let columns: [(column: String, name: String, type: String)] = [
        ("mode", "mode", "smallint"), ("quality", "quality", "smallint"),
        ("alt", "altitude", "real"), ("geoid", "geoid_separation", "real"),
        ("speed", "speed", "real"), ("course", "course", "real"), ("climb", "climb", "real"),
        ("heading", "heading", "real"), ("hacc", "horizontal_accuracy", "real"),
        ("vacc", "vertical_accuracy", "real"), ("hdop", "hdop", "real"), ("vdop", "vdop", "real"),
        ("pdop", "pdop", "real"), ("used", "satellites_used", "smallint"),
        ("inView", "satellites_in_view", "smallint"),
        ("correctionAge", "correction_age", "real"),
        ("station", "correction_station", "integer"),
        ("timeOfDay", "time_of_day", "double precision"),
        ("odometer", "odometer", "double precision"), ("integrity", "integrity", "smallint"),
    ]

    private static let names = columns.map(\.name).joined(separator: ", ")

    /// All columns are doubles here; the smaller types of the table of fixes only save space on
    /// disk.
    static let createTable = """
        CREATE TEMPORARY TABLE IF NOT EXISTS gpsbridge_staged (
            time timestamptz, received timestamptz, sequence bigint, device integer, boot integer,
            is_dated boolean, origin "char", lat double precision, lon double precision,
            \(columns.map { "\($0.name) double precision" }.joined(separator: ", "))
        ) ON COMMIT DELETE ROWS
        """

    static let insert = """
        INSERT INTO gpsbridge.fix (time, received, sequence, device, boot, is_dated, origin, \(names),
            position)
        SELECT time, received, sequence, device, boot, is_dated, origin,
            \(columns.map { "\($0.name)::\($0.type)" }.joined(separator: ", ")),
            ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography
        FROM \(table) ON CONFLICT DO NOTHING
        """

    private static let latitude = index("lat")
    private static let longitude = index("lon")
    private static let indices = columns.map { index($0.column) }
    /// The limits of the table's column types.
    private static let limits = columns.map { column -> Double in
        switch column.type {
        case "smallint": 32_767
        case "integer": 2_147_483_647
        default: 1e30
        }
    }

    private static func index(_ name: String) -> Int {
        // Tests check that every name exists.
        FixColumn.all.firstIndex { $0.name == name } ?? 0
    }

    /// Rows in the binary format of COPY.
    struct Rows {
        private static let millisecondsPerDay: Int64 = 86_400_000
        /// PostgreSQL's times count from 2000, in microseconds.
        private static let year2000: Int64 = 946_684_800_000
        /// The range of `timestamptz`, in milliseconds, with a margin.
        private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_000

        private var bytes: [UInt8]
        /// The number of rows.
        private(set) var count = 0
        /// The days of the fixes, since 1970.
        private(set) var days: Set<Int> = []
        private var lastDay = Int.min

        init() {
            bytes =
                Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
        }

        /// Adds a fix.
        mutating func append(
            _ row: FixRow, _ key: (device: Int32, boot: Int32), _ origin: DataOrigin
        ) {
            let received = min(max(row.received, Self.times.lowerBound), Self.times.upperBound)
            let time = row.time.flatMap { Self.times.contains($0) ? $0 : nil }
            let instant = time ?? received
            let floor = instant < 0 ? instant - Self.millisecondsPerDay + 1 : instant
            let day = Int(floor / Self.millisecondsPerDay)
            if day != lastDay {
                days.insert(day)
                lastDay = day
            }
            count += 1
            append(Int16(9 + indices.count))
            append(field: (instant - Self.year2000) * 1000)
            append(field: (received - Self.year2000) * 1000)
            append(field: row.sequence)
            append(field: key.device)
            append(field: key.boot)
            append(field: time == nil ? UInt8(0) : 1)
            append(field: UInt8(ascii: origin.letter))
            let position = StagedFix.position(of: row)
            append(field: position?.latitude)
            append(field: position?.longitude)
            for (index, limit) in zip(indices, limits) {
                append(field: row.value(index).flatMap { $0.magnitude <= limit ? $0 : nil })
            }
        }

        /// Returns all rows with the end marker.
        consuming func finished() -> [UInt8] {
            append(Int16(-1))
            return bytes
        }

        private mutating func append<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }

        private mutating func append<T: FixedWidthInteger>(field value: T) {
            append(Int32(MemoryLayout<T>.size))
            append(value)
        }

        private mutating func append(field value: Double?) {
            guard let value else { return append(Int32(-1)) }
            append(field: value.bitPattern)
        }
    }

    /// Returns a valid position; `nil` for anything else.
    private static func position(of row: FixRow) -> (latitude: Double, longitude: Double)? {
        guard let latitude = row.value(latitude), let longitude = row.value(longitude),
            latitude.magnitude <= 90, longitude.magnitude <= 180
        else { return nil }
        return (latitude, longitude)
    }
}

extension DataOrigin {
    /// The letter that stands for the origin in the table.
    fileprivate var letter: Unicode.Scalar {
        switch self {
        case .live: "l"
        case .replay: "r"
        case .simulated: "s"
        case .unknown: "u"
        }
    }
}
