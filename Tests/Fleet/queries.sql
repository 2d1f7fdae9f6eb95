-- SPDX-License-Identifier: MIT
-- A thousand receivers, each on a round of its own, every ten seconds: :rows fixes.
SET synchronous_commit = off;
INSERT INTO gpsbridge.device (fleet, bridge, receiver)
    SELECT 'city', 'bus-' || number, 'roof' FROM generate_series(1, 1000) AS number;
INSERT INTO gpsbridge.boot (device, word, software) SELECT id, '4f1c09aa31d2', 'gpsbridge' FROM gpsbridge.device;
SELECT gpsbridge.create_day(day::date) FROM generate_series('2026-11-20'::date, '2026-11-22', '1 day') AS day;
INSERT INTO gpsbridge.fix (time, received, sequence, device, boot, mode, quality, is_dated, origin, altitude, speed,
    course, horizontal_accuracy, satellites_used, position)
SELECT timestamptz '2026-11-20 20:00Z' + step * interval '10 s', timestamptz '2026-11-20 20:00:00.2Z' + step * interval '10 s',
    step, bus, bus, 3, 1, true, 'l', 170 + 10 * sin(step / 50.0), CASE WHEN step % 1440 < 1080 THEN 13.2 ELSE 0 END,
    (step * 3.6)::numeric % 360, 1.5, 12,
    ST_SetSRID(ST_MakePoint(
        16.3738 + 0.4 * sin(bus * 1.7) + 0.02 * cos(way / 100.0) + 1e-6 * random(),
        48.2082 + 0.25 * cos(bus * 2.3) + 0.013 * sin(way / 100.0) + 1e-6 * random()), 4326)::geography
FROM generate_series(0, :rows / 1000 - 1) AS step, generate_series(1, 1000) AS bus,
    -- They stand for a quarter of the time.
    LATERAL (SELECT step - step / 1440 * 360 - greatest(0, step % 1440 - 1080)) AS route (way)
-- Every tenth is away for half an hour.
WHERE NOT (step BETWEEN 800 AND 979 AND bus % 10 = 0);
VACUUM ANALYZE gpsbridge.fix, gpsbridge.device;
