# SPDX-License-Identifier: MIT
"""Runs hostile clients until SIGTERM: hostile.py GPSD GPSD_SOCKET NMEA NMEA_SOCKET HTTP TOKEN

GPSD, NMEA and HTTP are ports. Each attack is repeated in a separate thread, with pauses, so that other programs get
processor time. At the end, prints how often each attack was made."""
import collections, json, os, random, signal, socket, struct, sys, threading, time

GPSD, GPSD_SOCKET, NMEA, NMEA_SOCKET, HTTP, TOKEN = sys.argv[1:7]
counts, failures, ended, ways = collections.Counter(), collections.Counter(), threading.Event(), []
RESET = struct.pack("ii", 1, 0)
PATHS = ["/", "/events", "/sentences?receiver=%d", "/state", "/metrics", "/health", "/api/receivers", "/app.js",
         "/land.bin", "/api/fixes", "/api/fixes?format=gpx", "/api/fixes?format=kml&receiver=%d",
         "/api/fixes?format=geojson", "/api/fixes?format=csv&since=2020-01-01T00:00:00Z",
         "/api/sheet.svg?receiver=%d", "/nothing", "/../etc/passwd", "/tiles/0/0/0"]
WATCHES = [b'?WATCH={"enable":true,"json":true};', b'?WATCH={"enable":true,"nmea":true};',
           b'?WATCH={"enable":true,"raw":2,"pps":true,"timing":true};']


def way(pause):
    """Declares an attack, which is repeated after about `pause` seconds."""
    def add(function):
        ways.append((function, pause))
        return function
    return add


def connect(where, buffer=None):
    isPath = where.startswith("/")
    one = socket.socket(socket.AF_UNIX if isPath else socket.AF_INET)
    if buffer:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    one.settimeout(10)
    one.connect(where if isPath else ("127.0.0.1", int(where)))
    return one


def vanish(one):
    """Closes with a reset."""
    if one.family == socket.AF_INET:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    one.close()


def get(path, more="", version="1.1", token=TOKEN):
    path = path % random.randrange(102) if "%d" in path else path
    return (f"GET {path} HTTP/{version}\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{more}\r\n").encode()


def pause(seconds):
    ended.wait(seconds)


def answer(one, limit=1 << 20):
    """Returns the bytes up to the end, a silence or a limit."""
    data = b""
    try:
        while len(data) < limit and (more := one.recv(65536)):
            data += more
    except OSError:
        pass
    return data


@way(5)
def pipelined_polls():
    one = connect(random.choice([GPSD, GPSD_SOCKET]))
    one.setblocking(False)
    try:
        for _ in range(50):
            one.send(b"?POLL;" * 500)
    except BlockingIOError:
        pass
    pause(random.uniform(1, 20))
    vanish(one)


@way(5)
def pipelined_requests_of_pages():
    one = connect(HTTP)
    one.setblocking(False)
    try:
        for _ in range(50):
            one.send(get(random.choice(PATHS)) * 5)
    except BlockingIOError:
        pass
    pause(random.uniform(1, 20))
    vanish(one)


@way(2)
def garbage():
    one = connect(random.choice([GPSD, GPSD_SOCKET, NMEA, NMEA_SOCKET, HTTP]))
    for _ in range(random.randrange(1, 20)):
        one.sendall(os.urandom(random.randrange(1, 5000)))
    one.settimeout(1)
    answer(one)
    vanish(one)


@way(20)
def flood_of_connections():
    where = random.choice([GPSD, GPSD_SOCKET, NMEA, NMEA_SOCKET, HTTP])
    many = [connect(where) for _ in range(300)]
    pause(random.choice([0, 0, 1, 5]))
    for one in many:
        random.choice([vanish, socket.socket.close])(one)


@way(3)
def half_closed():
    where = random.choice([GPSD, GPSD_SOCKET, NMEA, NMEA_SOCKET, HTTP])
    one = connect(where)
    if where == HTTP:
        one.sendall(get(random.choice(PATHS)))
    elif random.random() < 0.5 and where in (GPSD, GPSD_SOCKET):
        one.sendall(random.choice(WATCHES))
    one.shutdown(socket.SHUT_WR)
    one.settimeout(3)
    answer(one)
    one.close()


def read_slowly(path):
    one = connect(HTTP, buffer=4096)
    one.sendall(get(path))
    for _ in range(random.randrange(1, 120)):
        if ended.is_set() or not one.recv(random.choice([1, 10, 1000])):
            break
        pause(1)
    vanish(one)


for one_path in PATHS:
    ways.append((lambda path=one_path: read_slowly(path), 1))


@way(15)
def aborted_sheets():
    many = [connect(HTTP) for _ in range(6)]
    for one in many:
        one.sendall(get("/api/sheet.svg?receiver=%d"))
    pause(random.choice([0, 0.01, 0.1]))
    for one in many:
        vanish(one)


@way(5)
def aborted_tracks():
    many = [connect(HTTP) for _ in range(12)]
    for one in many:
        one.sendall(get("/api/fixes?format=" + random.choice(["gpx", "kml", "csv", "json", "geojson"])))
    pause(random.choice([0, 0.01, 0.1, 1]))
    for one in many:
        vanish(one)


@way(2)
def wrong_tokens():
    # /metrics and /health need no token.
    one = connect(HTTP)
    wrong = random.choice(["", "x", TOKEN[:-1], TOKEN + "x", "x" * 4000, "\"", "%00"])
    path = random.choice(PATHS[:4] + PATHS[6:])
    one.sendall(random.choice([
        get(path, token=wrong, more="Connection: close\r\n"),
        f"GET {path.split('?')[0]}?token={wrong} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
        f"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: token={wrong}; gpsbridge={wrong}\r\n\r\n".encode(),
        b"GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic eDp4\r\n\r\n"]))
    one.settimeout(1)
    if answer(one).startswith(b"HTTP/1.1 200"):
        failures["a wrong token was taken"] += 1
    one.close()


@way(1)
def byte_by_byte():
    where = random.choice([GPSD, GPSD_SOCKET, HTTP])
    one = connect(where)
    request = get("/state") if where == HTTP else random.choice(WATCHES)
    for byte in request[:random.randrange(1, len(request) + 1)]:
        one.sendall(bytes([byte]))
        pause(0.1)
    vanish(one)


@way(10)
def oversized():
    where, request = random.choice([
        (GPSD, b"?WATCH={" + b" " * (1 << 20) + b"};"), (GPSD_SOCKET, b"x" * (1 << 20)),
        (NMEA, b"$" * (1 << 20)), (GPSD, b'?DEVICE={"path":"' + b"/" * 4000 + b'"};'),
        (GPSD, b'?WATCH={"enable":true,"device":' + b"[" * 4000), (HTTP, b"GET /" + b"a" * (1 << 20)),
        (HTTP, get("/", more="X: " + "y" * 100_000 + "\r\n")), (HTTP, get("/", more="X: y\r\n" * 10_000)),
        (HTTP, get("/?" + "&".join("a%%d=%d" % n for n in range(5000)).replace("%d", "1"))),
        (HTTP, get("/api/fixes?since=" + "9" * 5000)), (HTTP, get("/api/fixes?receiver=" + "9" * 30))])
    one = connect(where)
    try:
        one.sendall(request)
    except OSError:
        pass
    one.settimeout(2)
    answer(one)
    vanish(one)


@way(3)
def bodies_and_methods():
    one = connect(HTTP)
    method = random.choice(["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE", "get", "\0", "PATCH"])
    lines = random.choice(["Content-Length: 100000000", "Content-Length: -1", "Transfer-Encoding: chunked",
                           "Content-Length: 5\r\nTransfer-Encoding: chunked", "Host: other", "Expect: 100-continue",
                           "Upgrade: websocket\r\nConnection: Upgrade", "Range: bytes=0-0,5-9,-1"])
    one.sendall(get("/state", more=lines + "\r\n").replace(b"GET", method.encode()) + b"ffffffff\r\n" + b"x" * 5000)
    one.settimeout(2)
    answer(one)
    vanish(one)


@way(0.5)
def gone_from_a_stream():
    where = random.choice([GPSD, GPSD_SOCKET, NMEA, NMEA_SOCKET, HTTP])
    one = connect(where)
    if where == HTTP:
        one.sendall(get(random.choice(PATHS[1:3] + PATHS[9:15])))
    elif where in (GPSD, GPSD_SOCKET):
        one.sendall(random.choice(WATCHES))
    pause(random.choice([0, 0.01, random.uniform(0, 2)]))
    random.choice([vanish, socket.socket.close])(one)


@way(5)
def requests_that_change_all_the_time():
    one = connect(random.choice([GPSD, GPSD_SOCKET]))
    for _ in range(200):
        one.sendall(random.choice(WATCHES + [
            b'?WATCH={"enable":false};', b"?DEVICES;", b"?VERSION;", b"?POLL;", b"?WATCH;", b"?DEVICE;", b"?XYZ;",
            b'?DEVICE={"bps":4800};', b'?WATCH={"enable":true,"json":true,"device":"/nowhere"};', b"\0\n", b"{}",
            b'?DEVICE={"path":"/dev/null","hexdata":"00"};', b'?WATCH={"raw":99999999999999999999};']))
        one.settimeout(0.01)
        try:
            one.recv(random.choice([1, 100, 65536]))
        except OSError:
            pass
    vanish(one)


@way(30)
def clients_that_never_read():
    many = [connect(random.choice([GPSD, GPSD_SOCKET, NMEA, NMEA_SOCKET, HTTP]), buffer=4096) for _ in range(20)]
    for one in many:
        try:
            one.sendall(random.choice(WATCHES) + get("/events"))
        except OSError:
            pass
    pause(random.choice([10, 100, 250]))
    for one in many:
        vanish(one)


def repeat(function, wait):
    name = function.__name__.replace("<lambda>", "slow_readers_of_pages")
    while not ended.is_set():
        try:
            function()
        except OSError:
            # Refused, reset or closed: serve may do all of these.
            counts["of these ended by the server"] += 1
        except Exception as error:
            failures[f"{name}: {error!r}"] += 1
        counts[name] += 1
        pause(random.uniform(wait / 2, wait * 3 / 2))


signal.signal(signal.SIGTERM, lambda *_: ended.set())
threads = [threading.Thread(target=repeat, args=one) for one in ways]
for thread in threads:
    thread.start()
while not ended.wait(1):
    pass
for thread in threads:
    thread.join()
print(json.dumps({"counts": counts, "failures": failures}))
