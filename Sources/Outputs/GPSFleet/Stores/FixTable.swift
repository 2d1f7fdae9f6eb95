// SPDX-License-Identifier: MIT
import GNSS

/// The schema that `collect` creates in a database: tables, indexes and the functions described in
/// docs/fleet.md.
///
/// `gpsbridge collect --schema` prints this SQL for administrators who create tables themselves.
package enum FixTable {
    /// The complete SQL. Executing it on an existing schema adds missing columns and replaces the
    /// functions and views.
    package static let schema = tables + "\n" + maintenance + "\n" + queries

    /// The version of the schema, which is the comment of its last view. Increase the number with
    /// each change.
    static let version = "gpsbridge 5"

    /// A query that returns 1 if the current version of the schema exists, and 0 otherwise. For a
    /// role that may not replace an earlier version, it also returns 1 if that has all columns.
    static let isPresent = """
        SELECT count(*) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attrelid = to_regclass('gpsbridge.latest') AND attname = '\(StagedFix.lastColumn)'
            AND (obj_description(attrelid, 'pg_class') = '\(version)' OR NOT pg_has_role(relowner, 'USAGE'))
        """

    /// The days, relative to today, that have their own partition. Fixes of all other days are
    /// stored in `fix_other`.
    static let partitionedDays = -400...2

    private static let tables = """
        CREATE EXTENSION IF NOT EXISTS postgis;
        CREATE EXTENSION IF NOT EXISTS btree_gist;
        -- Without this condition, a role that may not create schemas could not use an existing one.
        DO $$ BEGIN IF to_regnamespace('gpsbridge') IS NULL THEN CREATE SCHEMA gpsbridge; END IF; END $$;

        CREATE TABLE IF NOT EXISTS gpsbridge.device (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            fleet text NOT NULL, bridge text NOT NULL, receiver text NOT NULL,
            name text GENERATED ALWAYS AS (fleet || '/' || bridge || '/' || receiver) STORED UNIQUE
        );

        -- Runs of bridges. Sequence numbers of fixes are unique within a run (word: its random name).
        CREATE TABLE IF NOT EXISTS gpsbridge.boot (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            device integer NOT NULL REFERENCES gpsbridge.device,
            word text NOT NULL, software text NOT NULL,
            first_seen timestamptz NOT NULL DEFAULT now(),
            UNIQUE (device, word)
        );

        -- Units are SI units and degrees; NULL means unknown. (device, boot, sequence) identifies a fix. The time,
        -- which is always the same for the same fix, is only in the key because the partitions need it.
        CREATE TABLE IF NOT EXISTS gpsbridge.fix (
            time timestamptz NOT NULL,      -- from the receiver; for a fix without a date, when it was received
            received timestamptz NOT NULL,  -- according to the bridge's clock
            sequence bigint NOT NULL,
            device integer NOT NULL,
            boot integer NOT NULL,
            mode smallint, quality smallint,        -- 1 none, 2 2D, 3 3D; as in GGA
            is_dated boolean NOT NULL,
            origin "char" NOT NULL,                 -- l live, r replay, s simulated, u unknown
            altitude real, geoid_separation real, speed real, course real, climb real, heading real,
            horizontal_accuracy real, vertical_accuracy real, hdop real, vdop real, pdop real,
            satellites_used smallint, satellites_in_view smallint,
            correction_age real, correction_station integer,
            time_of_day double precision,           -- seconds since midnight UTC, if there is no date
            position geography(Point, 4326),
            odometer double precision,              -- metres over ground since the bridge was started (boot)
            integrity smallint,                     -- 0 unknown, 1 ok, 2 warning, 3 alarm
            vote smallint,                          -- 0 none, 1 single, 2 agreed, 3 disputed
            vote_radius real, vote_witnesses smallint, vote_disagreeing smallint,
            anchor smallint, anchor_distance real,  -- 0 setting, 1 ok, 2 drag, 3 lost; metres
            -- Engine speeds are in revolutions per minute; antenna: 1 ok, 2 open, 3 short.
            -- Authentication: 0 unknown, 1 partial, 2 authenticated, 3 consistent, 4 failed.
            -- Carrier solution: 0 none, 1 float, 2 fixed; base and baseline: metres from the base.
            \(StagedFix.furtherColumns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")),
            PRIMARY KEY (device, time, boot, sequence)
        ) PARTITION BY RANGE (time);
        -- Adds columns to tables that an earlier version created. They are NULL in old fixes.
        \(StagedFix.addedColumns
            .map { "ALTER TABLE gpsbridge.fix ADD COLUMN IF NOT EXISTS \($0.name) \($0.type);" }
            .joined(separator: "\n"))
        CREATE INDEX IF NOT EXISTS fix_position_time ON gpsbridge.fix USING gist (position, time);
        CREATE TABLE IF NOT EXISTS gpsbridge.fix_other PARTITION OF gpsbridge.fix DEFAULT;

        -- Messages that are not valid batches of fixes, or that could not be stored, unchanged.
        CREATE TABLE IF NOT EXISTS gpsbridge.rejected (
            stream text NOT NULL, sequence bigint NOT NULL, subject text NOT NULL, reason text NOT NULL,
            message bytea NOT NULL, rejected timestamptz NOT NULL DEFAULT now()
        );
        -- A stream that is deleted and created again restarts its numbers, which were the key in an earlier version.
        ALTER TABLE gpsbridge.rejected DROP CONSTRAINT IF EXISTS rejected_pkey;
        CREATE UNIQUE INDEX IF NOT EXISTS rejected_message
            ON gpsbridge.rejected (stream, sequence, sha256(message));

        """

    private static let maintenance = """
        -- An administrator may have made create_day SECURITY DEFINER, which its replacement would undo.
        DO $$ BEGIN
            PERFORM set_config('gpsbridge.definer', coalesce((SELECT prosecdef::text FROM pg_proc
                WHERE oid = to_regprocedure('gpsbridge.create_day(date)')), 'false'), false);
        END $$;

        -- Creates the partition of a day, and moves earlier fixes of this day from fix_other into it.
        CREATE OR REPLACE FUNCTION gpsbridge.create_day(day date) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            part text := 'fix_' || to_char(day, 'YYYYMMDD');
            start timestamptz := day::timestamp AT TIME ZONE 'UTC';
            finish timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
        BEGIN
            IF to_regclass('gpsbridge.' || part) IS NOT NULL THEN RETURN; END IF;
            -- Only one collector at a time creates a partition.
            PERFORM pg_advisory_xact_lock(7164, 1);
            IF to_regclass('gpsbridge.' || part) IS NOT NULL THEN RETURN; END IF;
            EXECUTE format('CREATE TABLE gpsbridge.%I (LIKE gpsbridge.fix INCLUDING ALL)', part);
            EXECUTE format('WITH moved AS (DELETE FROM gpsbridge.fix_other WHERE time >= %L AND time < %L '
                'RETURNING *) INSERT INTO gpsbridge.%I SELECT * FROM moved', start, finish, part);
            EXECUTE format('ALTER TABLE gpsbridge.fix ATTACH PARTITION gpsbridge.%I FOR VALUES '
                'FROM (%L) TO (%L)', part, start, finish);
        END $$;
        DO $$ BEGIN
            IF current_setting('gpsbridge.definer')::boolean THEN
                ALTER FUNCTION gpsbridge.create_day(date) SECURITY DEFINER;
            END IF;
        END $$;

        -- Removes all days before a day, and returns how many of them had a partition or fixes.
        CREATE OR REPLACE FUNCTION gpsbridge.drop_days(before date) RETURNS integer LANGUAGE plpgsql AS $$
        DECLARE
            part text;
            days integer := 0;
        BEGIN
            FOR part IN SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
                WHERE inhparent = 'gpsbridge.fix'::regclass AND relname ~ '^fix_[0-9]{8}$'
                AND relname < 'fix_' || to_char(before, 'YYYYMMDD')
            LOOP
                EXECUTE format('DROP TABLE gpsbridge.%I', part);
                days := days + 1;
            END LOOP;
            WITH gone AS (DELETE FROM gpsbridge.fix_other
                WHERE time < before::timestamp AT TIME ZONE 'UTC' RETURNING time)
            SELECT days + count(DISTINCT (time AT TIME ZONE 'UTC')::date) INTO days FROM gone;
            RETURN days;
        END $$;

        """
}

extension FixTable {
    /// Functions and views for common queries. They are written in plain SQL, which PostgreSQL can
    /// inline, so that the queries use the indexes.
    private static let queries = """
        -- Returns the last fix with a position of a device at a time. It is not older than `within`.
        CREATE OR REPLACE FUNCTION gpsbridge.where_was(
            device text, at timestamptz, within interval DEFAULT '1 day')
        RETURNS SETOF gpsbridge.fix LANGUAGE sql STABLE AS $$
            SELECT fix.* FROM gpsbridge.fix
            WHERE fix.device = (SELECT id FROM gpsbridge.device WHERE name = $1)
                AND time <= $2 AND time > $2 - $3 AND position IS NOT NULL
            ORDER BY time DESC, boot DESC, sequence DESC LIMIT 1
        $$;

        -- Returns the devices that were inside an area between two times.
        CREATE OR REPLACE FUNCTION gpsbridge.inside(
            area geography, since timestamptz, until timestamptz)
        RETURNS TABLE (device text, first timestamptz, last timestamptz, fixes bigint)
        LANGUAGE sql STABLE AS $$
            SELECT device.name, min(time), max(time), count(*)
            FROM gpsbridge.fix JOIN gpsbridge.device ON device.id = fix.device
            WHERE time >= $2 AND time < $3 AND ST_Covers($1, position)
            GROUP BY device.name ORDER BY min(time)
        $$;

        -- Returns the distance that a device moved on each day of a time zone, in metres, according to its bridge's
        -- odometer (docs/converting.md, "Rest and motion"). If two fixes have no comparable odometer (fixes of
        -- earlier versions, or of different runs), the distance between their positions is added instead, unless
        -- the speed is below 0.5 m/s.
        -- The distance between two such fixes further apart in time than `gap` is returned separately.
        CREATE OR REPLACE FUNCTION gpsbridge.distance_per_day(
            device text, first date, last date, zone text DEFAULT 'UTC', gap interval DEFAULT '5 min')
        RETURNS TABLE (day date, metres double precision, metres_in_gaps double precision, fixes bigint)
        LANGUAGE sql STABLE AS $$
            WITH step AS (
                SELECT (time AT TIME ZONE $4)::date AS day, speed,
                    time - lag(time) OVER w AS duration,
                    CASE WHEN boot = lag(boot) OVER w THEN odometer - lag(odometer) OVER w END AS moved,
                    ST_Distance(lag(position) OVER w, position) AS metres
                FROM gpsbridge.fix
                WHERE fix.device = (SELECT id FROM gpsbridge.device WHERE name = $1)
                    AND time >= $2::timestamp AT TIME ZONE $4
                    AND time < ($3 + 1)::timestamp AT TIME ZONE $4 AND position IS NOT NULL
                WINDOW w AS (ORDER BY fix.device, time, boot, sequence)
            )
            SELECT day, greatest(0, sum(coalesce(moved, CASE WHEN coalesce(speed, 1) >= 0.5 THEN metres END))
                    FILTER (WHERE duration <= $5 OR moved IS NOT NULL)),
                coalesce(sum(metres) FILTER (WHERE duration > $5 AND moved IS NULL), 0), count(*)
            FROM step GROUP BY day ORDER BY day
        $$;

        -- Returns the times when a device sent no position for longer than `longer`, and how far it moved meanwhile.
        -- They may begin before `since` and end after `until`. A gap without a position after it is not returned.
        CREATE OR REPLACE FUNCTION gpsbridge.gaps(
            device text, since timestamptz, until timestamptz, longer interval DEFAULT '1 min')
        RETURNS TABLE (lost timestamptz, found timestamptz, duration interval, metres double precision)
        LANGUAGE sql STABLE AS $$
            SELECT previous, time, time - previous, ST_Distance(place, position)
            FROM (
                SELECT time, position, lag(time) OVER w AS previous, lag(position) OVER w AS place
                FROM (
                    (SELECT fix.device, time, boot, sequence, position FROM gpsbridge.fix
                        WHERE fix.device = (SELECT id FROM gpsbridge.device WHERE name = $1)
                            AND time < $2 AND position IS NOT NULL
                        ORDER BY time DESC, boot DESC, sequence DESC LIMIT 1)
                    UNION ALL
                    (SELECT fix.device, time, boot, sequence, position FROM gpsbridge.fix
                        WHERE fix.device = (SELECT id FROM gpsbridge.device WHERE name = $1)
                            AND time >= $2 AND time < $3 AND position IS NOT NULL)
                    UNION ALL
                    (SELECT fix.device, time, boot, sequence, position FROM gpsbridge.fix
                        WHERE fix.device = (SELECT id FROM gpsbridge.device WHERE name = $1)
                            AND time >= $3 AND time <= now() + interval '1 day' AND position IS NOT NULL
                        ORDER BY time, boot, sequence LIMIT 1)
                ) AS fix
                WINDOW w AS (ORDER BY fix.device, time, boot, sequence)
            ) AS step
            WHERE time - previous > $4 AND time > $2 ORDER BY time
        $$;

        -- The last fix with a position of every device. A fix with a later date than tomorrow has a wrong one, and
        -- would hide all others until then.
        CREATE OR REPLACE VIEW gpsbridge.latest AS
            SELECT device.name, now() - fix.time AS age, fix.*
            FROM gpsbridge.device, LATERAL (
                SELECT * FROM gpsbridge.fix
                WHERE fix.device = device.id AND time <= now() + interval '1 day' AND position IS NOT NULL
                ORDER BY time DESC, boot DESC, sequence DESC LIMIT 1) AS fix;
        COMMENT ON VIEW gpsbridge.latest IS '\(version)';

        """
}

/// The temporary table that receives fixes with `COPY`. From there, they are inserted into the
/// table `gpsbridge.fix`, without duplicates.
enum StagedFix {
    private static let table = "pg_temp.gpsbridge_staged"

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

    /// The columns after those of the anchor watch: a vessel's instruments, and what a receiver reports
    /// about itself.
    static let furtherColumns = columns.filter { $0.index > FixColumn.anchorDistance }

    /// The name of the column that was added last.
    static let lastColumn = furtherColumns.last?.name ?? ""

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
            // Its first letter.
            append(field: origin.rawValue.utf8.first ?? UInt8(ascii: "u"))
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
