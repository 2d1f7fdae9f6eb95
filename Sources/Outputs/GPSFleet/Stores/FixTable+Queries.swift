// SPDX-License-Identifier: MIT

extension FixTable {
    /// Functions and views for common queries. They are written in plain SQL, which PostgreSQL can
    /// inline, so that the queries use the indexes.
    static let queries = """
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
