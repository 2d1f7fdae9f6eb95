# SPDX-License-Identifier: MIT
"""Tests that the documented queries use the indexes, and measures their times with many rows."""

import os
import re
import subprocess

BUS = "'city/bus-7/roof'"
AREA = "ST_GeogFromText('POLYGON((16.34 48.19, 16.43 48.19, 16.43 48.26, 16.34 48.26, 16.34 48.19))')"
QUERIES = [
    ("where was a bus at a time", f"SELECT * FROM gpsbridge.where_was({BUS}, '2026-11-20 22:00Z')", "_pkey"),
    ("who was in 7 x 8 km for 10 min",
     f"SELECT * FROM gpsbridge.inside({AREA}, '2026-11-20 21:00Z', '2026-11-20 21:10Z')", "position_time"),
    ("who was in 7 x 8 km for 1 h",
     f"SELECT * FROM gpsbridge.inside({AREA}, '2026-11-20 21:00Z', '2026-11-20 22:00Z')", "position_time"),
    ("distance of a bus on each day",
     f"SELECT * FROM gpsbridge.distance_per_day({BUS}, '2026-11-20', '2026-11-22')", "_pkey"),
    ("gaps of a bus", "SELECT * FROM gpsbridge.gaps('city/bus-10/roof', '2026-11-20', '2026-11-23')", "_pkey"),
    ("one hour of a bus",
     "SELECT count(*), avg(speed) FROM gpsbridge.fix WHERE device = (SELECT id FROM gpsbridge.device WHERE name = "
     f"{BUS}) AND time >= '2026-11-20 21:00Z' AND time < '2026-11-20 22:00Z'", "_pkey"),
    ("the last place of all 1,000", "SELECT count(*) FROM gpsbridge.latest", "_pkey"),
    ("a map as QGIS asks for it",
     "SELECT position, device FROM gpsbridge.fix WHERE position && ST_MakeEnvelope(16.36, 48.2, 16.4, 48.23, 4326) "
     "AND time > '2026-11-20 22:00Z'", "position_time"),
]


# Adds two fixes of the receivers in the documentation, more than a minute apart.
DOCUMENTED_FIXES = """
INSERT INTO gpsbridge.device (fleet, bridge, receiver) VALUES ('buses', 'b-7', 'roof'), ('buses', 'b-7', 'vote');
INSERT INTO gpsbridge.boot (device, word, software) SELECT id, 'word', 'gpsbridge' FROM gpsbridge.device;
INSERT INTO gpsbridge.fix (time, received, sequence, device, boot, is_dated, origin, position, vote, vote_disagreeing)
SELECT time, time, 1, boot.device, boot.id, true, 'l', ST_SetSRID(ST_MakePoint(16.37, 48.2), 4326)::geography, 3, 1
FROM gpsbridge.boot, (VALUES (timestamptz '2026-11-21 14:00:30Z'), ('2026-11-21 14:02:45Z')) AS fix (time)"""


def test_documented(work, programs):
    """Every statement in docs/fleet.md runs, and returns rows."""
    path = os.path.join(os.path.dirname(__file__), "../../docs/fleet.md")
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```sql\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
    statements = [statement for block in blocks for statement in block.strip().split("\n\n")]
    assert len(statements) > 5, statements
    database = work.database()
    database.sql(programs.run("collect", "--schema").stdout)
    database.sql(DOCUMENTED_FIXES)
    for statement in statements:
        assert database.sql(statement), f"no answer: {statement}"
    return f"{len(statements)} statements"


def test_queries(work, programs):
    """FLEET_ROWS is the number of rows. Default: a million."""
    database = work.database()
    rows = int(os.environ.get("FLEET_ROWS", "1000000"))
    schema = programs.run("collect", "--schema").stdout
    for arguments, text in ([], schema), (["-v", f"rows={rows}"], open(
            os.path.join(os.path.dirname(__file__), "queries.sql"), encoding="utf-8").read()):
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", *arguments], input=text, text=True, check=True,
                       env=database.environment, stdout=subprocess.DEVNULL)
    sizes = database.sql("SELECT relname, pg_relation_size(oid) FROM pg_class WHERE relname LIKE 'fix_20261120%'")
    count = int(database.value("SELECT count(*) FROM gpsbridge.fix_20261120"))
    print("        " + ", ".join(f"{name.removeprefix('fix_20261120') or 'table'} {int(size) / count:.0f} B a row"
                                 for name, size in sizes))
    for name, query, index in QUERIES:
        database.sql(query)  # warm
        plan = "\n".join(row[0] for row in database.sql(f"SET jit = off; EXPLAIN (ANALYZE, COSTS OFF) {query}"))
        seconds = float(re.search(r"Execution Time: ([\d.]+)", plan)[1])
        answer = len(database.sql(query))
        print(f"        {seconds:9.1f} ms  {name} ({answer} rows)", flush=True)
        assert index in plan, f"{name}: not by {index}:\n{plan}"
        # A day's partition may exist but be empty.
        assert not re.search(r"Seq Scan on fix_2026112[01] .*rows=[1-9]", plan), f"{name} reads everything:\n{plan}"
        assert answer > 0, f"{name}: no answer"
    return f"{rows} rows"
