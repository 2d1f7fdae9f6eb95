# SPDX-License-Identifier: MIT
"""Receivers that report the true time, each at a different place, which identifies its sentences.

Epochs are counted in tenths of a second of Unix time."""
import functools, math, operator, os, pty, subprocess, time, tty

# The time after plugging in or a reload during which a receiver's epochs may be missing, in tenths of a second.
SETTLE = 50


def sentence(body):
    return b"$%s*%02X\r\n" % (body, functools.reduce(operator.xor, body))


SKY = b"".join(sentence(body) for body in (
    b"GNGSA,A,3,02,05,07,09,13,16,20,29,,,,,1.6,0.9,1.3,1",
    b"GPGSV,3,1,09,02,25,101,38,05,33,181,41,07,61,067,44,09,21,062,36,1",
    b"GPGSV,3,2,09,13,44,283,42,16,12,325,31,20,17,228,34,29,70,249,45,1",
    b"GPGSV,3,3,09,30,09,047,22,1"))


class Receiver:
    def __init__(self, folder, index, rate):
        self.index, self.rate, self.step = index, rate, 10 // rate
        self.path = os.path.join(folder, "rx%d" % index)
        self.isPlugged, self.refused, self.breaks = False, 0, []

    def note_break(self, before=0):
        """From now on, epochs may be missing, until the time that `note_return` sets."""
        now = int(time.time() * 10)
        if not self.breaks or self.breaks[-1][1] is not None:
            self.breaks = self.breaks[-20:] + [[now - before, None]]

    def note_return(self):
        self.breaks[-1][1] = int(time.time() * 10) + SETTLE

    def may_miss(self, epoch):
        return any(begin <= epoch and (end is None or epoch <= end) for begin, end in self.breaks)

    @property
    def isSettled(self):
        """Returns whether every client must have received an epoch of the last seconds."""
        return self.isPlugged and not self.may_miss(int(time.time() * 10) - SETTLE)


class Terminal(Receiver):
    """A receiver on a pseudo terminal of this process."""
    def __init__(self, folder, index, rate, owner):
        super().__init__(folder, index, rate)
        self.owner, self.saysGNS = owner, False

    def plug(self):
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        os.fchown(slave, self.owner, -1)
        os.symlink(os.ttyname(slave), self.path)
        os.close(slave)
        self.isPlugged = True

    def unplug(self):
        os.unlink(self.path)
        os.close(self.master)
        self.isPlugged = False

    def send(self, epoch):
        if not self.isPlugged or epoch % self.step:
            return
        now, tenth = time.gmtime(epoch // 10), epoch % 10
        clock = b"%02d%02d%02d.%d0" % (now.tm_hour, now.tm_min, now.tm_sec, tenth)
        date = b"%02d%02d%02d" % (now.tm_mday, now.tm_mon, now.tm_year % 100)
        place = b"%02d%02d.00000,N,01130.%05d,E" % (
            10 + self.index // 2, self.index % 2 * 30, 500 + 400 * math.sin(epoch / 600 + self.index))
        burst = sentence(b"GNRMC,%s,A,%s,0.4,84.4,%s,,,A" % (clock, place, date)) \
            + sentence(b"GNGGA,%s,%s,1,08,0.9,171.0,M,43.4,M,," % (clock, place))
        if self.saysGNS:
            burst += sentence(b"GNGNS,%s,%s,AA,08,0.9,171.0,43.4,,," % (clock, place))
        try:
            os.write(self.master, burst + SKY if tenth == 0 else burst)
        except BlockingIOError:
            # The tty is full, because `serve` has not read for seconds. Clients will miss the epoch.
            self.refused += 1


class Noise(Terminal):
    """A source of random bytes, from which no client may get an epoch."""
    def send(self, epoch):
        if self.isPlugged and epoch % 5 == 0:
            try:
                os.write(self.master, os.urandom(100))
            except BlockingIOError:
                pass


class Simulated(Receiver):
    """A receiver that `gpsbridge simulate` runs in a separate process."""
    def __init__(self, folder, index, rate, binary, environment, user):
        super().__init__(folder, index, rate)
        self.words = [binary, "simulate", "--link", self.path, "--rate", str(rate),
                      "--at", "%.1f,11.5" % (10 + index / 2), "--seed", str(index)]
        self.environment, self.user, self.log, self.process = environment, user, self.path + ".log", None

    def plug(self):
        self.wait()
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, **self.user)
        self.isPlugged = True

    def unplug(self):
        self.process.terminate()
        self.isPlugged = False

    def wait(self):
        if self.process and self.process.wait() not in (0, -15):
            raise AssertionError("%s ended with %d" % (self.words, self.process.returncode))

    def send(self, epoch):
        pass
