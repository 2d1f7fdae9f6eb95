# SPDX-License-Identifier: MIT
"""How much goes through publish, three engine nodes, collect and the table, with CPU and memory of each."""

import os
import signal
import time

from deaths import Chain
from servers import wait_until


def test_load(work, programs):
    """FLEET_RECEIVERS receivers at 1 Hz for FLEET_SECONDS, in batches of FLEET_BATCH_TIME seconds."""
    receivers = int(os.environ.get("FLEET_RECEIVERS", "5000"))
    seconds = int(os.environ.get("FLEET_SECONDS", "150"))
    chain = Chain(work, programs, receivers=receivers, rate=1, collectors=1, batch_time=os.environ.get("FLEET_BATCH_TIME", "60"))
    chain.start(seconds=180)
    parts = {"publish": [chain.bridge], "nats-server x 3": chain.engine.nodes, "collect": chain.collectors,
             "postgres": [chain.database.process]}

    def usage():
        return {name: [sum(values) for values in zip(*(tree(part.pid) for part in group))]
                for name, group in parts.items()}

    before, begin, stored = usage(), time.monotonic(), chain.count()
    time.sleep(seconds)
    after, duration, now = usage(), time.monotonic() - begin, chain.count()
    rate = (now - stored) / duration
    print(f"        {receivers} receivers at 1 Hz for {duration:.0f} s: {rate:.0f} fixes/s into the table")
    for name in parts:
        cpu = (after[name][0] - before[name][0]) / duration * 100
        print(f"        {name:16} {cpu:6.1f} % of a core, {after[name][1]:7.0f} MB", flush=True)
    chain.bridge.kill(signal.SIGTERM)
    wait_until(lambda: not chain.bridge.is_running(), 60, "the bridge")
    total, _ = chain.finish()
    state = chain.engine.stream("GPS")["state"]
    print(f"        {state['bytes'] / total:.1f} B a fix in the stream, ids and subjects included; "
          f"{total / state['messages']:.0f} fixes a message")
    return f"{total} fixes: 0 lost, 0 twice, in order"


def tree(pid):
    """CPU seconds and megabytes of a process and those that it has started; shared memory counts once."""
    cpu, memory = 0.0, 0.0
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    pids = [pid] + [int(each) for each in os.popen(f"pgrep -P {pid}").read().split()]
    for index, each in enumerate(pids):
        try:
            fields = open(f"/proc/{each}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
            own = open(f"/proc/{each}/statm", encoding="utf-8").read().split()
        except OSError:
            continue
        # Time of those that have ended is with their parent.
        cpu += (int(fields[11]) + int(fields[12])) / ticks
        if index == 0:
            cpu += (int(fields[13]) + int(fields[14])) / ticks
        memory += (int(own[1]) - (int(own[2]) if index else 0)) * page / 1e6
    return cpu, memory
