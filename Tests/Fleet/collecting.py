# SPDX-License-Identifier: MIT
"""Tests that the table contains the sent fixes, and that unusual messages are kept too."""

import os
import random
import shutil
import signal
import subprocess
import time

from engine_client import EngineClient, batch
from servers import Process, wait_until

COLUMNS = {
    "mode": ("mode", 3), "quality": ("quality", 4), "lat": ("ST_Y(position::geometry)", 48.20000012),
    "lon": ("ST_X(position::geometry)", -16.30000034), "alt": ("altitude", 171.25), "geoid": ("geoid_separation", 44.5),
    "speed": ("speed", 13.125), "course": ("course", 271.5), "climb": ("climb", -0.125), "heading": ("heading", 270.25),
    "hacc": ("horizontal_accuracy", 1.5), "vacc": ("vertical_accuracy", 2.75), "hdop": ("hdop", 0.75),
    "vdop": ("vdop", 1.25), "pdop": ("pdop", 1.5), "used": ("satellites_used", 12), "inView": ("satellites_in_view", 21),
    "correctionAge": ("correction_age", 2.5), "station": ("correction_station", 1023),
    "odometer": ("odometer", 1234.5), "integrity": ("integrity", 2), "vote": ("vote", 2),
    "voteRadius": ("vote_radius", 2.5), "voteWitnesses": ("vote_witnesses", 3),
    "voteDisagreeing": ("vote_disagreeing", 1), "anchor": ("anchor", 2), "anchorDistance": ("anchor_distance", 41.5),
    "depth": ("depth", 3.25), "depthOffset": ("depth_offset", -0.5), "wtemp": ("water_temperature", 11.5),
    "wangler": ("apparent_wind_angle", 45.5), "wspeedr": ("apparent_wind_speed", 7.25),
    "trueWindAngle": ("true_wind_angle", 60.5), "wanglet": ("true_wind_direction", 270.5),
    "wanglem": ("magnetic_wind_direction", 268.5), "wspeedt": ("true_wind_speed", 6.25),
    "waterSpeed": ("water_speed", 3.125), "log": ("log", 123456), "tripLog": ("trip_log", 1234.5),
    "rudder": ("rudder", -4.5), "engineSpeed": ("engine_speed", 1800), "portEngineSpeed": ("port_engine_speed", 1750),
    "correctionState": ("correction_state", 7), "rtk": ("carrier_solution", 2),
    "baseDistance": ("base_distance", 51234.5), "relN": ("baseline_north", 0.25), "relE": ("baseline_east", -0.5),
    "relD": ("baseline_down", 0.125)}


def chain(work):
    engine = work.engine(nodes=1)
    client = EngineClient(engine.ports[0])
    client.create_stream(replicas=1)
    return engine, client, work.database()


def test_columns(work, programs):
    """Every column of a message is in the table; unknown values are NULL."""
    engine, client, database = chain(work)
    values = {name: [value, None] for name, (_, value) in COLUMNS.items()}
    client.publish_stored([batch("b1", 7, 2, **values)])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    select = ", ".join(column for column, _ in COLUMNS.values())
    first, second = database.sql(f"SELECT {select} FROM gpsbridge.fix ORDER BY sequence")
    for (name, (_, value)), text in zip(COLUMNS.items(), first):
        assert abs(float(text) - value) < 1e-8 * max(1, abs(value)), (name, text, value)
    assert second == [""] * len(COLUMNS), second
    row = database.sql("SELECT time, received, sequence, is_dated, origin, name, word, software FROM gpsbridge.fix "
                       "JOIN gpsbridge.device ON device.id = device JOIN gpsbridge.boot ON boot.id = boot "
                       "WHERE sequence = 7")[0]
    assert row == ["2026-11-18 11:06:47+00", "2026-11-18 11:06:47.215+00", "7", "t", "l", "test/b1/r1", "4f1c09aa31d2",
                   "gpsbridge test"], row


def test_silent_server(work, programs):
    """If the server accepts the first connection and does not answer, collect connects again."""
    engine, client, database = chain(work)
    client.publish_stored([batch("b1", 7, 2)])
    server = engine.nodes[0].process
    server.send_signal(signal.SIGSTOP)
    try:
        collector = work.add(Process([programs.fleet, "collect", "--from", engine.url, "--to", database.url],
                                     work.path("collect.log"))).start()
        # Connecting is given up after five seconds.
        wait_until(lambda: "trying again" in open(work.path("collect.log")).read(), what="the time limit")
        time.sleep(2)
    finally:
        server.send_signal(signal.SIGCONT)
    wait_until(lambda: int(database.sql("SELECT count(*) FROM gpsbridge.fix")[0][0]) == 2, what="the fixes")
    assert collector.is_running()


def test_refused_collector(work, programs):
    """collect ends with a message if NATS refuses its password."""
    engine = work.engine(nodes=1, extra='authorization { token: "right" }')
    with open(work.path("token"), "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write("wrong")
    for access in ([], ["--password-file", work.path("token")]):
        result = programs.run("collect", "--from", engine.url, "--to", f"gpx:{work.path('gpx')}", *access, check=False)
        assert result.returncode == 1 and "Authentication" in result.stderr, result


def test_odd_times(work, programs):
    """Fixes without a date, or with a date in the distant past or the future, are stored, and moved to their
    partition on their day."""
    engine, client, database = chain(work)
    day = 86_400_000
    today = int(time.time()) * 1000 // day * day
    client.publish_stored([
        batch("b1", 1, 2, time=[None, None], timeOfDay=[43200.5, 43201.5]),
        batch("b2", 1, 2, start=946_684_800_000),  # 2000: a receiver that has lost the week number
        batch("b3", 1, 2, start=today + 10 * day),
        batch("b4", 1, 2, start=4_000_000_000_000_000),
        batch("b5", 1, 2, lat=[95, 48], lon=[16, 190]),
        batch("b6", 1, 2, used=[70000, 8]),
    ])
    for name in ("one", "two"):
        result = programs.run("collect", "--from", engine.url, "--to", database.url, "--once", "--name", name)
        assert "12 fixes were stored" in result.stderr or "12 were duplicates" in result.stderr, result.stderr
    counts = dict(database.sql("SELECT tableoid::regclass::text, count(*) FROM gpsbridge.fix GROUP BY 1"))
    assert counts["gpsbridge.fix_other"] == "6", counts  # 2000, in ten days, and beyond the range of dates
    assert int(database.value("SELECT count(*) FROM gpsbridge.fix WHERE NOT is_dated")) == 4
    assert int(database.value("SELECT count(*) FROM gpsbridge.fix WHERE position IS NULL")) == 2
    # On that day, the fixes are moved from fix_other to the partition.
    database.sql(f"SELECT gpsbridge.create_day(to_timestamp({(today + 10 * day) // 1000})::date)")
    counts = dict(database.sql("SELECT tableoid::regclass::text, count(*) FROM gpsbridge.fix GROUP BY 1"))
    assert counts["gpsbridge.fix_other"] == "4", counts
    result = programs.run("collect", "--from", engine.url, "--to", database.url, "--once", "--name", "three")
    assert "12 were duplicates" in result.stderr, result.stderr


def test_rejected(work, programs):
    """Invalid messages are stored separately, and do not delay other messages."""
    engine, client, database = chain(work)
    subject, key, payload = batch("b1", 1, 3)
    # PostgreSQL's indexes cannot contain such a long word.
    word = random.Random(1).randbytes(10_000).hex()
    client.publish_stored([
        ("gps.test.b1.r1", "a", b"nonsense"), ("gps.test.b1.r1", "b", b""), ("gps.test.b1.r1", "c", b"\x28\xb5\x2f\xfd\0"),
        ("gps.test.b1.r1", "d", payload.replace(b'"gpsbridge":1', b'"gpsbridge":2')),
        ("gps.test.b2.r1", "e", payload), ("gps.test.b3.r1", "f", batch("b3", 1, 1, boot=word)[2]),
        (subject, key, payload)])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    assert database.value("SELECT count(*) FROM gpsbridge.fix") == "3"
    reasons = database.sql("SELECT sequence, reason, length(message) FROM gpsbridge.rejected ORDER BY sequence")
    assert len(reasons) == 6, reasons
    # A stream that is created again restarts its numbers.
    client.ask("STREAM.DELETE.GPS")
    client.create_stream(replicas=1)
    client.publish_stored([("gps.test.b1.r1", "g", b"other nonsense")])
    for name in ("one", "two"):
        programs.run("collect", "--from", engine.url, "--to", database.url, "--once", "--name", name)
    assert database.value("SELECT count(*) FROM gpsbridge.rejected") == "7"
    return "; ".join(reason for _, reason, _ in reasons[3:])


def test_rights(work, programs):
    """A role that may only insert can collect into tables that another role has created."""
    engine, client, database = chain(work)
    client.publish_stored([batch("b1", 1, 3)])
    database.sql(programs.run("collect", "--schema").stdout)
    database.sql("""CREATE ROLE collector LOGIN; GRANT USAGE ON SCHEMA gpsbridge TO collector;
        GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA gpsbridge TO collector;
        ALTER FUNCTION gpsbridge.create_day SECURITY DEFINER""")
    # An upgrade keeps this.
    database.sql(programs.run("collect", "--schema").stdout)
    url = f"postgresql://collector@/gps?host={database.folder}"
    programs.run("collect", "--from", engine.url, "--to", url, "--once")
    assert database.value("SELECT count(*) FROM gpsbridge.fix") == "3"
    # A permanent error ends collect.
    for wrong in (url.replace("@/gps?", "@/other?"), url.replace("//collector", "//nobody")):
        result = programs.run("collect", "--from", engine.url, "--to", wrong, "--once", check=False)
        assert result.returncode == 1 and "does not exist" in result.stderr, result
    # A full server is a temporary error: collect tries again.
    database.sql("ALTER ROLE collector CONNECTION LIMIT 0")
    client.publish_stored([batch("b1", 4, 3)])
    log = work.path("collector.log")
    collector = work.add(Process([programs.fleet, "collect", "--from", engine.url, "--to", url], log)).start()
    wait_until(lambda: "too many connections" in open(log).read(), what="the refusal")
    assert collector.is_running()
    database.sql("ALTER ROLE collector CONNECTION LIMIT -1")
    wait_until(lambda: database.value("SELECT count(*) FROM gpsbridge.fix") == "6", what="the fixes")


def test_keep(work, programs):
    """Days that are older than the configured limit are deleted."""
    engine, client, database = chain(work)
    day = 86_400_000
    now = int(time.time()) * 1000
    client.publish_stored([batch("b1", days + 1, 1, start=now - days * day) for days in (0, 1, 5, 9)])
    client.publish_stored([batch("b2", 1, 2, start=946_684_800_000)])  # 2000: a day without a partition
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    result = programs.run("collect", "--from", engine.url, "--to", database.url, "--once", "--keep", "3")
    assert "3 days were removed" in result.stderr, result.stderr
    assert database.value("SELECT count(*) FROM gpsbridge.fix") == "2"


def test_distance(work, programs):
    """The distance of a day is computed from the odometer, also for thinned fixes and across restarts of a
    bridge."""
    engine, client, database = chain(work)
    # The database has tables of an earlier version.
    client.publish_stored([batch("b1", 1, 2, odometer=[0, 10])])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    database.sql("DROP VIEW gpsbridge.latest; ALTER TABLE gpsbridge.fix DROP COLUMN odometer; DELETE FROM gpsbridge.fix")
    client.publish_stored([
        batch("b2", 1, 4, odometer=[0, 250, 250.5, 1000], speed=[0, 0, 0, 0]),
        # An earlier version's fixes, nearly at one place.
        batch("b3", 1, 4, speed=[0, 0, 0, 0]),
        # Ten minutes apart.
        batch("b4", 1, 3, step=600_000, odometer=[0, 5000, 9000])])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once", "--name", "two")
    rows = database.sql("SELECT metres, metres_in_gaps, fixes FROM gpsbridge.distance_per_day("
                        "'test/b2/r1', '2026-11-17', '2026-11-19')")
    assert [float(value) for value in rows[0]] == [1000, 0, 4], rows
    rows = database.sql("SELECT metres FROM gpsbridge.distance_per_day('test/b3/r1', '2026-11-17', '2026-11-19')")
    assert float(rows[0][0]) == 0, rows
    rows = database.sql("SELECT metres, metres_in_gaps, fixes FROM gpsbridge.distance_per_day("
                        "'test/b4/r1', '2026-11-17', '2026-11-19')")
    assert [float(value) for value in rows[0]] == [9000, 0, 3], rows


def test_earlier_table(work, programs):
    """The columns for votes and instruments are added to a table without them; earlier messages have no values for
    them."""
    engine, client, database = chain(work)
    client.publish_stored([batch("b1", 1, 1, integrity=[1])])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    columns = ("vote", "vote_radius", "vote_witnesses", "vote_disagreeing", "anchor", "depth", "port_engine_speed")
    dropped = ", ".join(f"DROP COLUMN {column}" for column in columns)
    database.sql(f"DROP VIEW gpsbridge.latest; ALTER TABLE gpsbridge.fix {dropped}")
    client.publish_stored([batch("b2", 1, 1, vote=[3], voteRadius=[None], voteWitnesses=[0], voteDisagreeing=[1],
                                 depth=[2.5])])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    rows = database.sql(f"SELECT integrity, {', '.join(columns)} FROM gpsbridge.fix ORDER BY received, device")
    assert rows == [["1"] + [""] * 7, ["", "3", "", "0", "1", "", "2.5", ""]], rows


def test_latest(work, programs):
    """A fix dated in the future does not hide the last position, also after collect has replaced an earlier view."""
    engine, client, database = chain(work)
    client.publish_stored([batch("b1", 1, 2)])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    database.sql("""INSERT INTO gpsbridge.fix (time, received, sequence, device, boot, is_dated, origin, position)
        SELECT now() + interval '19 years', now(), 3, device, boot, true, 'l', position FROM gpsbridge.fix LIMIT 1""")
    latest = "SELECT sequence FROM gpsbridge.latest"
    assert database.value(latest) == "2", database.sql(latest)
    database.sql("""CREATE OR REPLACE VIEW gpsbridge.latest AS
            SELECT device.name, now() - fix.time AS age, fix.* FROM gpsbridge.device, LATERAL (
                SELECT * FROM gpsbridge.fix WHERE fix.device = device.id ORDER BY time DESC LIMIT 1) AS fix;
        COMMENT ON VIEW gpsbridge.latest IS NULL""")
    assert database.value(latest) == "3", database.sql(latest)
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    assert database.value(latest) == "2", database.sql(latest)


def test_gaps(work, programs):
    """The gaps of a range include those that begin before it or end after it, but not at a wrong date."""
    engine, client, database = chain(work)
    start = 1_795_000_000_000
    client.publish_stored([batch("b1", 1, 4, time=[start + second * 1000 for second in (0, 10, 600, 610)]),
                           batch("b1", 5, 1, time=[start + 10 * 365 * 86_400_000])])
    programs.run("collect", "--from", engine.url, "--to", database.url, "--once")
    gap = [["2026-11-18 11:06:50+00", "2026-11-18 11:16:40+00", "00:09:50"]]
    for since, until, expected in (
            ("11:00", "12:00", gap), ("11:00", "11:10", gap), ("11:10", "12:00", gap), ("11:08", "11:10", gap),
            ("11:00", "11:06:45", []), ("11:16:40", "12:00", []), ("11:20", "12:00", [])):
        rows = database.sql("SELECT lost, found, duration FROM gpsbridge.gaps("
                            f"'test/b1/r1', '2026-11-18 {since}Z', '2026-11-18 {until}Z')")
        assert rows == expected, (since, until, rows)


def test_engine_forgets(work, programs):
    """A server loses its last messages, and uses their numbers for new ones, which the consumer would skip."""
    engine, client, database = chain(work)
    engine_store = f"{engine.folder}/n1/jetstream/$G/streams/GPS/msgs"
    collector = work.add(Process(
        [programs.fleet, "collect", "--from", engine.url, "--to", database.url], work.path("collector.log"))).start()
    told = []

    def count():
        try:
            return int(database.value("SELECT count(*) FROM gpsbridge.fix", quiet=True))
        except subprocess.CalledProcessError:
            return 0

    def publish(first, last):
        client.publish_stored([batch("b1", number, 1) for number in range(first, last + 1)])

    def restart(change):
        engine.nodes[0].kill()
        change()
        engine.start()
        client.__init__(engine.ports[0])

    # Once while collect runs and once while it does not. The first time, the numbers are used again before it
    # checks.
    for round, runs in enumerate((True, False)):
        first = round * 1000 + 1
        total = count()
        publish(first, first + 99)
        wait_until(lambda: count() == total + 100, what="the first fixes", every=0.2)
        copy = work.path(f"copy{round}")
        restart(lambda: shutil.copytree(engine_store, copy))
        publish(first + 100, first + 149)
        wait_until(lambda: count() == total + 150, what="the fixes that are lost then", every=0.2)
        if not runs:
            collector.kill(signal.SIGTERM)

        def forget():
            shutil.rmtree(engine_store)
            shutil.copytree(copy, engine_store)

        restart(forget)
        more = 80 if runs else 20
        publish(first + 200, first + 199 + more)
        if not runs:
            collector.start()
        try:
            wait_until(lambda: count() == total + 150 + more, what=f"{more} fixes with numbers that were used before", every=0.2)
        except TimeoutError as error:
            state = engine.get(0, "jsz?streams=true&consumers=true")["account_details"]
            raise TimeoutError(f"{error}: {count() - total - 150} came: {state}") from error
        told.append(f"{more} fixes")
    return ", ".join(told) + " in the place of 50"


def test_other_subjects(work, programs):
    """Subjects that are not a part of the stream's end collect and fleet, with the way to read others."""
    engine = work.engine(nodes=1)
    client = EngineClient(engine.ports[0])
    client.create_stream(replicas=1, subjects=("gps.buses.>",))
    config = {"filter_subject": "gps.boats.>", "deliver_subject": "other", "ack_policy": "none"}
    try:
        client.ask("CONSUMER.CREATE.GPS", stream_name="GPS", config=config)
        return "this server does not refuse such subjects"
    except RuntimeError:
        pass
    for command in (["fleet", f"{engine.url}/boats"],
                    ["collect", "--from", f"{engine.url}/boats", "--to", f"gpx:{work.path('tracks')}"],
                    ["collect", "--from", engine.url, "--subjects", "gps.boats.>", "--to", f"gpx:{work.path('tracks')}"]):
        result = programs.run(*command, check=False)
        assert result.returncode == 1 and "the stream GPS: gps.boats.> is not a part of its subjects" in result.stderr, result


def test_stream_name(work, programs):
    """A name that no stream can have is a usage error, because the server would not answer, or would disconnect."""
    for name in "a b", "a.b", "*", "gps.>", "a/b", "a\\b":
        for command in (["fleet", "nats://127.0.0.1:1"],
                        ["collect", "--from", "nats://127.0.0.1:1", "--to", f"gpx:{work.path('tracks')}"]):
            result = programs.run(*command, "--stream", name, check=False)
            assert result.returncode == 2 and f"not a name of a stream: '{name}'" in result.stderr, result
    # The parser of options refuses an empty value with its own message.
    assert programs.run("fleet", "nats://127.0.0.1:1", "--stream", "", check=False).returncode == 2
