# SPDX-License-Identifier: MIT
"""Measures the delay of epochs while hostile clients are connected: hostile.py COMMAND [CLIENTS [SECONDS]]

Writes an epoch to two pseudo terminals ten times a second. `serve` reads one of them. The other one is read by the
yardstick, a program that only forwards the time of each epoch. Measures the time from the write until a
well-behaved client receives the TPV, until a socket like chronyd's receives the time, and until the yardstick's
socket receives it; and the additional time compared with the yardstick for the same epoch. It measures first
without other clients, then with CLIENTS that send POLL 680 times each and never read, floods of connections and of
requests for pages, slow readers of tracks, and clients that request sheets and do not wait for them. Exits with 1
if `serve` takes 10 ms more than the yardstick."""
import math
import os
import random
import resource
import select
import socket
import struct
import subprocess
import sys
import time
import tty

RATE = 10
LIMIT = 0.010


def allow_many_files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


# The hostile clients. Each is a separate process with low priority, as if it ran on another machine.


def connect(port, buffer=None):
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.settimeout(5)
    client.connect(("127.0.0.1", port))
    return client


def send(client, data):
    """Sends as many bytes as the socket accepts."""
    client.setblocking(False)
    try:
        return client.send(data)
    except OSError:
        return 0


def aborted(client):
    """Closes the connection with a reset."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def polls(port, count):
    requests = b'?WATCH={"enable":true,"json":false};' + b"?POLL;" * 680
    clients = []
    while True:
        while len(clients) < count:
            client = connect(port, 4096)
            send(client, requests)
            clients.append(client)
        time.sleep(0.2)
        for _ in range(count // 20):
            clients.pop(random.randrange(len(clients))).close()


def connects(port, count):
    while True:
        clients = []
        for _ in range(200):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            clients.append(client)
        time.sleep(0.02)
        for client in clients:
            aborted(client)


def fixes(port, count):
    clients = []
    while True:
        while len(clients) < 50:
            client = connect(port, 4096)
            send(client, b"GET /api/fixes?format=gpx HTTP/1.1\r\nHost: localhost\r\n\r\n")
            clients.append(client)
        time.sleep(0.2)
        for client in clients[:]:
            try:
                if client.recv(100):
                    continue
            except BlockingIOError:
                continue
            except OSError:
                pass
            clients.remove(client)
            client.close()


def sheets(port, count):
    while True:
        clients = [connect(port) for _ in range(20)]
        for client in clients:
            send(client, b"GET /api/sheet.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.05)
        for client in clients:
            aborted(client)


def pages(port, count):
    paths = ["/state", "/events", "/api/receivers", "/metrics", "/", "/state"]
    requests = "".join("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path for path in paths)
    while True:
        clients = [connect(port) for _ in range(100)]
        for client in clients:
            send(client, requests.encode())
        time.sleep(0.5)
        for client in clients:
            aborted(client)


def yardstick(terminal, target):
    """Reads a terminal, and forwards the time in the last sentence of each epoch."""
    out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    reading = os.open(terminal, os.O_RDONLY | os.O_NOCTTY)
    rest = b""
    while True:
        lines = (rest + os.read(reading, 4096)).split(b"\n")
        rest = lines.pop()
        for line in lines:
            if line.startswith(b"$GNGGA"):
                out.sendto(line.split(b",")[1], target)


# The measurement.


def sentence(body):
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return "$%s*%02X\r\n" % (body, checksum)


def burst(at):
    """Returns the sentences of the epoch at an instant, which is in tenths of a second since 1970."""
    moment = time.gmtime(at // RATE)
    clock = time.strftime("%H%M%S", moment) + ".%d0" % (at % RATE)
    date = time.strftime("%d%m%y", moment)
    return (
        sentence("GNRMC,%s,A,4807.0380,N,01131.0020,E,0.0,,%s,,,A" % (clock, date))
        + sentence("GNGGA,%s,4807.0380,N,01131.0020,E,1,09,0.9,171.0,M,43.4,M,," % clock)
    ).encode()


class Terminal:
    def __init__(self, link):
        self.master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        os.symlink(os.ttyname(slave), link)
        self.slave = slave
        self.written = {}

    def write(self, at):
        data = burst(at)
        self.written[at] = time.monotonic()
        os.write(self.master, data)


class Measurement:
    def __init__(self, folder, port):
        self.serving, self.plain = Terminal(folder + "/rx"), Terminal(folder + "/plain")
        self.clock = self.bound(folder + "/clock")
        self.yardstick = self.bound(folder + "/yardstick")
        self.port = port
        self.client, self.rest = None, b""
        self.came = {"client": {}, "clock": {}, "yardstick": {}}

    @staticmethod
    def bound(path):
        bound = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        bound.setblocking(False)
        bound.bind(path)
        return bound

    def watch(self):
        self.client = socket.create_connection(("127.0.0.1", self.port))
        self.client.sendall(b'?WATCH={"enable":true,"json":true};\n')
        while b'"class":"WATCH"' not in self.rest:
            self.rest += self.client.recv(65536)

    def read(self, ready):
        now = time.monotonic()
        if ready is self.clock:
            sample = ready.recv(256)
            seconds, micros, offset = struct.unpack_from("qqd", sample)
            self.note("clock", round((seconds + micros / 1e6 + offset) * RATE), now)
        elif ready is self.yardstick:
            text = ready.recv(256).decode()
            second = int(text[0:2]) * 3600 + int(text[2:4]) * 60 + int(text[4:6])
            self.note("yardstick", (second, int(text[7])), now)
        else:
            lines = (self.rest + ready.recv(65536)).split(b"\n")
            self.rest = lines.pop()
            for line in lines:
                if not line.startswith(b'{"class":"TPV"'):
                    continue
                at = line.find(b'"time":"') + 8 + 11
                clock = line[at:at + 10]
                second = int(clock[0:2]) * 3600 + int(clock[3:5]) * 60 + int(clock[6:8])
                self.note("client", (second, int(clock[9:10])), now)

    def note(self, who, at, now):
        self.came[who].setdefault(at, now)

    def run(self, seconds):
        """Writes epochs for one second and then for the given number of seconds. Returns the delays of each epoch
        that all readers have received, and the numbers of epochs that the client and the clock have not
        received."""
        seconds += 1
        first = int(time.time() * RATE) + 2
        begin = time.monotonic() + first / RATE - time.time()
        for index in range(seconds * RATE):
            # Alternates the order, because the first one is read first.
            both = [self.serving, self.plain]
            for terminal in both if index % 2 else reversed(both):
                terminal.write(first + index)
            self.listen(begin + (index + 1) / RATE)
        self.listen(time.monotonic() + 3)
        delays = {"yardstick": [], "clock": [], "client": []}
        lost = {"client": 0, "clock": 0}
        for at in range(first + RATE, first + seconds * RATE):
            key = (at // RATE % 86400, at % RATE)
            missing = [who for who in lost if (at if who == "clock" else key) not in self.came[who]]
            for who in missing:
                lost[who] += 1
            if missing:
                continue
            for who in delays:
                terminal = self.plain if who == "yardstick" else self.serving
                came = self.came[who][at if who == "clock" else key]
                delays[who].append(came - terminal.written[at])
        for who in lost:
            delays[who + ", more"] = [a - b for a, b in zip(delays[who], delays["yardstick"])]
        return delays, lost

    def listen(self, end):
        sources = [self.clock, self.yardstick] + ([self.client] if self.client else [])
        while True:
            rest = end - time.monotonic()
            if rest <= 0:
                return
            for ready in select.select(sources, [], [], rest)[0]:
                self.read(ready)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def figures(delays):
    ordered = sorted(delays)
    return tuple(1000 * ordered[math.ceil(len(ordered) * part) - 1] for part in (0.5, 0.99, 1))


def processor_time(process):
    fields = open("/proc/%d/stat" % process).read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process):
    for line in open("/proc/%d/status" % process):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024


def show(title, delays, lost):
    for who, values in delays.items():
        print("%-8s %-13s %7.2f %7.2f %7.2f" % ((title, who) + figures(values)))
    for who, count in lost.items():
        if count:
            print("%-8s %d epochs did not come to the %s" % (title, count, who))


def is_late(who, more):
    """Returns whether `serve` is late more often than the yardstick, which is late only if the machine stalls."""
    late, early = sum(d > LIMIT for d in more), sum(d < -LIMIT for d in more)
    print("%s: %d of %d epochs 10 ms later than the yardstick, %d as much earlier" % (who, late, len(more), early))
    return late - early > 2 * (late + early) ** 0.5 + len(more) / 100


def main():
    command = os.path.realpath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    folder = os.getcwd()
    allow_many_files()
    port, http = free_port(), free_port()
    measurement = Measurement(folder, port)
    own = [sys.executable, os.path.abspath(__file__)]
    started = []

    def start(words, **options):
        started.append(subprocess.Popen(words, **options))
        return started[-1]

    try:
        log = open("hostile.log", "wb")
        server = start(
            [command, "serve", "--user", "root", "--listen", str(port), "--http", str(http), "--trust-any-time",
             "--chrony", folder + "/clock", folder + "/rx"], stderr=log)
        start(own + ["yardstick", folder + "/plain", folder + "/yardstick"])
        while b"reading" not in open("hostile.log", "rb").read():
            time.sleep(0.1)
        # Waits until the baud rate, the cycle and the clock have been detected.
        measurement.run(10)
        measurement.watch()
        calm, calm_lost = measurement.run(seconds)
        before = processor_time(server.pid)
        for attack, at in [("polls", port), ("connects", port), ("fixes", http), ("sheets", http), ("pages", http)]:
            start(own + [attack, str(at), str(count)], preexec_fn=lambda: os.nice(10), stderr=log)
        hostile, lost = measurement.run(seconds)
        if server.poll() is not None:
            sys.exit("the server has ended: %s" % server.returncode)
        print("milliseconds after the write: median, 99 %, most")
        show("calm", calm, calm_lost)
        show("hostile", hostile, lost)
        print("server: at most %.0f MB, %.0f %% of a core"
              % (memory(server.pid), (processor_time(server.pid) - before) * 100 / (seconds + 3)))
        late = [who for who in lost if is_late(who, hostile[who + ", more"])]
        # The time of an epoch is omitted if the previous one has not been read yet.
        return 1 if late or lost["client"] or lost["clock"] > seconds * RATE / 10 else 0
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


if __name__ == "__main__":
    attacks = {f.__name__: f for f in (polls, connects, fixes, sheets, pages)}
    if sys.argv[1] == "yardstick":
        yardstick(sys.argv[2], sys.argv[3])
    elif sys.argv[1] in attacks:
        allow_many_files()
        while True:
            try:
                attacks[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
            except OSError as error:
                print(sys.argv[1], error, file=sys.stderr, flush=True)
                time.sleep(0.1)
    else:
        sys.exit(main())
