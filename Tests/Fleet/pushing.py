# SPDX-License-Identifier: MIT
"""Tests of HTTP: OsmAnd parameters and JSON as Traccar reads them, with killed processes, refusals and missing
credentials."""

import base64
import json
import os
import random
import signal
import socket
import sqlite3
import sys
import threading
import time

from formats import HINT, by_home_assistant
from publishing import certificates, secret
from servers import Cut, Process, answers, complete_lines, free_ports, wait_until


class Tracker:
    """tracker.py on a separate port."""

    def __init__(self, work, files=None, **rules):
        self.port = free_ports(1)[0]
        self.rules, self.output = work.path(f"rules{self.port}.json"), work.path(f"positions{self.port}.jsonl")
        self.set(**rules)
        script = os.path.join(os.path.dirname(__file__), "tracker.py")
        self.process = work.add(Process(
            [sys.executable, script, str(self.port), self.rules, self.output]
            + ([files["host.pem"], files["host.key"]] if files else []), work.path(f"tracker{self.port}.log")))
        self.url = f"{'https' if files else 'http'}://127.0.0.1:{self.port}"

    def set(self, **rules):
        with open(self.rules + ".set", "w", encoding="utf-8") as file:
            json.dump(rules, file)
        os.replace(self.rules + ".set", self.rules)

    def start(self):
        self.process.start()
        wait_until(lambda: answers(self.port), what="the tracker")
        return self

    def entries(self):
        if not os.path.exists(self.output):
            return []
        return [json.loads(line) for line in complete_lines(self.output)]

    def times(self, device):
        """Returns the times of a device's positions, in the order of arrival."""
        return [entry["time"] for entry in self.entries() if entry.get("device") == device]


def bridge(work, programs, spool, *arguments, command="publish", libraries=""):
    """Starts gpsbridge-fleet without the environment's proxy."""
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    env["LD_LIBRARY_PATH"] = libraries
    log = work.path(f"bridge{len(work.processes)}.log")
    process = Process([programs.fleet, command, *arguments, "--spool", spool], log, env=env)
    return work.add(process)


def text(process):
    with open(process.log, encoding="utf-8") as file:
        return file.read()


def waiting(spool):
    with sqlite3.connect(f"file:{spool}?mode=ro", uri=True, timeout=30) as file:
        return file.execute("SELECT count(*) FROM fix").fetchone()[0]


def first_of_each(times):
    """Returns the times without later duplicates."""
    return list(dict.fromkeys(times))


def watch_spool(work, programs, spool, url):
    """Creates a spool that records every fix that was ever added to it."""
    first = bridge(work, programs, spool, "--fleet", "3", "--rate", "5", "--to", url, command="simulate").start()

    def has_fixes():
        try:
            return waiting(spool) > 0
        except sqlite3.OperationalError:
            return False
    wait_until(has_fixes, what="fixes in the spool")
    first.kill()
    note = "INSERT INTO seen SELECT (SELECT fleet||'.'||bridge||'.'||receiver FROM stream WHERE number=fix.stream), time"
    with sqlite3.connect(spool, timeout=60) as file:
        file.executescript(f"""
            CREATE TABLE seen(device TEXT, time INTEGER);
            {note} FROM fix;
            CREATE TRIGGER see AFTER INSERT ON fix BEGIN {note} FROM fix WHERE seq=NEW.seq; END;
        """)


def test_http_kills(work, programs):
    """Kills the bridge and the server (kill -9) at random: every fix arrives, and each receiver's fixes are in
    order."""
    tracker, spool = Tracker(work), work.path("kills.sqlite")
    watch_spool(work, programs, spool, tracker.url)
    tracker.start()
    arguments = ["--fleet", "3", "--rate", "5", "--to", tracker.url]
    chain = bridge(work, programs, spool, *arguments, command="simulate").start()
    runs = int(os.environ.get("FLEET_RUNS", "200")) // 10

    def seen():
        with sqlite3.connect(f"file:{spool}?mode=ro", uri=True, timeout=60) as file:
            return file.execute("SELECT count(*) FROM seen").fetchone()[0]

    known = 1
    for _ in range(runs):
        time.sleep(random.uniform(0.1, 1.2))
        # On a slow machine, each start might be killed before its first fix.
        wait_until(lambda: seen() > known, what="fixes between the kills")
        known = seen()
        victim = random.choice((chain, tracker.process))
        victim.kill()
        time.sleep(random.uniform(0, 0.3))
        victim.start()
    chain.kill(signal.SIGTERM)
    drain = bridge(work, programs, spool, "--fleet", "1", "--to", tracker.url, "--duration", "0.001",
                   command="simulate").start()
    wait_until(lambda: not drain.is_running(), what="the spool to be empty")
    with sqlite3.connect(spool) as file:
        seen = file.execute("SELECT device, time FROM seen").fetchall()
    total = twice = 0
    for device in sorted({device for device, _ in seen}):
        arrived, expected = tracker.times(device), {stamp for name, stamp in seen if name == device}
        lost = expected - set(arrived)
        assert not lost, f"{len(lost)} of {len(expected)} fixes of {device} lost"
        order = first_of_each(arrived)
        assert order == sorted(order), f"fixes of {device} out of order"
        total, twice = total + len(expected), twice + len(arrived) - len(order)
    assert total > runs, total
    return f"{runs} kills, {total} fixes: 0 lost, {twice} twice, in order"


def test_http_cut(work, programs):
    """A network that drops everything while requests are in flight: all fixes arrive later, in order."""
    tracker, spool = Tracker(work).start(), work.path("cut.sqlite")
    cut = Cut(tracker.port)
    chain = bridge(work, programs, spool, "--fleet", "1", "--rate", "10", "--to", f"http://127.0.0.1:{cut.port}",
                   command="simulate").start()
    wait_until(lambda: len(tracker.entries()) > 20, what="positions")
    cut.is_cut = True
    time.sleep(2)
    cut.is_cut = False
    before = len(tracker.entries())
    # The pending request is abandoned after a minute.
    wait_until(lambda: len(tracker.entries()) > before + 600, what="the positions after the cut", every=0.2)
    chain.kill(signal.SIGTERM)
    times = first_of_each(tracker.times("fleet.sim-1.gps"))
    assert times == list(range(times[0], times[-1] + 1, 100)), "a position is missing, or out of order"
    return f"{len(times)} positions in order"


def test_http_backlog(work, programs):
    """An hour offline arrives in order, and before the live fixes; with --backlog newest, after them."""
    counts = []
    for order in (), ("--backlog", "newest"):
        tracker, spool = Tracker(work), work.path(f"backlog{len(order)}.sqlite")
        chain = bridge(work, programs, spool, "--fleet", "1", "--past", "1h", "--to", tracker.url, *order,
                       command="simulate").start()
        wait_until(lambda: os.path.exists(spool) and "not stored" in text(chain), what="a failure")
        wait_until(lambda: waiting(spool) > 3600, what="an hour")
        tracker.start()
        wait_until(lambda: len(set(tracker.times("fleet.sim-1.gps"))) > 3600, what="the backlog", every=0.2)
        chain.kill(signal.SIGTERM)
        times = first_of_each(tracker.times("fleet.sim-1.gps"))
        assert (times == sorted(times)) == (not order), times[:10]
        counts.append(len(times))
    return f"{counts[0]} in order, {counts[1]} newest first"


def test_http_json(work, programs):
    """--format osmand-json as Traccar reads it, and gpsbridge's own messages."""
    tracker, begin = Tracker(work, known=["4711"]).start(), time.time()
    chain = bridge(work, programs, work.path("json.sqlite"), "bus=simulated", "--to", tracker.url, "--format",
                   "osmand-json", "--id", "4711").start()
    wait_until(lambda: len(tracker.entries()) >= 3, what="positions")
    chain.kill(signal.SIGTERM)
    positions = tracker.entries()
    assert all(position["mock"] and 5 < position["speed"] < 15 for position in positions), positions
    assert all(begin - 60 < position["time"] / 1000 < time.time() + 60 for position in positions), positions
    own = Tracker(work).start()
    chain = bridge(work, programs, work.path("own.sqlite"), "bus=simulated", "--to", own.url, "--format",
                   "gpsbridge").start()
    wait_until(lambda: sum(len(batch["seq"]) for batch in own.entries()) >= 3, what="fixes")
    chain.kill(signal.SIGTERM)
    numbers = [number for batch in own.entries() for number in batch["seq"]]
    assert numbers == list(range(1, len(numbers) + 1)) and numbers, numbers
    return f"{len(positions)} positions, {len(numbers)} fixes in {len(own.entries())} messages"


def test_http_homeassistant(work, programs):
    """OsmAnd parameters, read by Home Assistant's code for Traccar's clients."""
    tracker = Tracker(work).start()
    chain = bridge(work, programs, work.path("home.sqlite"), "bus=simulated", "--bridge", "b7", "--to",
                   tracker.url).start()
    wait_until(lambda: len(tracker.entries()) >= 3, what="positions")
    chain.kill(signal.SIGTERM)
    positions = tracker.entries()
    read = by_home_assistant([["traccar", position["query"]] for position in positions])
    if read is None:
        return HINT
    for (device, lat, lon, _, accuracy, attributes), position in zip(read["traccar"], positions, strict=True):
        assert device == "fleet.b7.bus", device
        assert (lat, lon, accuracy) == (position["lat"], position["lon"], position["accuracy"]), position
        assert attributes == {name: position[name] for name in ("altitude", "bearing", "speed")}, position
    return f"{len(positions)} positions: {read['traccar'][-1]}"


def test_http_answers(work, programs):
    """Responses that are retried: Retry-After is respected, and ignored if it is invalid."""
    failures = [[503, {"Retry-After": "3"}], [429, {"Retry-After": "-99999999999999999999"}], [500, {}],
                [503, {"Retry-After": "never"}], [301, {"Location": "http://127.0.0.1:1/"}], [401, {}], [405, {}]]
    tracker = Tracker(work, answers=failures).start()
    chain = bridge(work, programs, work.path("answers.sqlite"), "bus=simulated", "--to", tracker.url).start()
    wait_until(lambda: len([1 for entry in tracker.entries() if "device" in entry]) > 3, what="positions")
    entries = tracker.entries()
    assert [entry.get("answer") for entry in entries[:7]] == [status for status, _ in failures], entries[:8]
    pause = entries[1]["at"] - entries[0]["at"]
    assert pause >= 3, f"tried again after {pause:.1f} s"
    for words in ("HTTP status 503", "HTTP status 429 (the server refuses messages because it receives too many)",
                  "the server redirects to another URL: give that URL"):
        wait_until(lambda: words in text(chain), what=words)
    chain.kill(signal.SIGTERM)
    times = [entry["time"] for entry in entries if "device" in entry]
    assert times == sorted(set(times)), times
    return f"{len(failures)} failures, the first for {pause:.1f} s"


HOSTILE = (
    b"", b"\x00\xff" * 5000, b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    b"HTTP/1.1 200 OK\r\n" + b"X-Filler: " + b"x" * 500_000 + b"\r\n\r\n",
    b"HTTP/1.1 999 \x1b[31m\r\nContent-Length: 0\r\nRetry-After: Wed, 21 Oct 1015 07:28:00 GMT\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n" * 1000,
)


def serve_hostile(listener, requests):
    """Answers one request with each of the responses above, and all later requests correctly."""
    for reply in (*HOSTILE, *[b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"] * 1000):
        data = b""
        while not data:
            near, _ = listener.accept()
            try:
                data = near.recv(65536)
            except OSError:
                pass
            # A client that has given up sends nothing.
            if not data:
                near.close()
        with near:
            requests.append((reply, data.split(b" ")[1]))
            try:
                near.sendall(reply)
            except OSError:
                pass


def test_http_hostile(work, programs):
    """Responses that are not HTTP, incomplete or endless: none counts as stored, and their content is not
    printed."""
    listener, requests = socket.create_server(("127.0.0.1", 0)), []
    threading.Thread(target=serve_hostile, args=(listener, requests), daemon=True).start()
    chain = bridge(work, programs, work.path("hostile.sqlite"), "bus=simulated", "--to",
                   f"http://127.0.0.1:{listener.getsockname()[1]}").start()
    wait_until(lambda: len(requests) > len(HOSTILE) + 2, what="positions")
    wait_until(lambda: "HTTP status 999" in text(chain), what="the message about the status")
    chain.kill(signal.SIGTERM)
    paths = [path for _, path in requests]
    assert len(set(paths[:len(HOSTILE) + 1])) == 1, "a position counted as stored"
    assert len(set(paths[len(HOSTILE):])) == len(paths) - len(HOSTILE), paths
    assert "\x1b" not in text(chain), text(chain)
    return f"{len(HOSTILE)} answers"


def test_http_unknown_device(work, programs):
    """A device that the server does not know: its fixes wait until the server knows it, and others are not
    delayed."""
    good, new = "fleet.sim-1.gps", "fleet.sim-2.gps"
    tracker, spool = Tracker(work, known=[good]).start(), work.path("unknown.sqlite")
    # After a pause, a simulated fleet reports the fixes of the pause; receivers with a tty would lose some.
    chain = bridge(work, programs, spool, "--fleet", "2", "--to", tracker.url, command="simulate").start()
    wait_until(lambda: "no message of fleet/sim-2/gps is accepted" in text(chain), what="the pause")
    before = len(tracker.times(good))
    wait_until(lambda: len(tracker.times(good)) > before + 3, what="the known device")
    tracker.set()
    wait_until(lambda: len(tracker.times(new)) > 8, what="the new device")
    chain.kill(signal.SIGTERM)
    for device in (good, new):
        times = tracker.times(device)
        assert times == list(range(times[0], times[-1] + 1, 1000)), times
    refused = [entry["time"] for entry in tracker.entries() if "unknown" in entry]
    assert min(refused) == min(tracker.times(new)), "the first fixes are lost"
    with sqlite3.connect(spool) as file:
        assert file.execute("SELECT count(*) FROM refused").fetchone()[0] == 0
    return f"{len(refused)} refusals, none lost"


def test_http_refused(work, programs):
    """Positions that the server never accepts are set aside and reported; all others arrive."""
    tracker, spool = Tracker(work), work.path("refused.sqlite")
    chain = bridge(work, programs, spool, "--fleet", "1", "--past", "10min", "--duration", "2", "--to", tracker.url,
                   command="simulate").start()
    wait_until(lambda: os.path.exists(spool) and "not stored" in text(chain), what="a failure")
    wait_until(lambda: waiting(spool) > 600, what="ten minutes")
    with sqlite3.connect(f"file:{spool}?mode=ro", uri=True) as file:
        times = [row[0] for row in file.execute("SELECT time FROM fix ORDER BY seq")]
    # One alone, and more consecutive ones than are tried before a pause.
    bad = [times[10]] + times[100:106]
    tracker.set(refused=bad)
    tracker.start()
    wait_until(lambda: not chain.is_running(), what="the end")
    arrived = set(tracker.times("fleet.sim-1.gps"))
    # Later fixes also arrived.
    assert arrived & set(times) == set(times) - set(bad), (len(arrived), len(times))
    with sqlite3.connect(spool) as file:
        rows = file.execute("SELECT reason, body FROM refused").fetchall()
    assert len(rows) == len(bad) and all("413" in reason and b"timestamp=" in body for reason, body in rows), rows
    log = text(chain)
    assert "7 fixes were refused, and are in the table refused" in log, log
    return f"{len(bad)} of {len(times)} set aside, the others arrived"


def test_http_access(work, programs):
    """Encryption, a user and a header, which do not appear in messages. Requests without them are refused."""
    files = certificates(work)
    password = secret(work, "http.password", "much hidden\n")
    headers = secret(work, "http.headers", "# of the server\nX-Key: much hidden\n")
    basic = "Basic " + base64.b64encode(b"bus:much hidden").decode()
    told = []
    for name, header, user, more in (
            ("user", ["Authorization", basic], "bus@", ["--password-file", password]),
            ("header", ["X-Key", "much hidden"], "", ["--header-file", headers])):
        tracker = Tracker(work, files, header=header).start()
        url = tracker.url.replace("//", "//" + user)
        access = ["bus=simulated", "--to", url, "--ca", files["ca.pem"]]
        chain = bridge(work, programs, work.path(f"{name}.sqlite"), *access, *more).start()
        wait_until(lambda: tracker.entries(), what=f"a position with a {name}")
        chain.kill(signal.SIGTERM)
        without = bridge(work, programs, work.path(f"without-{name}.sqlite"), *access).start()
        wait_until(lambda: "HTTP status 401" in text(without), what="a refusal")
        without.kill(signal.SIGTERM)
        assert "much hidden" not in text(chain) + text(without)
        told.append(name)
    changed = secret(work, "changed.headers", "X-Key: outdated\n")
    chain = bridge(work, programs, work.path("changed.sqlite"), *access, "--header-file", changed).start()
    wait_until(lambda: "HTTP status 401" in text(chain), what="a refusal")
    count = len(tracker.entries())
    secret(work, "changed.headers", "X-Key: much hidden\n")
    wait_until(lambda: len(tracker.entries()) > count, what="a position with the new header")
    chain.kill(signal.SIGTERM)
    chain = bridge(work, programs, work.path("authority.sqlite"), "bus=simulated", "--to", tracker.url).start()
    wait_until(lambda: "certificate" in text(chain), what="an unknown authority")
    chain.kill(signal.SIGTERM)
    chain = bridge(work, programs, work.path("userless.sqlite"), "bus=simulated", "--to", tracker.url, "--password-file",
                   password).start()
    wait_until(lambda: not chain.is_running(), what="the end")
    assert "a password needs a user" in text(chain), text(chain)
    os.chmod(headers, 0o644)
    chain = bridge(work, programs, work.path("mode.sqlite"), "--to", tracker.url, "--header-file", headers).start()
    wait_until(lambda: not chain.is_running(), what="the end")
    assert "chmod 600" in text(chain), text(chain)
    return ", ".join(told)


def test_http_without_libcurl(work, programs):
    """Without libcurl, the command ends with advice; with another engine, it is not needed."""
    folder = work.path("libraries")
    os.mkdir(folder)
    open(os.path.join(folder, "libcurl.so.4"), "w", encoding="utf-8").close()
    chain = bridge(work, programs, work.path("none.sqlite"), "bus=simulated", "--to", "http://127.0.0.1:1",
                   libraries=folder).start()
    wait_until(lambda: not chain.is_running(), what="the end")
    assert chain.process.returncode == 1 and "apt-get install libcurl4" in text(chain), text(chain)
    broker = work.broker()
    chain = bridge(work, programs, work.path("mqtt.sqlite"), "bus=simulated", "--to", broker.url,
                   libraries=folder).start()
    wait_until(lambda: ": connected" in text(chain), what="the broker")
    with open(f"/proc/{chain.pid}/maps", encoding="utf-8") as file:
        assert "libcurl" not in file.read(), "libcurl is loaded without need"


def test_http_target_twice(work, programs):
    """Giving the same target twice is a usage error, because it would get every position twice."""
    target = ["--to", "http://127.0.0.1:1"]
    result = programs.run("publish", "simulated", *target, *target, "--spool", work.path("twice.sqlite"), check=False)
    assert result.returncode == 2 and "--to http://127.0.0.1:1 is given twice" in result.stderr, result
    target = ["--to", "nats://127.0.0.1:1", "--to", "nats://127.0.0.1:1/"]
    result = programs.run("publish", "simulated", *target, "--spool", work.path("twice.sqlite"), check=False)
    assert result.returncode == 2 and "--to nats://127.0.0.1:1 is given twice" in result.stderr, result


def test_target_with_path(work, programs):
    """A path after the host of NATS or MQTT is a usage error, because it would not name the fleet."""
    for target in "nats://127.0.0.1:1/buses", "mqtt://127.0.0.1:1/buses/b-7":
        result = programs.run("publish", "simulated", "--to", target, "--spool", work.path("path.sqlite"), check=False)
        assert result.returncode == 2 and "use --fleet-name and --bridge" in result.stderr, result
        result = programs.run("simulate", "--fleet", "2", "--to", target, "--spool", work.path("path.sqlite"), check=False)
        assert result.returncode == 2 and "use --fleet-name for the names" in result.stderr, result


def test_bridge_of_simulated_fleet(work, programs):
    """A bridge's name for a simulated fleet is a usage error, because each receiver has a bridge of its own."""
    result = programs.run("simulate", "--fleet", "2", "--bridge", "b7", "--to", "mqtt://127.0.0.1:1", "--spool",
                          work.path("sim.sqlite"), check=False)
    assert result.returncode == 2 and "--bridge cannot be used with --fleet" in result.stderr, result
    assert "--bridge" not in programs.run("simulate", "--fleet", "2", "--help").stdout


def test_stream_options(work, programs):
    """Options for a NATS stream that would have no effect are usage errors."""
    for arguments, expected in (
            (["--to", "nats://127.0.0.1:1", "--max-age", "30d"], "--max-age needs --create-stream"),
            (["--to", "mqtt://127.0.0.1:1", "--create-stream"], "--create-stream is for nats:// and tls://")):
        result = programs.run("publish", "simulated", *arguments, "--spool", work.path("options.sqlite"), check=False)
        assert result.returncode == 2 and expected in result.stderr, result
