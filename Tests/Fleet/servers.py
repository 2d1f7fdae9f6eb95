# SPDX-License-Identifier: MIT
"""Runs engines, a broker and a database on the loopback interface, with free ports and one folder, which is removed
at the end."""

import atexit
import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from machine import free_ports


def wait_until(condition, seconds=300, what="a condition", every=0.02):
    """Polls a condition at an interval in seconds. Returns its value, or raises TimeoutError. The limit only ends a wait
    that would never end, because a machine may be slow or pause."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(every)


def complete_lines(path):
    """Returns the complete lines of a file to which another process writes. The file is read as a whole: the lines of an
    open file would contain the second half of a line that was completed after its first half was read."""
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def answers(port):
    """Returns whether a port accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Process:
    """A program that ends with this one, even if this one is killed."""

    def __init__(self, arguments, log, user=None, env=None, stdin=None, stdout=None,
                 end=signal.SIGKILL):
        # A change of the user would undo an earlier prctl, so setpriv calls it.
        command = ["setpriv", "--pdeathsig", "KILL"]
        if user is not None and os.geteuid() == 0:
            command += ["--reuid", user, "--regid", user, "--clear-groups"]
        self.arguments = command + arguments
        self.log, self.env, self.stdin, self.stdout = log, env, stdin, stdout
        self.end, self.process = end, None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.arguments, stdin=self.stdin or subprocess.DEVNULL,
                stdout=self.stdout or log, stderr=log, env=self.env)
        return self

    @property
    def pid(self):
        return self.process.pid

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self, number=signal.SIGKILL, wait=True):
        """Sends a signal, and waits until the program has ended."""
        if self.is_running():
            self.process.send_signal(number)
            if wait:
                self.process.wait(300)

    def usage(self):
        """Returns the CPU time in seconds, and the resident memory in megabytes."""
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        ticks = os.sysconf("SC_CLK_TCK")
        cpu = (int(fields[11]) + int(fields[12])) / ticks
        return cpu, int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Engine:
    """nats-server with JetStream: a cluster of three nodes, or a single node."""

    def __init__(self, folder, nodes=3, user=None, extra=""):
        self.folder = folder
        ports = free_ports(3 * nodes)
        self.ports, cluster, self.http = ports[:nodes], ports[nodes:2 * nodes], ports[2 * nodes:]
        self.nodes = []
        for index in range(nodes):
            name = f"n{index + 1}"
            lines = [
                f"server_name: {name}", "host: 127.0.0.1", f"port: {self.ports[index]}",
                f"http: 127.0.0.1:{self.http[index]}", 'lame_duck_grace_period: "2s"',
                'lame_duck_duration: "30s"',
                f'jetstream {{ store_dir: "{folder}/{name}", max_memory_store: 64MB, max_file_store: 40GB }}',
                extra,
            ]
            if nodes > 1:
                routes = ", ".join(f"nats://127.0.0.1:{port}" for port in cluster)
                lines.append(
                    f"cluster {{ name: fleet, host: 127.0.0.1, port: {cluster[index]}, "
                    # Otherwise, clients would learn addresses that bypass the connection that a test cuts.
                    f"no_advertise: true, routes: [{routes}] }}")
            path = f"{folder}/{name}.conf"
            with open(path, "w") as file:
                file.write("\n".join(lines) + "\n")
            self.nodes.append(Process(["nats-server", "-c", path], f"{folder}/{name}.log"))

    def start(self):
        for node in self.nodes:
            node.start()
        return self.ready()

    def ready(self):
        """Waits until every node runs and the cluster has a leader."""
        wait_until(lambda: all(answers(port) for port in self.ports), what="nats-server")
        wait_until(self._has_leader, what="the leader of the cluster")
        return self

    def _has_leader(self):
        if len(self.nodes) == 1:
            return True
        try:
            return any(self.get(index, "jsz").get("meta_cluster", {}).get("leader")
                       for index in range(len(self.nodes)))
        except (OSError, http.client.HTTPException):
            return False

    @property
    def url(self):
        return "nats://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def get(self, index, page):
        """Returns a page of a node's monitoring port."""
        address = f"http://127.0.0.1:{self.http[index]}/{page}"
        with urllib.request.urlopen(address, timeout=60) as answer:
            return json.load(answer)

    def streams(self, name):
        """Returns the state of a stream according to each running node, with the node's name."""
        for index, node in enumerate(self.nodes):
            if not node.is_running():
                continue
            try:
                page = self.get(index, "jsz?streams=true&config=true&consumers=true")
            except (OSError, http.client.HTTPException):
                continue
            for account in page.get("account_details", []):
                for stream in account.get("stream_detail", []) or []:
                    if stream["name"] == name:
                        yield f"n{index + 1}", stream

    def stream(self, name):
        """Returns the state of a stream according to a running node; None if there is none."""
        return next((stream for _, stream in self.streams(name)), None)

    def count(self, name):
        """Returns the number of messages in a stream; 0 if there is none."""
        stream = self.stream(name)
        return stream["state"]["messages"] if stream else 0

    def consumer(self, stream, name):
        """Returns the state of a consumer according to its leader, because the other nodes' states are older; None
        while there is no leader."""
        for node, detail in self.streams(stream):
            for consumer in detail.get("consumer_detail") or []:
                leader = consumer.get("cluster", {}).get("leader", node)
                if consumer["name"] == name and leader == node:
                    return consumer
        return None

    def leader(self, stream):
        """Returns the index of the stream's leader; None while there is none."""
        detail = self.stream(stream)
        name = detail and detail.get("cluster", {}).get("leader")
        return int(name[1:]) - 1 if name else None


class Broker:
    """mosquitto, with settings that store acknowledged messages."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_ports(1)[0]
        path = f"{folder}/mosquitto.conf"
        with open(path, "w") as file:
            file.write(
                f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\nlog_type all\n"
                f"persistence_location {folder}/\nautosave_interval 1\nautosave_on_changes true\n"
                "max_queued_messages 0\n" + ("user root\n" if os.geteuid() == 0 else ""))
        self.process = Process(["mosquitto", "-c", path], f"{folder}/mosquitto.log")

    def start(self):
        self.process.start()
        wait_until(lambda: answers(self.port), what="mosquitto")
        return self

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def subscribed(self, start):
        """Calls a function that starts a subscriber, and waits until the broker has acknowledged a subscription. Returns
        the subscriber."""
        def count():
            with open(self.process.log, encoding="utf-8") as file:
                return file.read().count("Sending SUBACK")
        before = count()
        subscriber = start()
        wait_until(lambda: count() > before, what="a subscription")
        return subscriber

    def publish(self, topic, text):
        """Publishes a message. Subscribers receive it after all messages that the broker has received before."""
        subprocess.run(["mosquitto_pub", "-p", str(self.port), "-q", "1", "-t", topic, "-m", text], check=True)


class Database:
    """PostgreSQL with PostGIS, which listens only on a Unix socket, and never runs as root."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = max(
            (f"/usr/lib/postgresql/{version}/bin" for version in os.listdir("/usr/lib/postgresql")),
            key=lambda path: int(path.split("/")[4]))
        self.user = "postgres" if os.geteuid() == 0 else None
        name = self.user or pwd.getpwuid(os.geteuid()).pw_name
        os.makedirs(folder)
        if self.user:
            shutil.chown(folder, self.user, self.user)
        initdb = Process(
            [f"{self.programs}/initdb", "-D", f"{folder}/data", "-A", "trust", "-U", name],
            f"{folder}.log", self.user, {**os.environ, "HOME": folder}).start()
        if initdb.process.wait() != 0:
            raise RuntimeError(f"initdb failed: {open(f'{folder}.log').read()}")
        with open(f"{folder}/data/postgresql.conf", "a") as file:
            file.write(
                f"listen_addresses = ''\nunix_socket_directories = '{folder}'\nshared_buffers = 512MB\n"
                "max_wal_size = 4GB\ntimezone = 'UTC'\n")
        # After SIGKILL, its backends would remain for a moment. SIGQUIT also ends them.
        self.process = Process(
            [f"{self.programs}/postgres", "-D", f"{folder}/data"], f"{folder}.log", self.user,
            {**os.environ, "HOME": folder}, end=signal.SIGQUIT)
        self.environment = {**os.environ, "PGHOST": folder, "PGUSER": name, "PGDATABASE": "gps"}

    def start(self):
        def is_up():
            # After kill -9, the old backends keep the shared memory for a moment.
            if not self.process.is_running():
                self.process.start()
            return subprocess.run(
                ["pg_isready", "-q", "-h", self.folder, "-d", "postgres"], check=False).returncode == 0
        wait_until(is_up, what="PostgreSQL")
        return self

    def create(self, name="gps"):
        subprocess.run(["createdb", name], env=self.environment, check=True)
        return self

    @property
    def url(self):
        return f"postgresql://{self.environment['PGUSER']}@/gps?host={self.folder}"

    def sql(self, text, quiet=False):
        """Runs a statement. Returns rows as lists of strings."""
        arguments = ["psql", "-XqAtF", "\t", "-v", "ON_ERROR_STOP=1", "-c", text]
        result = subprocess.run(
            arguments, env=self.environment, check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if quiet else None, text=True)
        return [line.split("\t") for line in result.stdout.splitlines()]

    def value(self, text, quiet=False):
        return self.sql(text, quiet)[0][0]


class Cut:
    """A connection to a server that can be cut: then bytes are dropped, and connections stay open."""

    def __init__(self, port):
        import threading
        self.target, self.is_cut = port, False
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        import threading
        while True:
            near, _ = self.listener.accept()
            if self.is_cut:
                # The connection stays open but silent, as in a network that drops everything.
                threading.Thread(target=self._copy, args=(near, None), daemon=True).start()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                near.close()
                continue
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self._copy, args=pair, daemon=True).start()

    def _copy(self, source, target):
        try:
            while data := source.recv(65536):
                # Bytes that were in flight when the connection was cut never arrive.
                if target is None or self.is_cut:
                    target = None
                    continue
                target.sendall(data)
        except OSError:
            pass
        for each in (source, target):
            if each is not None:
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                each.close()


class Work:
    """The folder of a run and its programs, which are ended and removed at the end."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="gpsbridge-fleet-", dir=os.environ.get("TMPDIR"))
        os.chmod(self.folder, 0o711)
        self.processes = []
        atexit.register(self.close)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(1))

    def path(self, name):
        return os.path.join(self.folder, name)

    def add(self, *processes):
        self.processes += processes
        return processes[0]

    def engine(self, **options):
        folder = self.path(f"engine{len(self.processes)}")
        os.makedirs(folder)
        engine = Engine(folder, **options)
        self.add(*engine.nodes)
        return engine.start()

    def broker(self):
        folder = self.path(f"broker{len(self.processes)}")
        os.makedirs(folder)
        broker = Broker(folder)
        self.add(broker.process)
        return broker.start()

    def database(self):
        database = Database(self.path(f"postgres{len(self.processes)}"))
        self.add(database.process)
        return database.start().create()

    def close(self):
        for process in reversed(self.processes):
            process.kill(process.end)
        if os.environ.get("FLEET_KEEP"):
            print(f"kept: {self.folder}", file=sys.stderr)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    # Starts everything, prints the addresses, and runs until it is interrupted.
    work = Work()
    engine, broker, database = work.engine(), work.broker(), work.database()
    print(f"engine    {engine.url}\nbroker    {broker.url}\ndatabase  {database.url}", flush=True)
    signal.pause()
