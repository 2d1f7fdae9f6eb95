# SPDX-License-Identifier: MIT
"""Many clients of one server: load.py PORT CLIENTS STALLED SECONDS [PID]

Every client watches; STALLED of them never read. Prints how many reports the others missed, and exits with 1 if
they missed any. With a PID, prints that process's memory and CPU time, too."""
import resource
import selectors
import socket
import sys
import time

port, count, stalled, seconds = (int(word) for word in sys.argv[1:5])
process = sys.argv[5] if len(sys.argv) > 5 else None
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Client:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        self.socket.sendall(b'?WATCH={"enable":true,"json":true};\n')
        self.socket.setblocking(False)
        self.rest = b""
        self.times = []

    def read(self):
        data = self.rest + self.socket.recv(65536)
        lines = data.split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            if line.startswith(b'{"class":"TPV"'):
                at = line.find(b'"time":"') + 8
                self.times.append(line[at:at + 24])


def cpu():
    fields = open("/proc/%s/stat" % process).read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory():
    for line in open("/proc/%s/status" % process):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024


begin = time.time()
stalling = [Client() for _ in range(stalled)]
clients = [Client() for _ in range(count - stalled)]
selector = selectors.DefaultSelector()
for client in clients:
    selector.register(client.socket, selectors.EVENT_READ, client)
print("%d clients, of which %d never read, connected in %.1f s" % (count, stalled, time.time() - begin))
before = cpu() if process else 0
begin = time.time()
while time.time() < begin + seconds:
    for key, _ in selector.select(1):
        key.data.read()
# Compares the reports from the last client's first report to the first client's last report: all clients must have
# received them.
first = max(client.times[0] for client in clients)
last = min(client.times[-1] for client in clients)
expected = sorted({t for client in clients for t in client.times if first <= t <= last})
missed = sum(
    len(expected) - len([t for t in client.times if first <= t <= last]) for client in clients)
print("%d epochs, %d reports, %d missed" % (len(expected), len(expected) * len(clients), missed))
if process:
    print("server: %.1f MB, %.1f %% of a core" % (memory(), (cpu() - before) * 100 / seconds))
sys.exit(1 if missed or len(expected) < 2 else 0)
