# SPDX-License-Identifier: MIT
"""Tests with killed processes, lost connections and restarts: every fix that a bridge has spooled is in the
database once, and in order."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from engine_client import EngineClient
from servers import Cut, Process, wait_until


class Chain:
    """A simulated fleet that publishes, an engine, a collector and a database."""

    def __init__(self, work, programs, receivers=50, rate=10, collectors=1, batch_time=None, via=None,
                 creation=("--create-stream", "--replicas", "3", "--max-size", "2G"), more=()):
        self.work, self.programs, self.rate = work, programs, rate
        self.engine, self.database = work.engine(), work.database()
        self.spool, self.consumer = work.path("spool.sqlite"), "collect"
        url = via(self.engine) if via else self.engine.url
        arguments = [programs.fleet, "simulate", "--fleet", str(receivers), "--rate", str(rate), "--to", url,
                     *creation, "--spool", self.spool]
        if batch_time:
            arguments += ["--batch-time", batch_time]
        arguments += more
        self.bridge = work.add(Process(arguments, work.path("bridge.log")))
        self.collectors = [
            work.add(Process([programs.fleet, "collect", "--from", self.engine.url, "--to", self.database.url],
                             work.path(f"collector{index}.log")))
            for index in range(collectors)]

    def start(self, seconds=300):
        self.bridge.start()
        wait_until(lambda: self.engine.stream("GPS"), what="the stream")
        for collector in self.collectors:
            collector.start()
        wait_until(lambda: self.count() > 0, seconds, "the first fixes in the database", every=0.5)
        return self

    def count(self):
        try:
            return int(self.database.value("SELECT count(*) FROM gpsbridge.fix", quiet=True))
        except subprocess.CalledProcessError:
            return 0

    def waiting(self):
        """Returns the number of fixes in the spool."""
        with sqlite3.connect(f"file:{self.spool}?mode=ro", uri=True, timeout=60) as spool:
            return spool.execute("SELECT count(*) FROM fix").fetchone()[0]

    def finish(self):
        """Stops the receivers, waits until all fixes have arrived, and checks that each arrived once and in
        order."""
        if self.bridge.is_running():
            self.bridge.kill(signal.SIGTERM)
        # Publishes the remaining fixes of the same spool, without new ones.
        drain = Process(self.bridge.arguments[3:] + ["--duration", "0.001", "--past", "0.001", "--batch-time", "0.001"], self.work.path("drain.log"))
        self.work.add(drain).start()
        wait_until(lambda: not drain.is_running(), 600, "the spool to be empty", every=0.2)
        for collector in self.collectors:
            if not collector.is_running():
                collector.start()
        def is_stored():
            consumer = self.engine.consumer("GPS", self.consumer)
            return consumer and consumer["num_pending"] == 0 and consumer["num_ack_pending"] == 0
        try:
            wait_until(is_stored, 600, "the collector", every=0.5)
        except TimeoutError as error:
            log = open(self.work.path("collector0.log"), encoding="utf-8").read()[-500:]
            raise TimeoutError(f"{error}: {self.count()} stored of {self.engine.stream('GPS')}: {log}") from error
        for collector in self.collectors:
            collector.kill(signal.SIGTERM)
        return self.check()

    def check(self):
        """Checks that each number of the spool occurs once, and that the times increase with the numbers."""
        with sqlite3.connect(f"file:{self.spool}?mode=ro", uri=True) as spool:
            # The spool numbers its fixes: 1, 2, 3…
            spooled = spool.execute("SELECT seq FROM sqlite_sequence WHERE name = 'fix'").fetchone()[0]
        count, distinct, boots = map(int, self.database.sql(
            "SELECT count(*), count(DISTINCT sequence), count(DISTINCT word) "
            "FROM gpsbridge.fix JOIN gpsbridge.boot ON boot.id = fix.boot")[0])
        assert count == distinct, f"{count - distinct} of {spooled} fixes twice"
        assert count == spooled, (
            f"{spooled - count} of {spooled} fixes lost or still in the spool, which holds {self.waiting()}: "
            + open(self.work.path("drain.log"), encoding="utf-8").read()[-1000:])
        disorder = int(self.database.value("""
            SELECT count(*) FROM (SELECT sequence - lag(sequence) OVER (PARTITION BY device, boot ORDER BY time) AS step
                FROM gpsbridge.fix) AS steps WHERE step <= 0"""))
        assert disorder == 0, f"{disorder} fixes out of order"
        return count, boots


def told(chain, before=""):
    total, boots = chain.finish()
    return f"{before}{total} fixes of {boots} starts: 0 lost, 0 twice, in order"


def test_bridge_killed(work, programs):
    """kill -9 of the bridge at random moments."""
    chain = Chain(work, programs).start()
    runs = int(os.environ.get("FLEET_RUNS", "200"))
    for _ in range(runs):
        time.sleep(random.uniform(0.02, 0.6))
        chain.bridge.kill()
        chain.bridge.start()
    return told(chain, f"{runs} kills, ")


def test_leader_killed(work, programs):
    chain = Chain(work, programs).start()
    for _ in range(3):
        leader = wait_until(lambda: chain.engine.leader("GPS") is not None and chain.engine, what="a leader")
        node = leader.nodes[chain.engine.leader("GPS")]
        node.kill()
        time.sleep(4)
        node.start()
        chain.engine.ready()
        time.sleep(4)
    return told(chain, "3 kills of the leader, ")


def told_of_stream(chain, before):
    """Returns the messages of the log, and the number of messages whose fixes are in the stream more than once."""
    text = told(chain, before)
    client = EngineClient(chain.engine.ports[0])
    # FLEET/BRIDGE/RECEIVER/BOOT/FIRST-LAST/COUNT; a receiver that is silent sends its last fix again.
    ids = [name for name in client.ids() if "/alive-" not in name]
    return f"{text}; {len(ids) - len(set(ids))} of {len(ids)} messages twice in the stream"


def kill_all(engine):
    """kill -9 of all nodes at once."""
    for node in engine.nodes:
        node.kill(wait=False)
    for node in engine.nodes:
        node.process.wait(60)


def test_engine_killed(work, programs):
    """kill -9 of all nodes at once, FLEET_KILLS times: nodes acknowledge before they write."""
    chain = Chain(work, programs).start()
    kills = int(os.environ.get("FLEET_KILLS", "5"))
    for _ in range(kills):
        time.sleep(random.uniform(0.2, 2))
        before = chain.count()
        kill_all(chain.engine)
        chain.engine.start()
        wait_until(lambda: chain.count() > before, what="fixes after a kill", every=0.2)
    return told_of_stream(chain, f"{kills} kills of all three nodes, ")


def test_engine_set_back(work, programs):
    """All nodes at once lose what they have acknowledged in the last second or two, as in a loss of power, FLEET_KILLS times."""
    return set_back(work, Chain(work, programs).start())


def test_engine_not_asked(work, programs):
    """The same with a bridge that may not query the stream."""
    chain = Chain(work, programs, creation=())
    EngineClient(chain.engine.ports[0]).create_stream()
    return set_back(work, chain.start())


def set_back(work, chain):
    # Stored fixes can no longer be lost, and servers of version 2.9 may lose the consumer.
    chain.collectors[0].kill()
    chain.consumer = "check"
    chain.collectors[0].arguments += ["--name", chain.consumer]
    kills = int(os.environ.get("FLEET_KILLS", "5"))
    engine, copy = chain.engine, work.path("copy")
    stores = [f"n{index + 1}" for index in range(len(engine.nodes))]
    lost = 0

    def last():
        """Returns the number of the last message."""
        return (engine.stream("GPS") or {"state": {"last_seq": 0}})["state"]["last_seq"]

    for _ in range(kills):
        time.sleep(random.uniform(0.2, 2))
        for node in engine.nodes:
            node.process.send_signal(signal.SIGSTOP)
        for name in stores:
            shutil.rmtree(f"{copy}/{name}", ignore_errors=True)
            shutil.copytree(f"{engine.folder}/{name}", f"{copy}/{name}")
        for node in engine.nodes:
            node.process.send_signal(signal.SIGCONT)
        before = last()
        time.sleep(random.uniform(1, 2))
        after = last()
        lost += after - before
        kill_all(engine)
        for name in stores:
            shutil.rmtree(f"{engine.folder}/{name}")
            shutil.copytree(f"{copy}/{name}", f"{engine.folder}/{name}")
        engine.start()
        wait_until(lambda: last() > after, what="messages after a kill", every=0.2)
    return told_of_stream(chain, f"{kills} times set back, by {lost} messages in all, ")


def test_collector_killed(work, programs):
    chain = Chain(work, programs, collectors=2).start()
    kills = 40
    for _ in range(kills):
        time.sleep(random.uniform(0.05, 0.8))
        collector = random.choice(chain.collectors)
        collector.kill()
        collector.start()
    return told(chain, f"{kills} kills of two collectors, ")


def test_database_killed(work, programs):
    chain = Chain(work, programs).start()
    kills = 8
    for _ in range(kills):
        time.sleep(random.uniform(0.5, 2))
        chain.database.process.kill()
        time.sleep(random.uniform(0, 2))
        chain.database.start()
    return told(chain, f"{kills} kills of PostgreSQL, ")


def test_network_cut(work, programs):
    """The network drops an hour's fixes: 3 min at 20 Hz."""
    cuts = []

    def via(engine):
        cuts.extend(Cut(port) for port in engine.ports)
        return "nats://" + ",".join(f"127.0.0.1:{cut.port}" for cut in cuts)

    chain = Chain(work, programs, receivers=20, rate=20, via=via)
    chain.start()
    time.sleep(3)
    before = chain.count()
    for cut in cuts:
        cut.is_cut = True
    seconds = int(os.environ.get("FLEET_CUT", "180"))
    time.sleep(seconds)
    waiting = chain.waiting()
    assert waiting > seconds * 20 * 20 * 0.8, f"only {waiting} fixes wait in the spool"
    for cut in cuts:
        cut.is_cut = False
    end = time.monotonic()
    # Counting hundreds of thousands of rows too often would delay the result.
    wait_until(lambda: chain.count() >= before + waiting, what="the fixes of the cut", every=1)
    back = time.monotonic() - end
    return told(chain, f"cut for {seconds * 20} fixes of each receiver, {waiting} waited, stored after {back:.0f} s, ")
