// SPDX-License-Identifier: MIT
import GNSS

/// The temporary table that receives fixes with `COPY`. From there, they are inserted into the
/// table `gpsbridge.fix`, without duplicates.
enum StagedFix {
    static let table = "pg_temp.gpsbridge_staged"

    /// A column of the table `gpsbridge.fix`: the index of the `FixColumn` with its values, and the
    /// column's name and type in the table.
    typealias Column = (index: Int, name: String, type: String)

    /// The types of the columns that need more than a `smallint` for whole numbers, or a `real`.
    private static let types = [
        "correction_station": "integer", "time_of_day": "double precision",
        "odometer": "double precision",
    ]

    /// All columns except those of the position.
    private static let columns: [Column] = FixColumn.all.indices
        .filter { ![FixColumn.latitude, FixColumn.longitude].contains($0) }
        .map { index in
            let column = FixColumn.all[index]
            let name = column.property.words(separatedBy: "_")
            return (index, name, types[name] ?? (column.decimals == 0 ? "smallint" : "real"))
        }

    private static let common = columns.filter { $0.index < FixColumn.CommonTable<Int>.count }

    /// The columns for a vessel's instruments.
    static let instruments = columns.filter { FixColumn.all[$0.index].property.isInstrument }

    /// The columns that the first version of the schema did not have: `odometer` and all after it.
    static let addedColumns = columns.drop { $0.name != "odometer" }

    /// The SQL that creates the temporary table. All its value columns are doubles, because the
    /// smaller types of `gpsbridge.fix` only save disk space.
    static let createTable = """
        CREATE TEMPORARY TABLE IF NOT EXISTS gpsbridge_staged (
            time timestamptz, received timestamptz, sequence bigint, device integer, boot integer,
            is_dated boolean, origin "char", lat double precision, lon double precision,
            \(columns.map { "\($0.name) double precision" }.joined(separator: ", "))
        ) ON COMMIT DELETE ROWS
        """

    /// The columns that a transaction writes. Other columns are left out, because even empty ones
    /// would take time.
    struct Layout {
        /// The columns that fixes of every receiver may have.
        static let common = Layout(StagedFix.common)
        /// All columns, including votes, anchor watch and instruments.
        static let all = Layout(columns)

        fileprivate let count: Int
        /// The temporary table with a list of columns, for `COPY`.
        let destination: String
        /// The SQL that inserts the temporary table's rows into `gpsbridge.fix`.
        let insert: String

        private init(_ columns: [Column]) {
            count = columns.count
            let names = columns.map(\.name).joined(separator: ", ")
            let head = "time, received, sequence, device, boot, is_dated, origin"
            destination = "\(table) (\(head), lat, lon, \(names))"
            insert = """
                INSERT INTO gpsbridge.fix (\(head), \(names), position)
                SELECT \(head), \(columns.map { "\($0.name)::\($0.type)" }.joined(separator: ", ")),
                    ST_SetSRID(ST_MakePoint(lon, lat), 4326)::geography
                FROM \(table) ON CONFLICT DO NOTHING
                """
        }
    }

    private static let indices = columns.map(\.index)
    /// The maximum magnitude of each column's type. Values above it are stored as NULL.
    private static let limits = columns.map { column -> Double in
        switch column.type {
        case "smallint": 32_767
        case "integer": 2_147_483_647
        default: 1e30
        }
    }

    /// Rows in the binary format of `COPY`.
    struct Rows {
        private static let millisecondsPerDay: Int64 = 86_400_000
        /// The epoch of PostgreSQL's timestamps (the start of the year 2000), in milliseconds of
        /// Unix time.
        private static let year2000: Int64 = 946_684_800_000
        /// The range of times that are stored (years 1 to 9999), in milliseconds of Unix time. It
        /// lies within the range of `timestamptz`.
        private static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_000

        /// The columns of each row.
        let layout: Layout
        private var bytes: [UInt8]
        /// The number of rows.
        private(set) var count = 0
        /// The days of all rows, in days since 1970.
        private(set) var days: Set<Int> = []
        private var lastDay = Int.min

        /// Creates an empty list. Each row has all columns if `hasOthers` is `true`, otherwise only
        /// the common columns.
        init(hasOthers: Bool) {
            layout = hasOthers ? .all : .common
            bytes =
                Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
        }

        /// Adds a fix. Values outside the range of their column become NULL. A time of the fix
        /// outside `times` counts as missing, and a time of reception is limited to `times`.
        mutating func append(
            _ row: FixRow, _ key: (device: Int32, boot: Int32), _ origin: DataOrigin
        ) {
            let received = min(max(row.received, Self.times.lowerBound), Self.times.upperBound)
            let time = row.time.flatMap { Self.times.contains($0) ? $0 : nil }
            let instant = time ?? received
            let day = Int(floorDivided(instant, Self.millisecondsPerDay))
            if day != lastDay {
                days.insert(day)
                lastDay = day
            }
            count += 1
            append(Int16(9 + layout.count))
            append(field: (instant - Self.year2000) * 1000)
            append(field: (received - Self.year2000) * 1000)
            append(field: row.sequence)
            append(field: key.device)
            append(field: key.boot)
            append(field: time == nil ? UInt8(0) : 1)
            append(field: UInt8(ascii: origin.letter))
            let position = row.validCoordinate
            append(field: position?.latitude)
            append(field: position?.longitude)
            for (index, limit) in zip(indices, limits).prefix(layout.count) {
                append(field: row.value(index).flatMap { $0.magnitude <= limit ? $0 : nil })
            }
        }

        /// Returns all rows in the format of `COPY`, followed by its end marker.
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
}

extension DataOrigin {
    /// The letter that represents the origin in the column `origin`.
    fileprivate var letter: Unicode.Scalar {
        switch self {
        case .live: "l"
        case .replay: "r"
        case .simulated: "s"
        case .unknown: "u"
        }
    }
}
