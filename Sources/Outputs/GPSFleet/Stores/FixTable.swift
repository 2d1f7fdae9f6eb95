// SPDX-License-Identifier: MIT

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
    static let version = "gpsbridge 4"

    /// A query that returns 1 if the current version of the schema exists, and 0 otherwise. For a
    /// role that may not replace an earlier version, it also returns 1 if that has all columns.
    static let isPresent = """
        SELECT count(*) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attrelid = to_regclass('gpsbridge.latest') AND attname = 'port_engine_speed'
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
            -- Instruments; engine speeds are in revolutions per minute.
            \(StagedFix.instruments.map { "\($0.name) \($0.type)" }.joined(separator: ", ")),
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
