# SPDX-License-Identifier: MIT
"""The machine on which tests run: its pauses, and its free ports."""

import contextlib
import os
import random
import socket
import threading
import time

# The number of failed tests after which the others are omitted. If all fail, each ends only after a long limit.
FAILURES = 5


class Pauses:
    """Records when this process did not run on one of the cores. If the machine or a core pauses, connections and
    receivers time out although they work."""

    # The interval of the checks, and the shortest delay that is recorded, in seconds.
    STEP, DELAY = 0.1, 0.2
    # The shortest delay after which a failure proves nothing: the live page counts its connection as lost after 1.6 s.
    PAUSE = 1

    def __init__(self):
        self.delays = []
        # A core may pause while the others run.
        for core in os.sched_getaffinity(0):
            threading.Thread(target=self.watch, args=(core,), daemon=True).start()

    def watch(self, core):
        """Records the delays of this thread on a core."""
        # 0 is the calling thread.
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
        last = time.monotonic(), time.time()
        while True:
            time.sleep(self.STEP)
            now = time.monotonic(), time.time()
            # The monotonic clock of a virtual machine may stop during a pause.
            delay = max(end - begin for begin, end in zip(last, now)) - self.STEP
            if delay > self.DELAY:
                self.delays.append((now[0], delay))
            last = now

    def longest(self, begin):
        """Returns the longest delay since an instant of the monotonic clock, in seconds."""
        return max((delay for end, delay in list(self.delays) if end >= begin), default=0)

    def is_busy(self):
        """Returns whether more processes run than there are cores, or this process was delayed in the last minute."""
        return os.getloadavg()[0] > len(os.sched_getaffinity(0)) or self.longest(time.monotonic() - 60) > 0

    def repeat(self, attempt, clean, attempts=3):
        """Calls a test. If it fails, and the machine has paused, cleans up and calls it again. Returns its result."""
        for number in range(1, attempts + 1):
            begin = time.monotonic()
            try:
                return attempt()
            except Exception as error:
                # The thread that records the delays may not have run since the pause.
                time.sleep(5 * self.STEP)
                pause = self.longest(begin)
                if number == attempts or pause < self.PAUSE:
                    raise
                print(f"again   the machine paused for {pause:.1f} s: {type(error).__name__}: {error}", flush=True)
                clean()


def free_ports(count):
    """Returns free ports. If possible, they are below those that the system chooses for connections, so that no other
    program gets one of them by chance before it is used."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        end = int(file.read().split()[0])
    sockets = []
    # All are kept open until the last is found, so that they differ.
    while len(sockets) < count:
        one = socket.socket()
        try:
            one.bind(("127.0.0.1", random.randrange(16_384, end) if end > 20_000 else 0))
        except OSError:
            one.close()
            continue
        sockets.append(one)
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
