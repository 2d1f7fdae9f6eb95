# SPDX-License-Identifier: MIT
"""Measures the throughput of publish, three engine nodes, collect and the table, with CPU time and memory of
each."""

import os
import signal
import time

from deaths import Chain
from servers import wait_until


class Usage:
    """The CPU time and memory of the programs in a chain, and their throughput."""

    def __init__(self, chain):
        self.parts = {"publish": [chain.bridge], "nats-server x 3": chain.engine.nodes, "collect": chain.collectors,
                      "postgres": [chain.database.process]}
        self.chain = chain
        self.begin, self.stored, self.cpu = time.monotonic(), chain.count(), self._cpu()

    def _cpu(self):
        return {name: [sum(values) for values in zip(*(tree(part.pid) for part in group if part.is_running()))]
                for name, group in self.parts.items()}

    def report(self, what):
        """Prints the resources used since the beginning. Returns fixes per second."""
        now, duration = self._cpu(), time.monotonic() - self.begin
        stored = self.chain.count() - self.stored
        print(f"        {what}, {duration:.0f} s: {stored / duration:.0f} fixes/s into the table")
        for name in self.parts:
            if now[name]:
                used = now[name][0] - (self.cpu[name] or [0])[0]
                print(f"        {name:16} {used / duration * 100:6.1f} % of a core, {used / max(1, stored) * 1e6:5.1f} us a fix, "
                      f"{now[name][1]:7.0f} MB", flush=True)
        return stored / duration


def test_load(work, programs):
    """FLEET_RECEIVERS receivers at 1 Hz for FLEET_SECONDS, in batches of FLEET_BATCH_TIME seconds."""
    receivers = int(os.environ.get("FLEET_RECEIVERS", "10000"))
    seconds = int(os.environ.get("FLEET_SECONDS", "150"))
    batch_time = int(os.environ.get("FLEET_BATCH_TIME", "60"))
    chain = Chain(work, programs, receivers=receivers, rate=1, batch_time=str(batch_time))
    chain.start(seconds=180)
    # By then, every receiver has sent its first batch.
    time.sleep(batch_time + 5)
    usage = Usage(chain)
    time.sleep(seconds)
    rate = usage.report(f"{receivers} receivers at 1 Hz")
    waiting = chain.engine.consumer("GPS", "collect")
    print(f"        {waiting['num_pending']} messages not yet collected, {chain.waiting()} fixes in the spool")
    chain.bridge.kill(signal.SIGTERM)
    wait_until(lambda: not chain.bridge.is_running(), what="the bridge")
    total, _ = chain.finish()
    state = chain.engine.stream("GPS")["state"]
    print(f"        {state['bytes'] / total:.1f} B a fix in the stream, ids and subjects included; "
          f"{total / state['messages']:.0f} fixes a message")
    return f"{total} fixes, {rate:.0f} a second: 0 lost, 0 twice, in order"


def test_stored(work, programs):
    """Measures how fast FLEET_COLLECTORS collectors move FLEET_FIXES fixes of 1,000 receivers from the stream to
    the table."""
    fixes = int(os.environ.get("FLEET_FIXES", "600000"))
    chain = Chain(work, programs, receivers=1000, rate=1, batch_time="60",
                  collectors=int(os.environ.get("FLEET_COLLECTORS", "1")),
                  more=["--past", f"{fixes // 1000}s", "--duration", "0.001"])
    chain.bridge.start()
    wait_until(lambda: not chain.bridge.is_running(), 600, "the stream to be filled", every=0.5)
    if os.environ.get("FLEET_PLACES") == "0":
        chain.database.sql(programs.run("collect", "--schema").stdout)
        chain.database.sql("DROP INDEX gpsbridge.fix_position_time")
    for collector in chain.collectors:
        collector.start()
    wait_until(lambda: chain.count() > 0, what="the first fixes in the database", every=0.1)
    usage = Usage(chain)
    wait_until(lambda: chain.count() >= fixes, 600, "the fixes", every=0.5)
    rate = usage.report(f"{len(chain.collectors)} collectors")
    total, _ = chain.finish()
    return f"{total} fixes, {rate:.0f} a second: 0 lost, 0 twice, in order"


def tree(pid):
    """Returns CPU seconds and megabytes of a process and its child processes. Shared memory counts once."""
    cpu, memory = 0.0, 0.0
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    pids = [pid] + [int(each) for each in os.popen(f"pgrep -P {pid}").read().split()]
    for index, each in enumerate(pids):
        try:
            fields = open(f"/proc/{each}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
            own = open(f"/proc/{each}/statm", encoding="utf-8").read().split()
        except OSError:
            continue
        # The time of processes that have ended is added to their parent.
        cpu += (int(fields[11]) + int(fields[12])) / ticks
        if index == 0:
            cpu += (int(fields[13]) + int(fields[14])) / ticks
        memory += (int(own[1]) - (int(own[2]) if index else 0)) * page / 1e6
    return cpu, memory
