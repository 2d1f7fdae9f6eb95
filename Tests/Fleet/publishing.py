# SPDX-License-Identifier: MIT
"""Tests of publishing: access, encryption, MQTT's quality of service, and a week offline."""

import base64
import json
import os
import signal
import sqlite3
import subprocess
import time
from datetime import datetime

from engine_client import EngineClient, decoded
from servers import Process, answers, free_ports, wait_until


def certificates(work):
    """Creates an authority and a certificate for 127.0.0.1. Returns the paths by name."""
    paths = {name: work.path(name) for name in ("ca.key", "ca.pem", "host.key", "host.csr", "host.pem", "host.ext")}
    with open(paths["host.ext"], "w", encoding="utf-8") as file:
        file.write("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    for arguments in (
        ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=test authority", "-keyout", paths["ca.key"], "-out", paths["ca.pem"]],
        ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=127.0.0.1",
         "-keyout", paths["host.key"], "-out", paths["host.csr"]],
        ["x509", "-req", "-in", paths["host.csr"], "-CA", paths["ca.pem"], "-CAkey", paths["ca.key"], "-days", "2",
         "-CAcreateserial", "-extfile", paths["host.ext"], "-out", paths["host.pem"]],
    ):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)
    return paths


class Key:
    """A key of NATS: ed25519, in base 32 with a checksum."""

    PREFIXES = {"user": 20 << 3, "account": 0, "operator": 14 << 3}

    def __init__(self, work, kind, name=None):
        self.path = work.path(f"{name or kind}.pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.path], check=True)
        private = subprocess.run(["openssl", "pkey", "-in", self.path, "-outform", "DER"], check=True,
                                 capture_output=True).stdout[-32:]
        public = subprocess.run(["openssl", "pkey", "-in", self.path, "-pubout", "-outform", "DER"], check=True,
                                capture_output=True).stdout[-32:]
        prefix = self.PREFIXES[kind]
        seed = 18 << 3
        self.public = self._encoded(bytes([prefix]) + public)
        self.seed = self._encoded(bytes([seed | prefix >> 5, (prefix & 31) << 3]) + private)

    @staticmethod
    def _encoded(data):
        crc = 0
        for byte in data:
            crc ^= byte << 8
            for _ in range(8):
                crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1 & 0xFFFF
        return base64.b32encode(data + crc.to_bytes(2, "little")).decode().rstrip("=")

    def token(self, work, name, subject, claims):
        """A signed statement about another key."""
        def part(data):
            return base64.urlsafe_b64encode(data).decode().rstrip("=")
        body = {"jti": name, "iat": int(time.time()), "iss": self.public, "name": name, "sub": subject,
                "nats": {"version": 2, **claims}}
        text = part(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode()) + "." + part(
            json.dumps(body).encode())
        path = work.path("to-sign")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        signature = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.path, "-in", path],
                                   check=True, capture_output=True).stdout
        return f"{text}.{part(signature)}"


def secret(work, name, text, mode=0o600):
    path = work.path(name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def publish(programs, work, *arguments, until=None):
    """Publishes a simulated receiver until its log contains some words or, without words, until all spooled fixes
    are stored. Returns the log."""
    log, spool = work.path(f"publish{len(work.processes)}.log"), work.path("access.sqlite")

    def spooled():
        """Returns the total number of spooled fixes, and the number of waiting ones."""
        try:
            with sqlite3.connect(f"file:{spool}?mode=ro", uri=True, timeout=30) as file:
                return file.execute("SELECT (SELECT seq FROM sqlite_sequence), (SELECT count(*) FROM fix)").fetchone()
        except sqlite3.OperationalError:
            return None, 0  # not there yet

    before = spooled()[0] or 0
    bridge = work.add(Process([programs.fleet, "publish", "bus=simulated", "--bridge", "b7", "--spool", spool, *arguments],
                              log)).start()

    def text():
        return open(log, encoding="utf-8").read()

    def is_over():
        if not bridge.is_running() or until is not None:
            return not bridge.is_running() or until in text()
        count, waiting = spooled()
        return ": connected" in text() and (count or 0) > before and waiting == 0

    try:
        wait_until(is_over, what=until or "a stored fix", every=0.05)
    except TimeoutError as error:
        raise TimeoutError(f"{error}: {text()}") from error
    bridge.kill(signal.SIGTERM)
    return text()


def refused(programs, work, *arguments):
    text = publish(programs, work, *arguments, until="not connected")
    assert "not connected" in text and ": connected" not in text, text
    # The reason is reported once, not for each attempt in different words.
    assert "The connection was refused" not in text, text


def test_nkey_and_tls(work, programs):
    """An encrypted connection with an nkey. A wrong authority or a missing key is refused and reported."""
    files, key = certificates(work), Key(work, "user")
    engine = work.engine(nodes=1, extra=f"""
authorization {{ users: [ {{ nkey: {key.public} }} ] }}
tls {{ cert_file: "{files['host.pem']}", key_file: "{files['host.key']}" }}
""")
    url = engine.url.replace("nats://", "tls://")
    nkey = secret(work, "bus.nk", f"{key.seed}\n{key.public}\n")
    access = ["--to", url, "--nkey", nkey, "--ca", files["ca.pem"]]
    publish(programs, work, *access, "--create-stream")
    wait_until(lambda: engine.count("GPS") > 0, what="fixes")
    refused(programs, work, "--to", url, "--ca", files["ca.pem"])
    refused(programs, work, "--to", url, "--nkey", nkey)
    os.chmod(nkey, 0o644)
    assert "chmod 600" in publish(programs, work, *access)
    return "connected with both; refused without the key, without the authority, with a key that others can read"


def test_credentials(work, programs):
    """A credentials file that allows only the bridge's own subjects."""
    operator, account, user = (Key(work, kind) for kind in ("operator", "account", "user"))
    system = Key(work, "account", "system")
    limits = {name: -1 for name in ("subs", "conn", "data", "payload", "imports", "exports", "leaf",
                                    "mem_storage", "disk_storage", "streams", "consumer")}
    tokens = {
        "operator": operator.token(work, "operator", operator.public, {"type": "operator"}),
        "account": operator.token(work, "account", account.public, {
            "type": "account", "limits": {**limits, "wildcards": True}}),
        "system": operator.token(work, "SYS", system.public, {
            "type": "account", "limits": {**limits, "wildcards": True, "mem_storage": 0, "disk_storage": 0}}),
        "user": account.token(work, "user", user.public, {
            "type": "user", "subs": -1, "data": -1, "payload": -1,
            "pub": {"allow": ["gps.fleet.b7.>", "$JS.API.STREAM.>"]}, "sub": {"allow": ["_INBOX.>"]}}),
    }
    engine = work.engine(nodes=1, extra=f"""
operator: {tokens['operator']}
resolver: MEMORY
system_account: {system.public}
resolver_preload: {{
    {account.public}: {tokens['account']}
    {system.public}: {tokens['system']}
}}
""")
    creds = secret(work, "bus.creds", f"""-----BEGIN NATS USER JWT-----
{tokens['user']}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
{user.seed}
------END USER NKEY SEED------
""")
    access = ["--to", engine.url, "--credentials", creds, "--create-stream"]
    publish(programs, work, *access)
    wait_until(lambda: engine.count("GPS") > 0, what="fixes")
    text = publish(programs, work, *access, "--bridge", "other", until="ermissions")
    assert "ermissions" in text, text
    reader = programs.run("read", engine.url, "--credentials", creds, check=False)
    assert reader.returncode == 1 and "allow this user to subscribe to gps.>" in reader.stderr, reader
    refused(programs, work, "--to", engine.url)
    return "its own subjects are taken, another bridge's refused and told of"


def broker_with_users(work):
    files = certificates(work)
    port = free_ports(1)[0]
    password = secret(work, "mqtt.password", "tell nobody\n")
    users = work.path("users")
    subprocess.run(["mosquitto_passwd", "-b", "-c", users, "bus", "tell nobody"], check=True, capture_output=True)
    for path in (users, files["host.key"]):
        os.chmod(path, 0o644)
    config = work.path("mosquitto.conf")
    with open(config, "w", encoding="utf-8") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {users}\n"
                   f"certfile {files['host.pem']}\nkeyfile {files['host.key']}\n")
    work.add(Process(["mosquitto", "-c", config], work.path("mosquitto.log"))).start()
    wait_until(lambda: answers(port), what="mosquitto")
    return port, files, password


def test_mqtt_access(work, programs):
    """An encrypted connection to a broker, with a user and a password."""
    port, files, password = broker_with_users(work)
    url = f"mqtts://bus@127.0.0.1:{port}"
    access = ["--to", url, "--ca", files["ca.pem"]]
    # This waits until the broker has acknowledged all fixes. One that comes later may remain in the spool.
    text = publish(programs, work, *access, "--password-file", password)
    assert "tell nobody" not in text
    with sqlite3.connect(work.path("access.sqlite")) as spool:
        assert spool.execute("SELECT seq FROM sqlite_sequence").fetchone()[0] > 0
    refused(programs, work, *access)
    refused(programs, work, "--to", url, "--password-file", password)
    changed = secret(work, "changed.password", "wrong\n")
    log = work.path("changed.log")
    bridge = work.add(Process([programs.fleet, "publish", "bus=simulated", "--spool", work.path("changed.sqlite"),
                               *access, "--password-file", changed], log)).start()
    wait_until(lambda: "not connected" in open(log, encoding="utf-8").read(), what="a refusal")
    secret(work, "changed.password", "tell nobody\n")
    wait_until(lambda: ": connected" in open(log, encoding="utf-8").read(), what="a connection with the new password")
    bridge.kill(signal.SIGTERM)
    return "connected with both; refused without the password and without the authority; a changed password is used"


def test_last_will(work, programs):
    """kill -9 of a bridge: the broker reports it as offline, in the form of each format."""
    broker = work.broker()
    told = []
    for form, topic, offline in (("gpsbridge", "gps/fleet/b7/status", "offline"),
                                 ("owntracks", "owntracks/b7/bus", '"_type":"lwt"')):
        output = work.path(f"{form}.txt")
        with open(output, "wb") as file:
            listener = work.add(Process(["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker.port), "-t", topic],
                                        work.path("sub.log"), stdout=file))
            broker.subscribed(listener.start)
        bridge = work.add(Process(
            [programs.fleet, "publish", "bus=simulated", "--bridge", "b7", "--to", broker.url, "--format", form,
             "--spool", work.path(f"{form}.sqlite")], work.path("bridge.log"))).start()
        wait_until(lambda: open(output, encoding="utf-8").read(), what="the first message")
        bridge.kill()
        wait_until(lambda: offline in open(output, encoding="utf-8").read().splitlines()[-1], what="the last will")
        told.append(form)
    return ", ".join(told)


def test_broker_killed(work, programs):
    """kill -9 of a broker that keeps what it acknowledges: a subscriber that was disconnected gets every fix. This
is true of nats-server. mosquitto acknowledges before it writes: with autosave_interval 1 and autosave_on_changes
    it lost 10 of 352 fixes in five kills.
    """
    port = free_ports(1)[0]
    engine = work.engine(nodes=1, extra=f"mqtt {{\n host: 127.0.0.1\n port: {port}\n}}")
    url, spool = f"mqtt://127.0.0.1:{port}", work.path("mqtt.sqlite")
    base = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(port), "-i", "reader", "-c", "-q", "1",
            "-t", "gps/+/+/gps"]
    subprocess.run([*base, "-E"], check=True)
    bridge = work.add(Process([programs.fleet, "simulate", "--fleet", "3", "--rate", "5", "--to", url,
                               "--spool", spool], work.path("bridge.log"))).start()
    for _ in range(5):
        time.sleep(1.5)
        engine.nodes[0].kill()
        time.sleep(0.5)
        engine.start()
    time.sleep(8)
    bridge.kill(signal.SIGTERM)
    drain = Process([programs.fleet, "simulate", "--fleet", "1", "--to", url, "--spool", spool,
                     "--duration", "0.001"], work.path("drain.log")).start()
    wait_until(lambda: not drain.is_running(), what="the spool to be empty")
    with sqlite3.connect(spool) as file:
        spooled = file.execute("SELECT seq FROM sqlite_sequence").fetchone()[0]
    reader = subprocess.run([*base, "-F", "%x", "-W", "6"], check=False, capture_output=True, text=True)
    numbers = [number for line in reader.stdout.split()
               for number in json.loads(decoded(bytes.fromhex(line)))["seq"]]
    missing = spooled - len(set(numbers))
    assert missing == 0, f"{missing} of {spooled} fixes lost"
    return f"5 kills, {spooled} fixes: 0 lost, {len(numbers) - spooled} twice"


def test_week_offline(work, programs):
    """604,800 fixes wait while there is no engine. Then they are sent while live fixes are not delayed."""
    port = free_ports(1)[0]
    spool = work.path("week.sqlite")
    bridge = work.add(Process(
        [programs.fleet, "simulate", "--fleet", "1", "--past", "7d", "--to", f"nats://127.0.0.1:{port}",
         "--create-stream", "--spool", spool], work.path("bridge.log"))).start()

    def waiting():
        with sqlite3.connect(f"file:{spool}?mode=ro", uri=True) as file:
            return file.execute("SELECT count(*) FROM fix").fetchone()[0]

    time.sleep(1)
    memory = [bridge.usage()[1]]

    def is_full():
        memory.append(bridge.usage()[1])
        time.sleep(0.5)
        return waiting() > 604_800

    wait_until(is_full, 300, "604,800 fixes")
    size = os.path.getsize(spool) / 1e6
    path = work.path("engine.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"server_name: n1\nhost: 127.0.0.1\nport: {port}\njetstream {{ store_dir: "
                   f"\"{work.path('store')}\", max_memory_store: 64MB, max_file_store: 4GB }}\n")
    work.add(Process(["nats-server", "-c", path], work.path("engine.log"))).start()
    wait_until(lambda: waiting() < 10, what="the spool to be empty")
    time.sleep(3)
    bridge.kill(signal.SIGTERM)
    client = EngineClient(port)
    state = client.ask("STREAM.INFO.GPS")["state"]
    ages, numbers, first, drained, size_sent = [], set(), None, None, 0
    for index in range(1, state["messages"] + 1):
        message = client.ask("STREAM.MSG.GET.GPS", seq=index)["message"]
        stored = datetime.fromisoformat(message["time"][:26].rstrip("Z") + "+00:00").timestamp()
        first = first or stored
        data = base64.b64decode(message["data"])
        size_sent += len(data)
        batch = json.loads(decoded(data))
        numbers.update(batch["seq"])
        # The first second is needed for connecting.
        if batch["received"][-1] / 1000 > first + 1:
            ages.append(stored - batch["received"][-1] / 1000)
        if batch["waiting"] <= 700 and drained is None:
            drained = stored - first
    assert len(numbers) == max(numbers) >= 604_800, f"{max(numbers) - len(numbers)} fixes lost"
    assert max(ages) <= 1, f"a live fix was {max(ages):.1f} s old"
    return (f"{size:.0f} MB on the disk, memory {memory[1]:.0f} to {max(memory):.0f} MB, drained in {drained:.0f} s, "
            f"live fixes at most {max(ages):.2f} s old, {size_sent / len(numbers):.1f} B a fix")


def with_small_disk(disk):
    """Returns a command that runs another one with a disk of 20 MB at this path; None if users may not mount."""
    os.mkdir(disk)
    # A separate namespace, in which any user may mount. It ends with the process.
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
              f'mount -t tmpfs -o size=20m none {disk} && exec "$@"', "sh"]
    return inside if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode == 0 else None


def test_full_disk_at_start(work, programs):
    """The spool can be opened and used if the disk has become full before, because its reserve is released."""
    disk, broker = work.path("disk"), work.broker()
    inside = with_small_disk(disk)
    if inside is None:
        return "not tested: this machine lets no user mount"
    spool = f"{disk}/spool.sqlite"
    script = f"""
        "$@" && test -e {spool}-reserve || exit 2
        cat /dev/zero 2> /dev/null > {disk}/other
        "$@" && ! test -e {spool}-reserve || exit 3"""
    result = subprocess.run(
        [*inside, "sh", "-c", script, "sh", programs.fleet, "simulate", "--fleet", "10", "--duration", "1", "--to",
         broker.url, "--spool", spool], text=True, capture_output=True, timeout=120, check=False)
    assert result.returncode == 0, result
    return result.stderr.splitlines()[-1]


def test_full_disk(work, programs):
    """A full disk of 20 MB: the oldest fixes are dropped, all others arrive, and the spool still works."""
    disk, port = work.path("disk"), free_ports(1)[0]
    inside = with_small_disk(disk)
    if inside is None:
        return "not tested: this machine lets no user mount"
    log = work.path("bridge.log")
    bridge = work.add(Process(
        [*inside, programs.fleet, "simulate", "--fleet", "10", "--past", "5h", "--to", f"nats://127.0.0.1:{port}",
         "--create-stream", "--spool", f"{disk}/spool.sqlite"], log)).start()

    def logged():
        return open(log, encoding="utf-8").read()

    def spooled(statement):
        # SQLite cannot open files by /proc/PID/root.
        script = f"import sqlite3; print(sqlite3.connect('{disk}/spool.sqlite', timeout=30).execute('{statement}').fetchone()[0])"
        result = subprocess.run(
            ["nsenter", "--user", "--mount", "--preserve-credentials", "--target", str(bridge.pid), "/usr/bin/python3", "-c",
             script], text=True, capture_output=True, check=True)
        return int(result.stdout)

    wait_until(lambda: "oldest fixes were dropped" in logged(), what="a full disk", every=0.2)
    # 180,000 fixes were spooled, more than fit on the disk.
    wait_until(lambda: spooled("SELECT max(seq) FROM fix") > 180_000, what="the fixes of five hours", every=0.5)
    assert spooled("SELECT count(*) FROM fix") < 175_000
    path = work.path("engine.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"server_name: n1\nhost: 127.0.0.1\nport: {port}\njetstream {{ store_dir: "
                   f"\"{work.path('store')}\", max_memory_store: 64MB, max_file_store: 4GB }}\n")
    work.add(Process(["nats-server", "-c", path], work.path("engine.log"))).start()
    wait_until(lambda: spooled("SELECT count(*) FROM fix") < 100, what="the spool to be empty", every=0.5)
    bridge.kill(signal.SIGTERM)
    client = EngineClient(port)
    numbers = set()
    for index in range(1, client.ask("STREAM.INFO.GPS")["state"]["messages"] + 1):
        message = client.ask("STREAM.MSG.GET.GPS", seq=index)["message"]
        numbers.update(json.loads(decoded(base64.b64decode(message["data"])))["seq"])
    # Only the oldest fixes are missing: the others have no gaps.
    assert len(numbers) == max(numbers) - min(numbers) + 1, (len(numbers), min(numbers), max(numbers))
    return f"{min(numbers) - 1} of the oldest fixes dropped, {len(numbers)} arrived"


def test_on_change(work, programs):
    """--on-change: one fix of a receiver at rest is published, and one every 10 m of a moving receiver."""
    broker = work.broker()

    def count(speed, seconds):
        """Returns the number of fixes that are published in this time at this speed."""
        name = f"{speed}-{seconds}"
        output, topic = work.path(f"change{name}.txt"), f"gps/fleet/b{name}/bus/tpv"
        with open(output, "wb") as file:
            listener = work.add(Process(
                ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker.port), "-t", topic],
                work.path("sub.log"), stdout=file))
            broker.subscribed(listener.start)
        programs.run("publish", f"bus=simulated:speed={speed},radius=500,rate=10", "--bridge", f"b{name}", "--to",
                     broker.url, "--format", "gpsd", "--on-change", "--duration", str(seconds), "--spool",
                     work.path(f"change{name}.sqlite"))
        broker.publish(topic, "end")

        def lines():
            return open(output, encoding="utf-8").read().splitlines()

        wait_until(lambda: lines()[-1:] == ["end"], what="the messages", every=0.1)
        listener.kill(signal.SIGTERM)
        return len(lines()) - 1

    def result(speed):
        """Returns the number of fixes at this speed, and the number of fixes without --on-change."""
        for seconds in 16, 45:
            number, least = count(speed, seconds), 1 if speed == 0 else seconds // 4
            # 16 s at 20 m/s are 320 m. A pause of the machine may leave too little of this time.
            assert number <= (2 if speed == 0 else 3 * seconds), number
            if number >= least:
                return f"{number} of some {10 * seconds} fixes"
        raise AssertionError(f"{number} fixes at {speed} m/s, not {least}")

    return f"{result(0)} while standing, {result(20)} at 20 m/s"
