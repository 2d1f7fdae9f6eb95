# SPDX-License-Identifier: MIT
"""Well-behaved clients, one for each kind of stream, which count the epochs of each receiver."""
import calendar, collections, fcntl, functools, os, socket, subprocess, time


@functools.lru_cache(4096)
def tenths(text):
    """2026-11-23T01:22:18.300Z as tenths of a second of Unix time."""
    return calendar.timegm(time.strptime(text[:19].decode(), "%Y-%m-%dT%H:%M:%S")) * 10 + int(text[20:21])


@functools.lru_cache(4096)
def tenths_today(clock, hour):
    """012218.30, near the current hour."""
    seconds = int(clock[:2]) * 3600 + int(clock[2:4]) * 60 + int(clock[4:6])
    near = hour * 3600
    day = near // 86400 * 86400
    return min((day + turn * 86400 + seconds for turn in (-1, 0, 1)),
               key=lambda at: abs(at - near)) * 10 + int(clock[7:8])


class Ledger:
    """Compares received epochs with those that each receiver has sent. Epochs may be missing while the receiver was
unplugged."""
    def __init__(self, receivers):
        self.receivers = {receiver.index: receiver for receiver in receivers}
        self.last, self.notes = {}, collections.deque(maxlen=10)
        self.epochs = self.lost = self.twice = self.disordered = self.unknown = self.excused = 0

    def take(self, index, epoch):
        receiver, last = self.receivers.get(index), self.last.get(index)
        self.epochs += 1
        if receiver is None or epoch % receiver.step:
            self.unknown += 1
            self.note("unknown", index, epoch)
        elif last is None or epoch > last:
            if last is not None and epoch > last + receiver.step:
                for one in range(last + receiver.step, epoch, receiver.step):
                    if receiver.may_miss(one):
                        self.excused += 1
                    else:
                        self.lost += 1
                        self.note("lost", index, one)
            self.last[index] = epoch
        elif epoch == last:
            self.twice += 1
            self.note("twice", index, epoch)
        else:
            self.disordered += 1
            self.note("disordered", index, epoch)

    def note(self, what, index, epoch):
        self.notes.append("%s: epoch %.1f of receiver %d, at %.2f" % (what, epoch / 10, index, time.time()))

    def behind(self):
        """Returns the receivers that have been missing for a while."""
        limit = time.time() * 10 - 50
        return [index for index, receiver in self.receivers.items()
                if receiver.isSettled and self.last.get(index, 0) < limit]


def program(*words):
    """The output of a program that reads a tty. It reads sooner than this process could; a tty holds only 12 KB."""
    def connect():
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 1 << 20)
        file = os.dup(process.stdout.fileno())
        os.set_blocking(file, False)
        return file
    return connect


class Stream:
    """A connection: its address, its request, and the meaning of its lines."""
    def __init__(self, name, receivers, connect, request=b"", isChunked=False, formatter=b"GGA"):
        self.name, self.connect, self.request, self.isChunked = name, connect, request, isChunked
        self.formatter = formatter
        self.ledger, self.dropped = Ledger(receivers), 0
        self.paths = {receiver.path.encode(): receiver.index for receiver in receivers}
        self.open()

    def open(self):
        self.file = self.connect()
        self.rest, self.chunked, self.hasHead = b"", b"", not self.isChunked
        if self.request:
            self.file.sendall(self.request)
        if isinstance(self.file, socket.socket):
            self.file.setblocking(False)

    def fileno(self):
        return self.file if isinstance(self.file, int) else self.file.fileno()

    def close(self):
        os.close(self.file) if isinstance(self.file, int) else self.file.close()

    def read(self):
        """Reads available data. Returns whether the connection is still open."""
        try:
            data = os.read(self.file, 1 << 18) if isinstance(self.file, int) else self.file.recv(1 << 18)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            return False
        lines = (self.rest + (self.unchunk(data) if self.isChunked else data)).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.take(line.removeprefix(b"data: "))
        return True

    def take(self, line):
        if b'"class":"TPV"' in line[:24]:
            time_of, device = line.find(b'"time":"'), line.find(b'"device":"')
            # A report without a time means that there is no receiver or no fix.
            if time_of >= 0:
                path = line[device + 10:line.index(b'"', device + 10)]
                self.ledger.take(self.paths.get(path, -1), tenths(line[time_of + 8:time_of + 32]))
        elif line[3:6] == self.formatter:
            fields = line.split(b",")
            if len(fields) > 3 and len(fields[1]) > 7 and fields[2]:
                latitude = int(fields[2][:2]) + float(fields[2][2:]) / 60
                self.ledger.take(round((latitude - 10) * 2),
                                 tenths_today(fields[1], int(time.time() / 3600 + 0.5)))

    def unchunk(self, data):
        self.chunked += data
        text = b""
        if not self.hasHead:
            head = self.chunked.find(b"\r\n\r\n")
            if head < 0:
                return text
            assert self.chunked.startswith(b"HTTP/1.1 200"), self.chunked[:head]
            self.hasHead, self.chunked = True, self.chunked[head + 4:]
        while (end := self.chunked.find(b"\r\n")) >= 0:
            size = int(self.chunked[:end], 16)
            if len(self.chunked) < end + size + 4:
                break
            text += self.chunked[end + 2:end + 2 + size]
            self.chunked = self.chunked[end + 4 + size:]
        return text


def tcp(port):
    return lambda: socket.create_connection(("127.0.0.1", port), timeout=60)


def unix(path):
    def connect():
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(60)
        one.connect(path)
        return one
    return connect
