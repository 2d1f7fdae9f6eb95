# SPDX-License-Identifier: MIT
"""`serve` for a long time, with hostile clients: soak.py COMMAND SECONDS FOLDER; see docs/testing.md

Measures memory, descriptors and threads every five seconds, prints a line every minute, and checks the results at
the end."""
import concurrent.futures, glob, json, os, random, re, select, shutil, signal, statistics, subprocess, sys, time
from browser import Browser
from receivers import Noise, Simulated, Terminal
from server import BINARY, ENVIRONMENT, FOLDER, OWNER, TOKEN, USER, Server, path, until, write
from streams import Stream, program, tcp, unix

SECONDS, HERE = int(sys.argv[2]), os.path.dirname(os.path.abspath(__file__))
# Objects that exist when the process exits, and are only referenced in ways that the sanitizer does not see.
UNSEEN = 1 << 20


def take_precedence():
    """Gets a higher priority than the machine's other work, if allowed, because the run does not test a lack of
    processors."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    except PermissionError:
        print("not root: other work on this machine may cost epochs")


class Soak:
    def __init__(self):
        os.chown(FOLDER, OWNER, -1)
        write("suppressions", "leak:formWeakReference\n")
        own = [Terminal(FOLDER, index, 10 if index < 5 else 1, OWNER) for index in range(92)]
        # A tty buffers little data, so it gets the sentences of only ten receivers.
        for one in own[3:13]:
            one.saysGNS = True
        simulated = [Simulated(FOLDER, index, 1, BINARY, ENVIRONMENT, USER) for index in range(92, 99)]
        self.receivers = own + simulated
        self.all = self.receivers + [Noise(FOLDER, 99, 1, OWNER)]
        for one in self.all:
            one.plug()
        until(lambda: all(os.path.exists(one.path) for one in self.all), "receivers")
        for one in self.receivers:
            one.note_break()
            one.note_return()
        self.server = Server(self.all)
        self.failures, self.samples, self.minutes, self.epoch = [], [], [], int(time.time() * 10)
        self.begin = self.printed = time.time()
        self.browser = self.hostile = None
        self.reloads, self.printedCPU, self.health, self.reach = 0, 0, [], "-"
        # When this process was last late, and its largest delay.
        self.pause, self.longest = 0, 0
        # Runs slow work while streams are read.
        self.worker, self.jobs = concurrent.futures.ThreadPoolExecutor(1), []
        server, head = self.server, f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
        http = lambda page: b"GET %s HTTP/1.1\r\n" % page + head
        self.streams = [
            Stream("gpsd, TCP, json", self.receivers, tcp(int(server.gpsd)), b'?WATCH={"enable":true,"json":true};'),
            Stream("gpsd, Unix, json", self.receivers, unix(path("gpsd.sock")),
                   b'?WATCH={"enable":true,"json":true,"pps":true,"timing":true};'),
            Stream("gpsd, TCP, nmea", self.receivers, tcp(int(server.gpsd)), b'?WATCH={"enable":true,"nmea":true};'),
            Stream("gpsd, TCP, raw", self.receivers, tcp(int(server.gpsd)), b'?WATCH={"enable":true,"raw":1};'),
            Stream("sentences, TCP", self.receivers, tcp(int(server.nmea))),
            Stream("sentences, Unix", self.receivers, unix(path("nmea.sock"))),
            Stream("sentences, pty", own[3:13], program("cat", path("out")), formatter=b"GNS"),
            Stream("sentences, UDP", self.receivers, lambda: server.datagrams),
            Stream("/events", self.receivers, tcp(int(server.http)), http(b"/events"), True)]
        self.streams += [
            Stream("/sentences, %d" % index, [self.receivers[index]], tcp(int(server.http)),
                   http(b"/sentences?receiver=%d" % index), True) for index in (0, 50, 92, 98)]

    def run(self):
        later = lambda job: lambda: self.jobs.append(self.worker.submit(job))
        timers = [(0, 5, self.sample), (60, 60, self.report), (7, 7, self.replug), (307, 300, self.reload),
                  (20, 1e9, self.attack), (8, 10, later(self.ask)), (5, 1e9, later(self.browse)),
                  (60, 10, later(self.look_at_page)), (200, 180, later(self.reload_page)),
                  (50, 60, later(self.ask_clock))]
        timers = [[self.begin + first, every, action] for first, every, action in timers]
        while time.time() < self.begin + SECONDS:
            try:
                self.step()
                for timer in timers:
                    if time.time() >= timer[0]:
                        timer[0] += timer[1]
                        timer[2]()
            except OSError as error:
                time.sleep(5)
                hasEnded = self.server.process.poll() is not None
                return self.failures.append(f"{error}; serve {'has ended' if hasEnded else 'runs'} {self.found()}")
        self.finish()

    def step(self):
        """Reads available data until the next epoch."""
        due = (self.epoch + 3) / 10
        while self.jobs and self.jobs[0].done():
            self.jobs.pop(0).result()
        readable, _, _ = select.select(self.streams, [], [], max(0, due - time.time()))
        for stream in readable:
            if not stream.read():
                stream.dropped += 1
                stream.ledger.note("disconnected", -1, self.epoch)
                stream.close()
                stream.ledger.last.clear()
                stream.open()
        late = time.time() - due
        if late > 0.2:
            self.pause, self.longest = time.time(), max(self.longest, late)
        while time.time() >= (self.epoch + 3) / 10:
            # An epoch is reported 200 ms after it.
            self.epoch += 1
            for one in self.all:
                one.send(self.epoch)

    def sample(self):
        self.samples.append((time.time() - self.begin, *self.server.sample()))

    def attack(self):
        """By then, the server's resources without hostile clients have been measured."""
        self.idle = self.server.sample()
        server = self.server
        self.hostile = subprocess.Popen(
            ["nice", "-n", "29", sys.executable, os.path.join(HERE, "hostile.py"), server.gpsd, path("gpsd.sock"),
             server.nmea, path("nmea.sock"), server.http, TOKEN],
            stdout=open(path("hostile.json"), "w"), stderr=open(path("hostile.log"), "w"))

    def replug(self):
        """Unplugs some receivers, and plugs others in again."""
        # Bytes that were sent late have not been read yet.
        for one in random.sample(self.all, 3):
            if one.isPlugged and time.time() > self.pause + 3:
                # Unread bytes are lost when the receiver is unplugged.
                one.note_break(before=5)
                one.unplug()
        for one in [one for one in self.all if not one.isPlugged and random.random() < 0.5]:
            one.plug()
            one.note_return()

    def reload(self):
        for one in self.all:
            one.note_break(before=2)
            if one.isPlugged:
                one.note_return()
        self.server.process.send_signal(signal.SIGHUP)
        self.reloads += 1

    def browse(self):
        if shutil.which("chromium"):
            self.browser = Browser(FOLDER, f"http://localhost:{self.server.http}/?token={TOKEN}")
            self.browser.reload()
        else:
            print("skipped: the page, since chromium is not installed")

    def look_at_page(self):
        if self.browser:
            self.browser.check(self.receivers[0])

    def ask_clock(self):
        self.reach = self.server.clock.reach()

    def reload_page(self):
        if self.browser:
            self.browser.reload()

    def ask(self):
        """Runs programs that sometimes send requests."""
        for page, word in (("/health", ""), ("/metrics", "gpsbridge_clients"), ("/api/receivers", "rx98")):
            status, text = self.server.get(page)
            if status != 200 or word not in text:
                self.health.append(f"{page}: {status}")

    def total(self, what):
        return sum(getattr(stream.ledger, what) for stream in self.streams)

    def report(self):
        minute = [one for one in self.samples if one[0] > self.printed - self.begin]
        now = time.time()
        kilobytes, files, threads, cpu = zip(*[one[1:] for one in minute])
        if not self.minutes:
            print("min   RSS MB: low high  files: low high  threads  CPU %   epochs  lost twice order  excused  "
                  "pause s  slowest page s  chronyd")
        print("%5.1f %10.1f %6.1f %9d %6d %7d %8.1f %9d %5d %5d %5d %7d %9.1f %10.2f        %s" % (
            (now - self.begin) / 60, min(kilobytes) / 1024, max(kilobytes) / 1024, min(files), max(files), max(threads),
            (cpu[-1] - self.printedCPU) / (now - self.printed) * 100, self.total("epochs"), self.total("lost"),
            self.total("twice"), self.total("disordered"), self.total("excused"), self.longest,
            self.server.slowest, self.reach), flush=True)
        for stream in self.streams:
            while stream.ledger.notes:
                print("      %s: %s" % (stream.name, stream.ledger.notes.popleft()), flush=True)
        self.minutes.append(((now - self.begin) / 3600, min(kilobytes) / 1024, min(files), max(threads)))
        self.printed, self.printedCPU, self.server.slowest, self.longest = now, cpu[-1], 0, 0

    def finish(self):
        """Ends the hostile clients, and plugs all receivers in again, before the server ends."""
        if self.hostile:
            self.hostile.terminate()
        for one in self.all:
            if not one.isPlugged:
                one.plug()
                one.note_return()
        end = time.time() + 300
        settled = time.time() + 15
        while time.time() < end and (self.hostile and self.hostile.poll() is None or time.time() < settled):
            self.step()
        self.hold(15)
        self.worker.shutdown()
        last = self.server.sample()
        self.behind = {stream.name: stream.ledger.behind() for stream in self.streams if stream.ledger.behind()}
        self.judge(last)

    def hold(self, seconds):
        end = time.time() + seconds
        while time.time() < end:
            self.step()

    def expect(self, holds, text):
        print(("ok      " if holds else "FAILED  ") + text)
        if not holds:
            self.failures.append(text)

    def judge(self, last):
        lasted = time.time() - self.begin
        print("\n%.0f s, %d receivers, SIGHUP %d times; serve used %.1f %% of a core" % (
            lasted, len(self.all), self.reloads, last[3] / lasted * 100))
        for stream in self.streams:
            ledger = stream.ledger
            print("%-18s %9d epochs, %d lost, %d twice, %d out of order, %d unknown, disconnected %d times; %d excused"
                  % (stream.name, ledger.epochs, ledger.lost, ledger.twice, ledger.disordered, ledger.unknown,
                     stream.dropped, ledger.excused))
        faults = sum(self.total(what) for what in ("lost", "twice", "disordered", "unknown"))
        self.expect(faults == 0, "no epoch lost, twice, out of order or unknown")
        self.expect(not any(stream.dropped for stream in self.streams), "no stream ended")
        self.expect(not self.behind, f"every stream has every receiver to the end {self.behind or ''}")
        refused = sum(one.refused for one in self.receivers)
        self.expect(refused == 0, f"every receiver was read in time ({refused} bursts refused)")
        self.expect(not self.health, f"/health, /metrics and /api/receivers answered {self.health[:5] or ''}")
        self.judge_hostile()
        if self.browser:
            self.expect(not self.browser.failures, "the page had fixes, %d times opened %s" % (
                self.browser.reloads, self.browser.failures[:3] or ""))
        self.expect(last[1] <= self.idle[1] + 4, f"files: {self.idle[1]} before hostile clients, {last[1]} after them")
        self.expect(last[2] <= self.idle[2] + 4, f"threads: {self.idle[2]} before, {last[2]} after")
        self.judge_memory()
        if self.server.clock.process:
            reach = self.server.clock.reach()
            polls = [int(word, 8).bit_count() for word in reach.split()]
            isReached = len(polls) == 2 and min(polls) > 6
            self.expect(isReached, f"chronyd had the time at all but one of eight polls: {reach}")
        self.judge_end()

    def judge_hostile(self):
        if not self.hostile:
            return
        try:
            result = json.load(open(path("hostile.json")))
        except ValueError:
            result = {"counts": {}, "failures": {"hostile.py": "failed: see hostile.log"}}
        counts = sorted(result["counts"].items())
        print("hostile: " + ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts))
        self.expect(not result["failures"], f"hostile clients got nothing they should not {result['failures'] or ''}")

    def judge_memory(self):
        """Memory grows for an hour, until the history is filled."""
        late = [one for one in self.minutes if one[0] > 1.1]
        if len(late) < 30:
            return print("memory: too short a run to judge: the history fills for an hour")
        hours, megabytes = zip(*[one[:2] for one in late])
        slope = statistics.linear_regression(hours, megabytes).slope
        growth = slope * (hours[-1] - hours[0]) / statistics.mean(megabytes)
        self.expect(growth < 0.05, "memory: %.1f to %.1f MB (the least of each minute) from hour %.1f on, "
                    "%+.2f MB an hour" % (min(megabytes), max(megabytes), hours[0], slope))

    def judge_end(self):
        if self.browser:
            self.browser.close()
        self.server.process.terminate()
        begin = time.time()
        try:
            status = self.server.process.wait(120)
        except subprocess.TimeoutExpired:
            status = "nothing within two minutes"
        self.expect(status == 0, f"SIGTERM: exit with {status} after {time.time() - begin:.1f} s")
        left = [name for name in ("gpsd.sock", "nmea.sock", "out") if os.path.lexists(path(name))]
        self.expect(not left, f"no socket and no link left behind {left or ''}")
        self.expect(not self.found(), f"the address sanitizer found nothing {self.found()}")
        sizes = re.findall(r"SUMMARY: \w+: (\d+) byte\(s\) leaked", self.reports())
        unseen = sum(map(int, sizes))
        self.expect(unseen < UNSEEN, f"{unseen} bytes that the sanitizer finds no reference to")

    def reports(self):
        return "".join(open(name).read() for name in glob.glob(path("sanitizer.*")))

    def found(self):
        """Returns the sanitizer's reports other than leaks."""
        at = self.reports().find("ERROR: AddressSanitizer")
        return self.reports()[at:at + 3000] if at >= 0 else ""

    def close(self):
        for process in [self.hostile, self.server.process]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if self.browser and self.browser.process.poll() is None:
            self.browser.close()
        for one in self.all:
            if isinstance(one, Simulated):
                one.process.terminate()
                one.wait()
        self.server.clock.close()


def main():
    take_precedence()
    signal.signal(signal.SIGTERM, lambda *_: finish_early())
    soak = Soak()
    def finish_early():
        global SECONDS
        SECONDS = int(time.time() - soak.begin)
    try:
        soak.run()
    finally:
        soak.close()
    for failure in soak.failures:
        print("FAILED: " + failure)
    sys.exit(1 if soak.failures else 0)


main()
