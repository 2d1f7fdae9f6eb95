# SPDX-License-Identifier: MIT
"""Many viewers of the live page: viewers.py PORT VIEWERS STALLED SECONDS PID

STALLED of them never read. Prints how many epochs the others missed, the resources of the server and the kernel,
and the effect of slow and idle connections. Exits with 1 if epochs were missed."""
import resource, selectors, socket, sys, time

port, count, stalled, seconds, process = (int(word) for word in sys.argv[1:6])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
HEAD = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=30)


class Viewer:
    """Reads a chunked stream of events."""
    def __init__(self):
        self.socket = connect()
        self.socket.sendall(HEAD)
        self.socket.setblocking(False)
        self.raw, self.text, self.times, self.hasHead = b"", b"", [], False
        self.isOpen = True

    def read(self):
        data = self.socket.recv(1 << 18)
        if not data:
            self.isOpen = False
            selector.unregister(self.socket)
            return
        self.raw += data
        if not self.hasHead:
            end = self.raw.find(b"\r\n\r\n")
            if end < 0:
                return
            self.hasHead, self.raw = True, self.raw[end + 4:]
        while True:
            end = self.raw.find(b"\r\n")
            if end < 0:
                break
            size = int(self.raw[:end], 16)
            if len(self.raw) < end + size + 4:
                break
            self.text += self.raw[end + 2:end + 2 + size]
            self.raw = self.raw[end + 4 + size:]
        lines = self.text.split(b"\n")
        self.text = lines.pop()
        for line in lines:
            if line.startswith(b'data: {"class":"TPV"'):
                at = line.find(b'"time":"') + 8
                self.times.append(line[at:at + 24])


def cpu():
    fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory():
    for line in open(f"/proc/{process}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024


def kernel():
    """Returns the megabytes used by all TCP sockets."""
    for line in open("/proc/net/sockstat"):
        if line.startswith("TCP:"):
            return int(line.split()[-1]) * 4096 / 1e6


def page():
    """Returns the milliseconds to load a page."""
    begin = time.perf_counter()
    with connect() as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while one.recv(65536):
            pass
    return (time.perf_counter() - begin) * 1000


empty = memory()
selector = selectors.DefaultSelector()
stalling = [Viewer() for _ in range(stalled)]
viewers = [Viewer() for _ in range(count - stalled)]
for viewer in viewers:
    selector.register(viewer.socket, selectors.EVENT_READ, viewer)
before, begin = cpu(), time.time()
while time.time() < begin + seconds:
    for key, _ in selector.select(1):
        key.data.read()
used = (cpu() - before) * 100 / seconds
lost = sum(not viewer.isOpen for viewer in viewers)
first = max(viewer.times[0] for viewer in viewers if viewer.times)
last = min(viewer.times[-1] for viewer in viewers if viewer.times)
expected = sorted({t for viewer in viewers for t in viewer.times if first <= t <= last})
missed = sum(len(expected) - len([t for t in viewer.times if first <= t <= last]) for viewer in viewers)
print(f"{count} viewers, {stalled} of them stalled: {len(expected)} epochs, {len(expected) * len(viewers)} "
      f"events, {missed} missed, {lost} viewers disconnected")
print(f"server: {memory():.1f} MB ({empty:.1f} without viewers), {used:.1f} % of a core; "
      f"TCP in the kernel: {kernel():.1f} MB")
for viewer in viewers + stalling:
    viewer.socket.close()

slow = [connect() for _ in range(200)]
for letter in HEAD[:20]:
    for one in slow:
        one.sendall(bytes([letter]))
times = sorted(page() for _ in range(20))
print(f"200 clients that send a request letter by letter: a page in {times[10]:.1f} ms")
for one in slow:
    one.close()
idle, refused = [], 0
for _ in range(min(10_000, hard - 200)):
    try:
        idle.append(connect())
    except OSError:
        refused += 1
        if refused > 3:
            break
print(f"{len(idle)} idle connections: {memory():.1f} MB")
for one in idle:
    one.close()
deadline = time.time() + 30
while time.time() < deadline:
    try:
        print(f"afterwards: a page in {page():.1f} ms, {memory():.1f} MB")
        break
    except OSError:
        time.sleep(0.5)
else:
    print("afterwards: no page")
    missed += 1
sys.exit(1 if missed or lost or len(expected) < seconds * 8 else 0)
