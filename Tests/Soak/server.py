# SPDX-License-Identifier: MIT
"""`serve` with every kind of output, and chronyd: their addresses and users."""
import contextlib, http.client, os, pwd, re, shutil, socket, subprocess, sys, time

FOLDER = os.path.realpath(sys.argv[3])
# A copy, which another user may run.
BINARY = shutil.copy(sys.argv[1], FOLDER)
TOKEN = "soak-token-0123456789"
# The sanitizer does not recognise Swift's weak references as pointers. Without a small quarantine, freed memory
# would count as used for hours.
ENVIRONMENT = dict(
    os.environ, SWIFT_BACKTRACE="enable=no",
    ASAN_OPTIONS=f"log_path={FOLDER}/sanitizer:quarantine_size_mb=8:malloc_context_size=16"
    ":detect_stack_use_after_return=0",
    LSAN_OPTIONS=f"suppressions={FOLDER}/suppressions:exitcode=0")
# If root runs this, programs that open receivers run as another user, because inotify has few queues for each user.
USER = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
OWNER = pwd.getpwnam("nobody").pw_uid if USER else os.getuid()


def path(name):
    return os.path.join(FOLDER, name)


def write(name, text):
    with open(os.open(path(name), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        file.write(text)
    os.chown(path(name), OWNER, -1)
    return path(name)


def until(condition, what, seconds=120):
    for _ in range(seconds * 10):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {seconds} s")


class Server:
    """`serve` with every kind of output, and its files."""
    def __init__(self, receivers):
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self.datagrams.bind(("127.0.0.1", 0))
        self.words = [
            BINARY, "serve", "--baud", "115200", "--trust-any-time", "--time-delay", "0.2",
            "--listen", "127.0.0.1:0", "--listen", path("gpsd.sock"),
            "--nmea", "127.0.0.1:0", "--nmea", path("nmea.sock") + "=GGA,RMC", "--nmea", f"pty:{path('out')}=GNS",
            "--nmea", "udp://127.0.0.1:%d=GGA" % self.datagrams.getsockname()[1], "--http", "127.0.0.1:0",
            "--http-token-file", write("token", TOKEN + "\n")]
        self.clock = Clock()
        if self.clock.process:
            self.words += ["--chrony", path("clock.sock"), "--shm", str(self.clock.unit)]
        self.log = path("serve.log")
        self.process = subprocess.Popen(
            self.words + [receiver.path for receiver in receivers], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.log, "w"), env=ENVIRONMENT, **USER)
        until(lambda: "reading" in open(self.log).read(), "serve")
        log = open(self.log).read()
        self.gpsd, self.nmea, self.http = (
            re.search(kind + r" at (?:http://)?127\.0\.0\.1:(\d+)", log)[1]
            for kind in ("clients", "sentences", "page"))
        self.slowest = 0
        # Threads that libdispatch starts do not get the higher priority.
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, int(thread), os.getpriority(os.PRIO_PROCESS, 0))

    def sample(self):
        """Returns kilobytes, descriptors, threads, and seconds of processor time."""
        status = open(f"/proc/{self.process.pid}/status").read()
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(re.search(r"VmRSS:\s*(\d+)", status)[1]), self.count_files(),
                int(re.search(r"Threads:\s*(\d+)", status)[1]), (int(fields[11]) + int(fields[12])) / 100)

    def count_files(self):
        """Does not count inotify queues, because their number depends on the user's other programs."""
        count, folder = 0, f"/proc/{self.process.pid}/fd/"
        for name in os.listdir(folder):
            try:
                count += "inotify" not in os.readlink(folder + name)
            except OSError:
                pass
        return count

    def get(self, page):
        begin = time.time()
        connection = http.client.HTTPConnection("127.0.0.1", int(self.http), timeout=60)
        connection.request("GET", page, headers={"Authorization": "Bearer " + TOKEN})
        answer = connection.getresponse()
        data = answer.read().decode()
        connection.close()
        self.slowest = max(self.slowest, time.time() - begin)
        return answer.status, data


class Clock:
    """chronyd, which does not change the clock, with its own socket and shared memory."""
    def __init__(self):
        self.process = None
        if not shutil.which("chronyd"):
            return print("skipped: chronyd, which is not installed (Debian: chrony)")
        used = [int(line.split()[0]) & 0xFFFFFFFF for line in open("/proc/sysvipc/shm").readlines()[1:]]
        self.unit = next(unit for unit in range(100, 256) if 0x4E545030 + unit not in used)
        # Other users must not be able to write to the folder of the command socket.
        os.mkdir(path("chronyd"), 0o700)
        os.chown(path("chronyd"), OWNER, USER.get("group", -1))
        self.socket = path("chronyd/sock")
        write("chrony.conf", f"""
            refclock SOCK {path('clock.sock')} refid SOCK poll 2 delay 0.2
            refclock SHM {self.unit}:perm=0600 refid SHM poll 2 delay 0.2 noselect
            cmdport 0\nport 0\nbindcmdaddress {self.socket}\npidfile {path('chronyd/pid')}\n""")
        user = pwd.getpwuid(OWNER).pw_name
        self.process = subprocess.Popen(
            [shutil.which("chronyd"), "-U", "-x", "-d", "-u", user, "-f", path("chrony.conf")],
            stdout=open(path("chronyd.log"), "w"), stderr=subprocess.STDOUT, **USER)
        until(lambda: os.path.exists(path("clock.sock")), "chronyd")

    def reach(self):
        """Returns the results of the last eight polls of each clock, in octal."""
        if not self.process:
            return "-"
        words = ["chronyc", "-c", "-h", self.socket, "sources"]
        text = subprocess.run(words, capture_output=True, text=True, **USER).stdout
        return " ".join(line.split(",")[5] for line in text.splitlines())

    def close(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            subprocess.run(["ipcrm", "-M", str(0x4E545030 + self.unit)])
