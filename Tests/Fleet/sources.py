# SPDX-License-Identifier: MIT
"""Tests of a fleet's members as sources and as a list, of GPX files, and of secrets."""

import glob
import json
import os
import re
import signal
import subprocess
import time

from engine_client import EngineClient, batch
from servers import Process, complete_lines, wait_until

NOW = int(time.time()) * 1000


def stream(work):
    engine = work.engine(nodes=1)
    client = EngineClient(engine.ports[0])
    client.create_stream(replicas=1)
    return engine, client


def children(pid):
    """Returns the child processes of a process."""
    result = subprocess.run(["ps", "--ppid", str(pid), "-o", "pid=,stat=,comm="], text=True, capture_output=True,
                            check=False)
    return result.stdout.split("\n")[:-1]


def reader_of(monitor):
    """Returns the id of the process that reads the engine."""
    return int(wait_until(lambda: children(monitor.pid), what="the reader")[0].split()[0])


def output_of(process, send):
    """Calls a function with 1, 2, 3… until a process ends. Returns the objects that the process has printed."""
    number = 0

    def is_over():
        nonlocal number
        number += 1
        send(number)
        return process.poll() is not None

    try:
        wait_until(is_over, what="the output", every=0.1)
    finally:
        process.kill()
    return [json.loads(line) for line in process.communicate()[0].splitlines()]


def feed(client, number, origin="live", bridge="b1"):
    """One fix, a second later than the one before."""
    client.publish_stored([batch(bridge, number, 1, start=NOW, origin=origin, climb=[1.25])])


def test_source(work, programs):
    """monitor reads a member as if it were plugged in, prints its name, and leaves no processes behind."""
    engine, client = stream(work)
    url = f"{engine.url}/test/b1/r1"
    output = work.path("monitor.json")
    with open(output, "wb") as file:
        monitor = work.add(Process([programs.gpsbridge, "monitor", url, "--format", "json"],
                                   work.path("monitor.log"), stdout=file)).start()
    number = 0

    def tpvs():
        lines = [json.loads(line) for line in complete_lines(output)]
        return [line for line in lines if line["class"] == "TPV" and line.get("mode", 0) > 1]

    def fed(result):
        """Sends a fix. Returns a function's result."""
        nonlocal number
        number += 1
        feed(client, number)
        time.sleep(0.2)
        return result()

    # The climb rate is reported after the program has learned that its sentence is the last of a cycle.
    report = wait_until(lambda: fed(lambda: next((one for one in tpvs()[4:] if "climb" in one), None)),
                        what="five fixes and the climb rate")
    assert report["device"].endswith("/test/b1/r1"), report
    expected = json.loads(batch("b1", int((parse(report["time"]) - NOW) / 1000), 1, start=NOW)[2])
    for name, key, digits in (("lat", "lat", 8), ("lon", "lon", 8), ("speed", "speed", 3), ("altMSL", "alt", 3)):
        assert round(report[name], digits) == round(expected[key][0], digits), (name, report, expected)
    assert report["climb"] == 1.25, report
    # The program that reads the engine is killed, and started again.
    before = len(tpvs())
    child = reader_of(monitor)
    os.kill(child, signal.SIGKILL)
    wait_until(lambda: fed(lambda: len(tpvs()) >= before + 3), what="fixes after the reader was killed")
    wait_until(lambda: all("Z" not in line.split()[1] for line in children(monitor.pid)),
               what="that no process is left")
    # The engine is killed and restarted.
    before = len(tpvs())
    engine.nodes[0].kill()
    time.sleep(1)
    engine.nodes[0].start()
    engine.ready()
    client.__init__(engine.ports[0])
    wait_until(lambda: fed(lambda: len(tpvs()) >= before + 3), what="fixes after the engine was killed")
    child = reader_of(monitor)
    monitor.kill(signal.SIGTERM)
    wait_until(lambda: not os.path.exists(f"/proc/{child}"), what="the end of the reader")
    return f"{len(tpvs())} fixes"


def parse(text):
    """Returns a time as milliseconds of Unix time."""
    import datetime
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000


def test_source_killed(work, programs):
    """The reader ends with the program that reads its output, even if that program is killed."""
    engine, client = stream(work)
    monitor = work.add(Process([programs.gpsbridge, "monitor", engine.url, "--format", "json"],
                               work.path("monitor.log"))).start()
    child = reader_of(monitor)
    monitor.kill()
    wait_until(lambda: not os.path.exists(f"/proc/{child}"), what="the end of the reader")


def test_source_unreachable(work, programs):
    """monitor ends with the reason if the server cannot be reached, as for tcp://."""
    for scheme in ("nats", "mqtt"):
        url = f"{scheme}://127.0.0.1:1/test/b1/r1"
        result = subprocess.run([programs.gpsbridge, "monitor", url, "--format", "text"], text=True,
                                capture_output=True, timeout=600, check=False)
        assert result.returncode == 1, result
        assert f"{url} cannot be reached (" in result.stderr, result


def test_source_labels(work, programs):
    """All outputs mark simulated and replayed data as such."""
    engine, client = stream(work)
    told = []
    for origin in ("simulated", "replay"):
        process = subprocess.Popen(
            [programs.gpsbridge, "monitor", f"{engine.url}/test/{origin}", "--format", "json", "-n", "3"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = output_of(process, lambda number: feed(client, number, origin, bridge=origin))
        tpvs = [line for line in lines if line["class"] == "TPV"]
        assert tpvs, lines
        if origin == "simulated":
            assert all(line.get("status") == 8 for line in tpvs), tpvs
        else:
            assert all(origin in line["device"] for line in tpvs), tpvs
        told.append(f"{origin}: {tpvs[-1]['device'].split('/', 3)[-1]}")
    return "; ".join(told)


def test_fleet(work, programs):
    """Lists members with their last fix, its age, the spool and the version."""
    engine, client = stream(work)
    # NOW is the start of all tests, which may be more than an hour ago.
    now = int(time.time()) * 1000
    client.publish_stored([batch("b1", 1, 5, start=now), batch("b2", 1, 1, start=now - 7_200_000, waiting=17),
                           # The clock of this bridge is ahead.
                           batch("b3", 1, 1, start=now + 7_200_000, fleet="other"), ("gps.test.b4.r1", "x", b"nonsense")])
    lines = programs.run("fleet", engine.url).stdout.splitlines()
    assert len(lines) == 4 and lines[0].startswith("MEMBER"), lines
    members = [json.loads(line) for line in programs.run("fleet", engine.url + "/test", "--json").stdout.splitlines()]
    assert [member["name"] for member in members] == ["test/b1/r1", "test/b2/r1"], members
    assert members[1]["spool"] == 17 and 7000 < members[1]["age"] < 7800, members
    assert members[0]["software"] == "gpsbridge test", members
    ahead = json.loads(programs.run("fleet", engine.url + "/other", "--json").stdout)
    assert ahead["age"] == ahead["seen"], ahead
    wrong = programs.run("fleet", "mqtt://127.0.0.1", check=False)
    assert wrong.returncode == 2 and "gpsbridge-fleet read mqtt://127.0.0.1" in wrong.stderr, wrong
    old = programs.run("fleet", engine.url, "--older", "1h").stdout.splitlines()
    assert len(old) == 2 and old[1].startswith("test/b2/r1"), old
    many = [batch(f"m{number}", 1, 1, start=now, fleet="many") for number in range(5000)]
    client.publish_stored(many)
    begin = time.monotonic()
    count = len(programs.run("fleet", engine.url + "/many").stdout.splitlines()) - 1
    assert count == 5000, count
    return f"5,000 members in {time.monotonic() - begin:.2f} s"


def test_gpx(work, programs):
    """A file for each day contains each point once and in order, even if points arrive late, twice, or after a
    kill."""
    engine, client = stream(work)
    folder = work.path("tracks")
    collect = ["collect", "--from", engine.url, "--to", f"gpx:{folder}", "--once"]
    client.publish_stored([batch("b1", 61, 60), batch("b1", 1, 60), batch("b2", 1, 60)])
    programs.run(*collect)
    programs.run(*collect, "--name", "again")
    client.publish_stored([batch("b1", 121, 60), batch("b1", 121, 60, boot="00")])
    [path] = glob.glob(f"{folder}/test/b1/r1/*.gpx")
    # The file is cut off, as after a loss of power.
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 700)
    programs.run(*collect, "--name", "third")
    text = open(path, encoding="utf-8").read()
    times = re.findall("<time>([^<]*)", text)
    assert len(times) == 180 and times == sorted(set(times)), (len(times), len(set(times)))
    subprocess.run(["/usr/bin/python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", path],
                   check=True)
    # Collects one receiver with a separate consumer, which from then on reads only this receiver.
    one = work.path("one")
    programs.run("collect", "--from", f"{engine.url}/test/b2", "--to", f"gpx:{one}", "--once")
    assert [path[len(one):].split("/")[1:4] for path in glob.glob(f"{one}/*/*/*/*.gpx")] == [["test", "b2", "r1"]]
    wrong = programs.run("collect", "--from", engine.url, "--to", f"gpx:{one}", "--once", "--name", "gpx-test-b2", check=False)
    assert wrong.returncode == 1 and "reads gps.test.b2.>, not gps.>" in wrong.stderr, wrong
    return f"{len(times)} points"


def test_collector_names(work, programs):
    """Names and subjects that NATS refuses are usage errors of collect."""
    for option, values in ("--name", ("a b", "a.b", "../x")), ("--subjects", ("gps..x", "gps.>.x", "gps. b")):
        for value in values:
            result = programs.run("collect", "--from", "nats://127.0.0.1:1", "--to", f"gpx:{work.path('names')}",
                                  "--once", f"{option}={value}", check=False)
            assert result.returncode == 2 and f"'{value}'" in result.stderr, result


def test_secrets(work, programs):
    """Passwords on the command line, and files that other users may read, are refused."""
    secret = work.path("secret")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("*:*:*:*:x\n")
    os.chmod(secret, 0o644)
    engine = ["--from", "nats://127.0.0.1:1"]
    for arguments, environment, status in (
            (["collect", *engine, "--to", "postgresql://u:secret@h/d"], {}, 2),
            (["collect", *engine, "--to", "postgresql://h/d?password=secret"], {}, 2),
            (["collect", "--from", "nats://u:secret@h", "--to", "gpx:x"], {}, 2),
            (["collect", *engine, "--to", "postgresql://h/d", "--credentials", secret], {}, 2),
            (["collect", *engine, "--to", "postgresql://h/d"], {"PGPASSFILE": secret}, 1),
            (["collect", *engine, "--to", "postgresql://h/d"], {"PGPASSWORD": "secret"}, 1),
            (["fleet", "nats://127.0.0.1:1"], {"GPSBRIDGE_CREDENTIALS": secret}, 2),
            (["read", "--format", "nmea", "nats://127.0.0.1:1"], {"GPSBRIDGE_CREDENTIALS": secret}, 2),
            (["read", "--format", "nmea", "nats://u:secret@h"], {}, 2)):
        result = subprocess.run([programs.fleet, *arguments], env={**os.environ, **environment}, text=True,
                                capture_output=True, timeout=600, check=False)
        assert result.returncode == status, (arguments, result)
        assert "secret" not in (result.stderr + result.stdout).replace(secret, ""), result
        if arguments[0] == "read":
            # gpsbridge shows this reason.
            error = json.loads(result.stdout)
            assert error["class"] == "ERROR" and error["message"] in result.stderr, result


def test_source_mqtt(work, programs):
    """A member by MQTT: gpsbridge reads messages of mosquitto_pub, and mosquitto_sub reads gpsbridge's messages."""
    broker = work.broker()
    process = subprocess.Popen(
        [programs.gpsbridge, "monitor", f"{broker.url}/test/b1/r1", "--format", "json", "-n", "3"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = output_of(process, lambda number: subprocess.run(
        ["mosquitto_pub", "-p", str(broker.port), "-q", "1", "-t", "gps/test/b1/r1", "-s"],
        input=batch("b1", number, 1, start=NOW)[2], check=True))
    tpvs = [line for line in lines if line["class"] == "TPV" and line["mode"] > 1]
    assert tpvs and tpvs[0]["device"].endswith("/test/b1/r1"), lines
    listener = broker.subscribed(lambda: subprocess.Popen(
        ["mosquitto_sub", "-p", str(broker.port), "-t", "gps/#", "-C", "3", "-v"], stdout=subprocess.PIPE, text=True))
    # Until the listener has its messages, because after a pause one message may contain all fixes of a few seconds.
    work.add(Process([programs.fleet, "simulate", "--fleet", "1", "--rate", "2", "--to", broker.url,
                      "--spool", work.path("spool.sqlite")], work.path("simulate.log"))).start()
    lines = listener.communicate(timeout=300)[0].splitlines()
    assert len(lines) == 3 and any('"gpsbridge":1' in line for line in lines), lines


def test_shared_ephemerides(work, programs):
    """A receiver that starts cold gets the ephemerides of another one of the fleet, and its first fix in seconds."""
    # Ephemerides are sent only by the time of a synchronised clock.
    clock = work.path("clock.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", clock, "-x", "c", "-"], check=True, text=True, input="""
        #include <sys/timex.h>
        int adjtimex(struct timex *state) { *state = (struct timex){ .maxerror = 1000 }; return TIME_OK; }
        """)
    engine, client = stream(work)

    def environment(name):
        return {**os.environ, "LD_PRELOAD": clock, "XDG_STATE_HOME": work.path(name)}

    def simulated(name, *arguments):
        link = work.path(name)
        work.add(Process([programs.gpsbridge, "simulate", "--link", link, *arguments], work.path(f"{name}.log"))).start()
        return wait_until(lambda: os.path.exists(link) and link, what=link)

    def asked(fleet="test"):
        result = subprocess.run([programs.fleet, "read", "--format", "rinex-nav", f"{engine.url}/{fleet}"], text=True,
                                capture_output=True, timeout=60)
        return result.stdout if result.returncode == 0 else json.loads(result.stdout)["message"]

    assert "no member of the fleet 'test' shares ephemerides" in asked(), asked()
    roof = simulated("roof", "--personality", "f9p")
    subprocess.run([programs.gpsbridge, "configure", roof, "--messages", "NAV-PVT,RXM-SFRBX"], check=True,
                   capture_output=True, env=environment("bus1"), timeout=60)
    publish = [programs.fleet, "publish", f"roof={roof}", "--to", engine.url, "--fleet-name", "test", "--bridge", "bus1",
               "--warm-start", "--share-ephemerides"]
    bridge = work.add(Process(publish, work.path("publish.log"), env=environment("bus1"))).start()
    wait_until(lambda: "have no ephemerides now" in asked(), what="the bridge")
    wait_until(lambda: engine.count("GPS") > 40, what="the messages of all satellites")
    bridge.kill(signal.SIGTERM)
    stored = os.path.join(work.path("bus1"), "gpsbridge", "ephemerides-simulated.rnx")
    assert os.path.exists(stored), "nothing is stored at the end"
    bridge.start()
    text = wait_until(lambda: (answer := asked()).startswith(" ") and answer, what="an answer")
    assert "origin: simulated" in text and text.count("\nG") > 4, text[:2000]
    assert "shares ephemerides" in asked("other")
    cold = simulated("cold", "--personality", "ublox9", "--cold")
    monitor = subprocess.run(
        [programs.gpsbridge, "monitor", cold, "--assist", f"{engine.url}/test", "--format", "text", "--duration", "10"],
        text=True, capture_output=True, timeout=60, env=environment("bus2"))
    used = re.search(r"the receiver used \d+ messages, (\d+) ephemerides", monitor.stderr)
    first = re.search(r"the first fix arrived ([\d.]+) s", monitor.stderr)
    assert used and first and float(first[1]) < 6, monitor.stderr
    # Without an answer, reading goes on.
    lonely = simulated("lonely", "--personality", "ublox9", "--cold")
    monitor = subprocess.run(
        [programs.gpsbridge, "monitor", lonely, "--assist", "nats://127.0.0.1:1/test", "--format", "text",
         "--duration", "5"], text=True, capture_output=True, timeout=60, env=environment("bus3"))
    assert monitor.returncode == 0 and "no ephemerides were read" in monitor.stderr, monitor
    return f"{used[1]} ephemerides, first fix after {first[1]} s"


def test_shared_corrections(work, programs):
    """The corrections of a base reach a receiver elsewhere by NATS: float, fixed, stale while the base's bridge is
    down, and fixed again."""
    engine, client = stream(work)

    def simulated(name, *arguments):
        link = work.path(name)
        work.add(Process([programs.gpsbridge, "simulate", "--at", "48.2,16.37", "--link", link, *arguments],
                         work.path(f"{name}.log"))).start()
        return wait_until(lambda: os.path.exists(link) and link, what=link)

    base, rover = simulated("base", "--personality", "base"), simulated("rover", "--personality", "f9p", "--protocol", "ubx")
    bridge = work.add(Process(
        [programs.fleet, "publish", f"mast={base}", "--to", engine.url, "--fleet-name", "test", "--bridge", "hut",
         "--share-corrections"], work.path("publish.log"))).start()
    url = f"{engine.url}/test/hut/mast"
    output = work.path("monitor.json")
    with open(output, "wb") as file:
        work.add(Process([programs.gpsbridge, "monitor", rover, "--corrections", url, "--format", "json"],
                         work.path("monitor.log"), stdout=file)).start()

    def reports(start):
        lines = [json.loads(line) for line in complete_lines(output)]
        return [line for line in lines if line["class"] == "TPV"][start:]

    def seen(key, value, start=0):
        """Waits for a report with a value. Returns the number of the next one."""
        what = f"{key} {value}"
        return wait_until(lambda: next((number for number, report in enumerate(reports(start), start + 1)
                                        if report.get(key) == value), None), what=what, seconds=120)

    seen("rtk", "float")
    number = seen("rtk", "fixed")
    last = reports(number - 1)[0]
    assert last["correctionState"] == "flowing" and "1005" in last["correctionTypes"], last
    # Whole messages, and nothing else, are read and passed on.
    reader = subprocess.Popen([programs.fleet, "read", "--format", "rtcm", url], stdout=subprocess.PIPE)
    data = reader.stdout.read(20_000)
    reader.kill()
    position = count = 0
    while position + 3 <= len(data):
        assert data[position] == 0xD3, data[position:position + 20]
        position += 6 + int.from_bytes(data[position + 1:position + 3], "big")
        count += 1
    bridge.kill()
    number = seen("correctionState", "stale", number)
    number = seen("rtk", "none", number)
    bridge.start()
    number = seen("rtk", "fixed", seen("correctionState", "flowing", number))
    # The server is down: what the base sends meanwhile is dropped.
    engine.nodes[0].kill()
    number = seen("correctionState", "waiting", number)
    engine.nodes[0].start()
    number = seen("correctionState", "flowing", number)

    def dropped_messages():
        with open(work.path("publish.log"), encoding="utf-8") as log:
            return re.search(r"(\d+) messages of corrections could not be sent in time", log.read())

    dropped = wait_until(dropped_messages, what="the number of dropped messages")
    # Nothing is stored.
    assert "gps-corrections" not in json.dumps(engine.stream("GPS")), engine.stream("GPS")
    for wrong in (engine.url + "/test", url.replace("nats", "mqtt")):
        result = subprocess.run([programs.gpsbridge, "monitor", rover, "--corrections", wrong], text=True,
                                capture_output=True, timeout=60)
        assert result.returncode == 2 and "nats://HOST/FLEET/BRIDGE/RECEIVER" in result.stderr, result
    return f"{count} messages read; {dropped[1]} dropped"


def test_correction_rights(work, programs):
    """The rights in docs/fleet.md suffice for corrections. Without them, both sides name the ones that are missing."""
    def user(name, publish, subscribe):
        return (f'{{ user: {name}, password: "password-of-{name}", permissions: {{ publish: {json.dumps(publish)}, '
                f'subscribe: {json.dumps(subscribe)} }} }}')

    fixes, corrections = "gps.test.hut.>", "gps-corrections.test.hut"
    users = (user("base", [fixes, f"{corrections}.>"], ["_INBOX.>"]), user("rover", ["none"], [f"{corrections}.mast"]),
             user("other", [fixes], ["_INBOX.>"]))
    engine = work.engine(nodes=1, extra=f"authorization {{ users: [{', '.join(users)}] }}")

    def password(name):
        path = work.path(f"password-{name}")
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(f"password-of-{name}\n")
        return path

    def url(name):
        return engine.url.replace("//", f"//{name}@")

    def publish(name):
        work.add(Process(
            [programs.fleet, "publish", "mast=simulated:base", "--to", url(name), "--password-file",
             password(name), "--fleet-name", "test", "--bridge", "hut", "--share-corrections", "--spool",
             work.path(f"{name}.sqlite")], work.path(f"{name}.log"))).start()

    def read(name, **options):
        return subprocess.Popen(
            [programs.fleet, "read", "--format", "rtcm", f"{url(name)}/test/hut/mast", "--password-file", password(name)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)

    def told(name):
        with open(work.path(f"{name}.log"), encoding="utf-8") as log:
            return f"allow this user to publish to {corrections}.>" in log.read()

    publish("other")
    wait_until(lambda: told("other"), what="the refusal")
    refused = json.loads(read("other").communicate(timeout=60)[0])
    assert f"allow this user to subscribe to {corrections}.mast" in refused["message"], refused
    publish("base")
    reader = read("rover")
    assert reader.stdout.read(1) == b"\xD3"
    reader.kill()
    assert not told("base")
