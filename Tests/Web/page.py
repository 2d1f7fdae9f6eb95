# SPDX-License-Identifier: MIT
"""Tests the live page in Chromium, and compares it with the receivers that it shows: page.py COMMAND [--record]
[TEST...]"""
import base64, contextlib, datetime, gzip, http.client, json, os, re, signal, socket, struct, subprocess, sys, tempfile, threading, time, zlib
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from machine import FAILURES, Pauses, free_ports

COMMAND = sys.argv[1]
WORDS = [word for word in sys.argv[2:] if not word.startswith("--")]
RECORDS = "--record" in sys.argv
PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/web")
TESTS, processes = [], []
PAUSES = Pauses()

def test(function):
    TESTS.append(function)
    return function

# Programs

def start(*words, log):
    process = subprocess.Popen([COMMAND, *words], stderr=open(log, "a"), stdout=subprocess.DEVNULL)
    processes.append(process)
    return process

def stop(process, how=signal.SIGTERM):
    process.send_signal(how)
    process.wait()

def until(condition, seconds=300, what=""):
    """Waits for a condition. Returns the seconds that it took. The limit only ends a wait that would never end."""
    begin = time.monotonic()
    while True:
        value = condition()
        if value:
            return time.monotonic() - begin
        if time.monotonic() - begin > seconds:
            raise AssertionError(
                f"not within {seconds} s: {what() if callable(what) else what or condition}")
        time.sleep(0.05)

def quickest(limit, attempt, attempts=10):
    """Repeats a measurement until it is within the limit, and returns the shortest time, because a busy machine
    delays single attempts. If it delays all of them, the limit is five times as long."""
    best = float("inf")
    for _ in range(attempts):
        best = min(best, attempt())
        if best <= limit:
            return best
    if PAUSES.is_busy() and best <= 5 * limit:
        return best
    raise AssertionError(f"{best:.2f} at best, {limit} at most")

class Receiver:
    """A simulated receiver on a tty."""
    def __init__(self, folder, name, *words, link=None):
        self.path, self.truth = link or f"{folder}/{name}", f"{folder}/{name}.truth"
        self.words = ["simulate", "--link", self.path, "--truth", self.truth, *words]
        self.log = f"{folder}/{name}.log"
        self.plug()

    def plug(self):
        self.process = start(*self.words, log=self.log)
        until(lambda: os.path.exists(self.path), what=self.path)

    def unplug(self):
        stop(self.process)

    def restore(self):
        if self.process.poll() is not None:
            self.plug()

class Server:
    """`gpsbridge serve` with its page."""
    def __init__(self, folder, *words):
        [self.port] = free_ports(1)
        self.log, self.words = f"{folder}/serve.log", words
        self.url = f"http://localhost:{self.port}/"
        self.start()

    def restore(self):
        if self.process.poll() is not None:
            self.start()
        self.process.send_signal(signal.SIGCONT)

    def start(self):
        self.process = start("serve", "--user", "root", "--listen", "127.0.0.1:0", "--http",
                             f"127.0.0.1:{self.port}", *self.words, log=self.log)
        until(lambda: self.answers(), what="the server")

    def answers(self):
        assert self.process.poll() is None, "the server has ended: " + open(self.log).read()[-400:]
        try:
            return self.get("/health") is not None
        except (OSError, http.client.HTTPException):
            return False

    def get(self, path, headers={}, host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.request("GET", path,
                               headers={"Host": host or f"localhost:{self.port}", **headers})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def receivers(self):
        return json.loads(self.get("/api/receivers")[1])

    def have_fixes(self):
        return all(one.get("tpv", {}).get("mode") == 3 and "sky" in one for one in self.receivers())

# Pages

class Tab:
    """A tab of the browser, and its errors."""
    def __init__(self, browser, url, width=1280, height=900, theme="light", position=True):
        """Opens a page, and waits until it shows a position, unless `position` is false. The other panels are loaded
        later."""
        self.context = browser.new_context(viewport={"width": width, "height": height},
                                           color_scheme=theme, reduced_motion="reduce")
        self.context.set_default_timeout(300_000)
        self.page = self.context.new_page()
        self.messages, self.foreign, self.sent = [], [], 0
        self.page.on("console", lambda message: message.type in ("error", "warning")
                     and self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: request.url.startswith(url)
                     or request.url.startswith("data:") or self.foreign.append(request.url))
        session = self.context.new_cdp_session(self.page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event: self.count(event["encodedDataLength"]))
        self.page.goto(url, wait_until="domcontentloaded")
        if position:
            until(lambda: self.text("#coordinates") not in ("", "––"), what="a position")

    def count(self, bytes):
        self.sent += bytes

    def text(self, selector):
        return self.page.evaluate("s => document.querySelector(s)?.textContent ?? ''", selector).strip()

    def run(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def headline(self, words):
        """Waits for the headline. Returns the seconds that it took."""
        return until(lambda: words in self.text("#headline"), what=f"the headline '{words}'")

    def close(self, allowed=()):
        rest = [text for text in self.messages if not any(part in text for part in allowed)]
        assert not rest, f"console: {rest}"
        assert not self.foreign, f"requests elsewhere: {self.foreign}"
        self.context.close()

    def picture(self, name, **options):
        if RECORDS:
            os.makedirs(PICTURES, exist_ok=True)
            self.page.screenshot(path=f"{PICTURES}/{name}.png", **options)

def degrees(text):
    north, east = re.findall(r"([\d.]+)° ([NSEW])", text)
    signed = lambda pair: float(pair[0]) * (-1 if pair[1] in "SW" else 1)
    return signed(north), signed(east)

def is_rounded(text, value, form, decimals):
    """Returns whether a text contains the value in this format. If two rounded values are equally near, both are
    accepted."""
    number = re.search(form.replace("#", r"(\d+\.\d{%d})" % decimals), text)
    return number is not None and abs(float(number[1]) - abs(value)) <= 0.5001 * 10 ** -decimals

def seconds(time):
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()

def truths(path):
    """Returns the true positions of a simulated receiver. The last line may be cut off."""
    return [json.loads(line) for line in open(path).read().split("\n")[:-1]]

# Tests

@test
def values_are_those_of_the_receiver(world):
    tab = Tab(world.browser, world.server.url)
    until(lambda: tab.run("gpsbridge.live.counts.events") > 6)
    tpv = None
    def has_position():
        nonlocal tpv
        tpv = tab.run("gpsbridge.shown().tpv")
        return tpv and "lat" in tpv
    until(has_position, what="a position")
    # A receiver writes its data and its truth file at about the same time.
    found = lambda: [one for one in truths(world.boat.truth) if one["time"] == tpv["time"]]
    until(found, what="the truth of that time")
    truth = found()[0]
    assert abs(tpv["lat"] - truth["lat"]) < 0.0002, (tpv, truth)
    assert abs(tpv["lon"] - truth["lon"]) < 0.0004, (tpv, truth)
    # The drawing shows the sent data.
    def agree():
        tpv, texts = tab.run("""() => [gpsbridge.shown().tpv, ["coordinates", "headline", "speed"].map(
            (id) => document.getElementById(id).textContent)]""")
        # After a pause, the sentences of an epoch may be processed as two.
        if not tpv or not {"lat", "speed"} <= tpv.keys() or "accuracy" not in tpv["gpsbridge"]:
            return False
        values = (tpv["lat"], tpv["gpsbridge"]["accuracy"], tpv["speed"] * 3.6)
        looks.append((values, texts))
        forms = (("^#° N", 7), ("±# m", 1), ("^#", 1))
        return all(is_rounded(text, value, *form) for text, value, form in zip(texts, values, forms))
    looks = []
    until(agree, what=lambda: f"the same fix: {looks[-3:]}")
    # The page and the API have the same epochs.
    seen = set()
    def meet():
        seen.add(world.server.receivers()[0].get("tpv", {}).get("time", ""))
        return (tab.run("gpsbridge.shown().tpv?.time") or "none") in seen
    until(meet, what="the epoch of the API")
    until(lambda: tab.text("#mark") == "SIMULATED")
    tab.headline("3D fix")
    tab.close()

@test
def sky_and_bars_have_the_satellites_of_the_sky_object(world):
    tab = Tab(world.browser, world.server.url, height=1900)
    letters = {0: "G", 1: "S", 2: "E", 3: "C", 5: "J", 6: "R", 7: "I"}
    skies = []
    def ask():
        skies.append(world.server.receivers()[0].get("sky", {}).get("satellites", []))
        return skies[-20:]
    def agree():
        ask()
        # All at once, because a slow browser may draw for longer than an epoch.
        sky, drawn, used, bars = tab.run("""() => {
            const all = (name, value) => [...document.querySelectorAll(name)].map(value);
            return [gpsbridge.shown().sky?.satellites ?? [], all('#sky .sat', (one) => one.dataset.id),
                all('#sky .sat.used', (one) => one.dataset.id), all('#signals li', (one) =>
                    [one.dataset.id, one.querySelector('b').textContent, one.className])];
        }""")
        names = {f"{letters[one['gnssid']]}{one['svid']:02d}": one for one in sky}
        # The page and the API have the same satellites.
        return sky and sky in ask() and set(drawn) == {name for name, one in names.items() if "az" in one} \
            and set(used) == {name for name, one in names.items() if one["used"] and "az" in one} \
            and {name for name, *_ in bars} == set(names) \
            and all(value == (f"{names[name]['ss']:.0f}" if "ss" in names[name] else "–")
                    for name, value, _ in bars) \
            and all((kind == "used") == names[name]["used"] for name, _, kind in bars)
    until(agree, what="the same satellites")
    until(lambda: tab.run("document.querySelectorAll('#sky .trail').length") > 5, what="their paths")
    tab.close()

@test
def a_newcomer_sees_the_last_hour_at_once(world):
    receiver = Receiver(world.folder, "hour", "--circle", "500", "--rate", "0.2", "--accelerate", "400")
    server = Server(world.folder, receiver.path)
    times = []
    def span():
        time = server.receivers()[0].get("tpv", {}).get("time")
        times.extend([seconds(time)] if time else [])
        return times[-1] - times[0] if times else 0
    until(lambda: span() > 3500, what="an hour in the server")
    tab, kept = None, []
    def has_hour():
        nonlocal tab
        tab = Tab(world.browser, server.url)
        kept.append(tab.run("(({history}) => history.seconds[history.length - 1]"
                            " - history.seconds[history.start])(gpsbridge.shown())"))
        if 3500 < kept[-1] <= 3610:
            return True
        tab.close()
    # This receiver drops minutes if the machine is busy, and more than an hour if it pauses for nine seconds. Then the
    # history begins again, and the next newcomer sees it.
    until(has_hour, what=lambda: f"an hour at once: {kept}")
    until(lambda: tab.run("document.querySelectorAll('#map path').length") > 0, what="the track")
    tab.page.locator("#charts").scroll_into_view_if_needed()
    until(lambda: tab.text("#charts-note") == "last hour")
    tab.close()
    stop(server.process)
    receiver.unplug()

@test
def an_alarm_is_shown_with_its_reason_and_its_time(world):
    server = Server(world.folder, "simulated:ublox9,fault=8s: spoof 400n")
    tab = Tab(world.browser, server.url)
    tab.headline("Integrity alarm · 3D fix")
    until(lambda: re.search(r"moved (39|4\d)\d m in 1 s at a reported", tab.text("#subline")),
          what=lambda: f"the reason: {tab.text('#subline')}")
    until(lambda: re.fullmatch(r"alarm since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", tab.text("#integrity")),
          what=lambda: f"the time: {tab.text('#integrity')}")
    tab.close()
    stop(server.process)
    # The alarm stays without a fix. A slow browser may open the page after the last fix.
    server = Server(world.folder, "simulated:ublox9,fault=8s: spoof 400n,fault=12s: jam")
    tab = Tab(world.browser, server.url, position=False)
    until(lambda: re.match("Integrity alarm · (No fix|Fix is)", tab.text("#headline")), what="no fix")
    tab.close()
    stop(server.process)

@test
def the_winner_of_several_receivers_and_its_witnesses_are_named(world):
    server = Server(world.folder, "--vote", "bow=simulated", "aft=simulated:seed=2")
    tab = Tab(world.browser, server.url)
    tab.headline("3D fix")
    until(lambda: re.match(r"vote: (bow, confirmed by aft|aft, confirmed by bow)", tab.text("#device")),
          what=lambda: f"the winner: {tab.text('#device')}")
    tab.close()
    stop(server.process)

@test
def an_anchor_watch_and_a_waypoint_have_a_card(world):
    receiver = Receiver(world.folder, "anchored", "--at", "55.7,12.6", "--instruments", "wind,depth")
    server = Server(world.folder, receiver.path, "--anchor", "30m", "--to", "55.71,12.6")
    tab = Tab(world.browser, server.url)
    rows = lambda: tab.run(
        "[...document.querySelectorAll('#navigation dl div')].map(one => one.innerText.split(/\\n+/))")
    until(lambda: dict(rows()).get("Anchor", "").startswith("holds since "), what=rows)
    def all_rows():
        shown = rows()
        # An instrument that is silent for ten seconds is omitted.
        if len(shown) != 13:
            return False
        anchor, waypoint, instruments = dict(shown[:3]), dict(shown[3:9]), dict(shown[9:])
        return re.fullmatch(r"\d+\.\d m, keel \d+\.\d m", instruments.get("Depth", "")) \
            and instruments.get("True wind") == "25.2 km/h, from 240° WSW" \
            and instruments.get("Apparent wind") == "25.2 km/h, 120° port" \
            and instruments.get("Water") == "17.5 °C" \
            and re.fullmatch(r"\d+\.\d+ m of 30\.0 m", anchor["Distance"]) \
            and waypoint["Waypoint"] == "55.71, 12.6" and waypoint["Bearing"] == "0° N" \
            and waypoint["Distance"] == "1.11 km" and waypoint["Time to go"] == "–"
    until(all_rows, what=rows)
    # The circle on the map is green, then red.
    color = lambda: tab.run("getComputedStyle(document.documentElement).getPropertyValue('--poor').trim()")
    until(lambda: len(tab.run("[...document.querySelectorAll('#map path')].map(one => one.getAttribute('stroke'))")) >= 5)
    result = Axe().run(tab.page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
    assert result.violations_count == 0, result.generate_report()
    tab.picture("anchor", clip={"x": 0, "y": 0, "width": 1280, "height": 900})
    receiver.unplug()
    tab.headline("Anchor watch does not work · Receiver is gone")
    until(lambda: tab.text("#subline").startswith("the receiver is gone · for "), what=lambda: tab.text("#subline"))
    def is_lost():
        shown = dict(rows())
        return shown.get("Distance") == "–" and shown["Anchor"].startswith("watch does not work")
    until(is_lost, what=rows)
    until(lambda: color() in tab.run("[...document.querySelectorAll('#map path')].map(one => one.getAttribute('stroke'))"),
          what="a red circle")
    tab.close()
    stop(server.process)
    # Without the options, the card is hidden.
    tab = Tab(world.browser, world.server.url)
    until(lambda: tab.run("performance.getEntriesByName(new URL('navigation.js', location).href).length"))
    assert not tab.page.locator("#navigation").is_visible()
    tab.close()

@test
def a_receiver_is_unplugged_and_comes_back(world):
    tab = Tab(world.browser, world.server.url)
    def unplug():
        world.boat.restore()
        tab.headline("3D fix")
        begin = time.monotonic()
        world.boat.unplug()
        tab.headline("Receiver is gone")
        return time.monotonic() - begin
    world.note(f"unplugged: shown after {quickest(2, unplug):.2f} s")
    until(lambda: tab.run("document.querySelector('main').classList.contains('past')"))
    until(lambda: tab.text("#mark") == "SIMULATED", what="that the position is still simulated")
    tab.picture("gone", clip={"x": 0, "y": 0, "width": 1280, "height": 420})
    world.boat.plug()
    tab.headline("3D fix")
    tab.close()

@test
def the_server_is_killed_and_comes_back(world):
    tab = Tab(world.browser, world.server.url)
    def kill():
        world.server.restore()
        tab.headline("3D fix")
        begin = time.monotonic()
        stop(world.server.process, signal.SIGKILL)
        tab.headline("Connection lost")
        return time.monotonic() - begin
    world.note(f"killed: shown after {quickest(2, kill):.2f} s")
    world.server.start()
    world.note(f"restarted: shown after {tab.headline('3D fix'):.2f} s")
    # Any request may fail then.
    tab.close(allowed=["net::ERR_"])

@test
def reports_of_a_ubx_receiver_are_shown(world):
    server = Server(world.folder, "simulated:f9p,protocol=ubx")
    tab = Tab(world.browser, server.url)
    tab.headline("3D fix")
    rows = lambda: dict(tab.run("[...document.querySelectorAll('#reports > div')].map((row) => "
                                "[...row.children].map((one) => one.textContent))"))
    def has_reports():
        # After a pause, an epoch may lack some of them.
        shown, tpv = {"Jamming": "", "Spoofing": "", "Protection": "", "Deviation": "", **rows()}, \
            server.receivers()[0].get("tpv", {})
        return shown["Jamming"] == shown["Spoofing"] == "none detected" \
            and shown["Protection"].endswith(" m") and "height" in shown["Protection"] \
            and shown["Deviation"].startswith("N ") and tpv.get("covarianceNN", 0) > 0
    until(has_reports, what=lambda: f"the receiver's reports: {rows()}")
    tab.close()
    stop(server.process)
    tab = Tab(world.browser, world.server.url)
    tab.headline("3D fix")
    assert tab.run("document.querySelector('#reports').hidden"), "NMEA has no such reports"
    tab.close()

@test
def a_silent_server_counts_as_lost(world):
    tab = Tab(world.browser, world.server.url)
    def silence():
        world.server.restore()
        tab.headline("3D fix")
        begin = time.monotonic()
        world.server.process.send_signal(signal.SIGSTOP)
        tab.headline("Connection lost")
        return time.monotonic() - begin
    world.note(f"silent: shown after {quickest(2.2, silence):.2f} s")
    world.server.restore()
    tab.headline("3D fix")
    # A server that was stopped for long ends its connections.
    tab.close(allowed=["net::ERR_"])

# Returns the colours of the panels' graphics; "faded" if they are translucent.
COLOURS = """() => Object.fromEntries(["#coordinates", ".tiles dd", ".facts dd", "#sky", ".chart",
    ".leaflet-overlay-pane", "#log"].map((name) => {
  const element = document.querySelector(name);
  if (!element) return [name, "missing"];
  const style = getComputedStyle(element);
  return [name, style.opacity === "1" ? style.color : "faded"];
}))"""
FADED = "#sky", ".chart", ".leaflet-overlay-pane"

LAND = """async () => {
  // The land is drawn with the next frame, which a slow browser may not have drawn yet.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  if (document.querySelector(".leaflet-zoom-anim")) return null;
  const canvas = document.querySelector(".leaflet-container canvas");
  if (!canvas?.width) return null;
  const place = canvas.getBoundingClientRect(), ratio = canvas.width / place.width;
  const map = document.getElementById("map").getBoundingClientRect();
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const land = getComputedStyle(document.documentElement).getPropertyValue("--land");
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(land.trim().slice(at, at + 2), 16));
  const isLand = (x, y) => {
    const at = 4 * (Math.round((y - place.y) * ratio) * canvas.width + Math.round((x - place.x) * ratio));
    return data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255;
  };
  for (let y = map.top + 90; y < map.bottom - 60; y += 3) {
    for (let x = map.left + 90; x < map.right - 90; x += 3) {
      // Not a point at the shore, nor one under a label.
      if ([-4, 0, 4].every((dx) => [-4, 0, 4].every((dy) => isLand(x + dx, y + dy)))
          && document.elementsFromPoint(x, y).every((one) => !one.closest(".grid-label"))) {
        return { x: x + scrollX, y: y + scrollY };
      }
    }
  }
  return null;
}"""

def land(tab):
    """Returns a point of the page where the map shows only land. Zooms out as far as necessary."""
    point = None
    def find():
        nonlocal point
        point = tab.run(LAND)
        if not point:
            tab.page.locator(".leaflet-control-zoom-out").click()
        return point
    until(find, what="land on the map")
    return point

def pixel(tab, point):
    """Returns the colour at a point of the page."""
    image = tab.page.screenshot(full_page=True, clip={**point, "width": 1, "height": 1})
    return tab.run("""async (data) => {
      const image = new Image();
      image.src = data;
      await image.decode();
      const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }""", "data:image/png;base64," + base64.b64encode(image).decode())

@test
def what_is_past_is_paler_and_the_land_stays(world):
    for theme in "light", "dark":
        tab = Tab(world.browser, world.server.url, theme=theme)
        tab.headline("3D fix")
        tab.page.locator("#sentences summary").click()
        # The receiver no longer moves the map. Without the map, which is loaded later, the button does nothing.
        until(lambda: tab.run("""() => {
            const follow = document.getElementById("follow");
            if (follow.getAttribute("aria-pressed") === "true") follow.click();
            return follow.getAttribute("aria-pressed") === "false";
        }"""), what="the map")
        tab.page.locator(".chart").first.scroll_into_view_if_needed()
        until(lambda: all(tab.page.locator(name).count() for name in FADED), what="all panels")
        place, now = land(tab), None
        def has_colours():
            # A busy machine may lose the connection for a moment, which fades the page.
            nonlocal now
            isPast, now = tab.run(f"[document.getElementById('main').classList.contains('past'), ({COLOURS})()]")
            return not isPast
        until(has_colours, what="a current fix")
        colour = pixel(tab, place)
        world.boat.unplug()
        tab.headline("Receiver is gone")
        past = tab.run(COLOURS)
        for name, before in now.items():
            if name == "#log":
                assert past[name] == before, f"{name} is still being written"
            else:
                assert past[name] != before, f"{name} is {before} in both"
                assert (past[name] == "faded") == (name in FADED), f"{name}: {past[name]}"
        assert pixel(tab, place) == colour, f"land: {colour}, then {pixel(tab, place)}"
        world.boat.plug()
        until(lambda: tab.run(COLOURS) == now, what=lambda: f"the colours {now}, not {tab.run(COLOURS)}")
        # A warning about the canvas that this test reads.
        tab.close(allowed=["willReadFrequently"])

def delayed_events(server, delay):
    """Returns the address of a proxy that forwards requests for events to a server with a delay, and the times of
    the requests."""
    listener, times = socket.create_server(("127.0.0.1", 0)), []
    def answer(client, upstream, current):
        with contextlib.suppress(OSError):
            while data := upstream.recv(65536):
                client.sendall(data)
        with contextlib.suppress(OSError):
            # The server closes idle connections, but not one on which a request is delayed here.
            if current == [upstream]:
                client.shutdown(socket.SHUT_RDWR)
    def ask(client):
        current = [None]
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                if data.startswith(b"GET /events"):
                    current[0] = None
                    times.append(time.monotonic())
                    time.sleep(delay)
                if not current[0]:
                    current[0] = socket.create_connection(("127.0.0.1", server.port))
                    threading.Thread(target=answer, args=(client, current[0], current),
                                     daemon=True).start()
                current[0].sendall(data)
        if current[0]:
            with contextlib.suppress(OSError):
                current[0].shutdown(socket.SHUT_RDWR)
    def accept():
        while True:
            threading.Thread(target=ask, args=(listener.accept()[0],), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return f"http://localhost:{listener.getsockname()[1]}/", times

@test
def a_server_that_takes_long_is_waited_for(world):
    # Longer than the page's first timeout.
    url, times = delayed_events(world.server, 6)
    tab = Tab(world.browser, url)
    assert len(times) < 5, times
    tab.close()

@test
def two_receivers_have_a_tab_each_and_are_told_apart(world):
    tab = Tab(world.browser, world.server.url)
    until(lambda: tab.run("document.querySelectorAll('#tabs [role=tab]').length") == 2)
    first = tab.text("#coordinates")
    tab.page.locator("#tabs [role=tab]").nth(0).focus()
    tab.page.keyboard.press("ArrowRight")
    until(lambda: "/quay" in tab.text("#device"))
    until(lambda: "°" in tab.text("#coordinates"), what="a position")
    lat, lon = degrees(tab.text("#coordinates"))
    assert abs(lat - 55.8712) < 0.0003 and abs(lon - 12.8302) < 0.0005, (lat, lon)
    assert tab.text("#coordinates") != first
    until(lambda: tab.run("document.querySelectorAll('.here-name').length") == 2, what="both on the map")
    assert "receiver=1" in tab.run("document.querySelector('#downloads a').href")
    tab.close()

@test
def at_rest_the_scatter_is_drawn(world):
    tab = Tab(world.browser, world.server.url, height=1900)
    tab.page.locator("#tabs [role=tab]").nth(1).click()
    until(lambda: tab.text("#scatter-title") == "Scatter at rest"
          and re.search(r"CEP [\d.]+ m", tab.text("#scatter")))
    tab.close()

@test
def the_mean_position_at_rest_is_copied_and_saved(world):
    tab = Tab(world.browser, world.server.url, height=1900)
    assert tab.run("document.getElementById('mean').hidden")
    tab.page.locator("#tabs [role=tab]").nth(1).click()
    until(lambda: tab.page.locator("#mean-download").is_visible(), what="a mean position")
    assert re.search(r"Mean of \d+ positions; half are within [\d.]+ m", tab.text("#mean-spread"))
    with tab.page.expect_download() as download:
        # Both at once, because the mean moves with each second.
        shown = tab.run("""() => {
            document.getElementById("mean-download").click();
            return document.getElementById("mean-position").textContent;
        }""")
    north, east = degrees(shown)
    assert abs(north - 55.8712) < 1e-4 and abs(east - 12.8302) < 2e-4, shown
    text = open(download.value.path()).read()
    # The page rounds to 1e-5 degrees.
    point = re.search(r'<wpt lat="([-\d.]+)" lon="([-\d.]+)"><ele>', text)
    assert point, text
    assert abs(float(point[1]) - north) < 2e-5 and abs(float(point[2]) - east) < 2e-5, (north, east, text)
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    # The button shows the result for 1.5 s only.
    tab.run("""() => {
        const button = document.getElementById("mean-copy");
        window.results = [];
        new MutationObserver(() => window.results.push(button.textContent)).observe(button, { childList: true });
    }""")
    tab.page.locator("#mean-copy").click()
    until(lambda: "Copied" in tab.run("window.results"))
    tab.close()

@test
def a_track_goes_on_across_the_date_line(world):
    tab = Tab(world.browser, world.server.url)
    longitudes = tab.run("""async () => {
        const { History } = await import('./live.js'), { segments } = await import('./map.js');
        const history = new History();
        [179.9999, 180, -179.9999, -179.9998].forEach((lon, index) =>
            history.add({ seconds: index, lat: -17, lon }));
        return segments(history).map((points) => points.map(([, lon]) => lon.toFixed(4)));
    }""")
    assert longitudes == [["-179.9998", "-179.9999", "-180.0000", "-180.0001"]], longitudes
    tab.close()

@test
def the_last_fix_of_the_state_does_not_erase_the_hour(world):
    tab = Tab(world.browser, world.server.url)
    lengths = tab.run("""async () => {
        const { Receiver } = await import('./live.js');
        const start = Date.parse('2026-03-21T12:00:00Z') / 1000, actual = Date.now;
        const history = { start, seconds: [0, 1, 2.3], lat: [48, 48, 48], lon: [16, 16, 16], breaks: [0] };
        const object = { receiver: 0, name: 'x', state: 'open', history, age: 0.2 };
        const place = { mode: 3, lat: 48, lon: 16 };
        // The history has a rounded time.
        const dated = new Receiver({ ...object, tpv: { ...place, time: '2026-03-21T12:00:02.250Z' } });
        // The browser's clock is ten seconds behind the server's, and the receiver reports no date.
        let now = (start - 7.5) * 1000;
        Date.now = () => now;
        const undated = new Receiver({ ...object, tpv: place }, start + 2.5);
        const lengths = [dated.history.length, undated.history.length];
        now += 1000;
        undated.takeFix(place);
        Date.now = actual;
        return [...lengths, undated.history.length];
    }""")
    assert lengths == [3, 3, 4], lengths
    tab.close()

@test
def the_land_goes_on_beyond_the_date_line(world):
    there = Receiver(world.folder, "chukotka", "--at", "67,179.9999")
    server = Server(world.folder, there.path)
    tab = Tab(world.browser, server.url, height=2400)
    until(lambda: tab.run("document.querySelectorAll('#map path').length") > 0, what="the map")
    # The receiver, in the middle, is a few metres west of the line.
    east = LAND.replace("map.left + 90", "map.left + 0.7 * map.width")
    until(lambda: tab.run(east), what="land beyond the line")
    # A warning about the canvas that this test reads.
    tab.close(allowed=["willReadFrequently"])
    for process in (server.process, there.process):
        stop(process)

@test
def a_fix_every_two_minutes_is_not_old_and_one_after_gaps_is(world):
    tab = Tab(world.browser, world.server.url)
    old = tab.run("""async () => {
        const { Receiver } = await import('./live.js'), old = [];
        let now = performance.now();
        performance.now = () => now;
        for (const steps of [[120, 121, 120], [1, 1, 120, 1], [1, 1, 70, 95]]) {
            const receiver = new Receiver({ receiver: 0, name: 'x', state: 'open' });
            let time = Date.parse('2026-03-21T12:00:00Z');
            for (const step of [0, ...steps]) {
                now += step * 1000;
                time += step * 1000;
                receiver.takeFix({ mode: 3, lat: 48, lon: 16, time: new Date(time).toISOString() });
            }
            now += 100000;
            old.push(receiver.isOld);
        }
        delete performance.now;
        return old;
    }""")
    assert old == [False, True, True], old
    tab.close()

@test
def the_last_fix_of_a_slow_receiver_is_not_old_after_loading(world):
    tab = Tab(world.browser, world.server.url)
    old = tab.run("""async () => {
        const { Receiver } = await import('./live.js');
        const object = { receiver: 0, name: 'x', state: 'open', age: 50,
            tpv: { mode: 3, lat: 48, lon: 16, time: '2026-03-21T12:00:00Z' } };
        return [new Receiver({ ...object, period: 60 }).isOld, new Receiver({ ...object, period: 1 }).isOld];
    }""")
    assert old == [False, True], old
    tab.close()

@test
def an_accuracy_of_millimetres_is_not_zero(world):
    tab = Tab(world.browser, world.server.url)
    title = tab.run("""async () => {
        const { Receiver } = await import('./live.js'), { headline } = await import('./status.js');
        const receiver = new Receiver({ receiver: 0, name: 'x', state: 'open' });
        receiver.takeFix({ mode: 3, lat: 48, lon: 16, gpsbridge: { accuracy: 0.004 } });
        return headline(receiver).title;
    }""")
    assert title == "3D fix ±0.004 m", title
    tab.close()

@test
def a_satellite_that_rises_again_does_not_continue_its_path(world):
    tab = Tab(world.browser, world.server.url)
    azimuths = tab.run("""async () => {
        const { Receiver } = await import('./live.js');
        const receiver = new Receiver({ receiver: 0, name: 'x', state: 'open' }), seen = [];
        let now = performance.now();
        performance.now = () => now;
        for (const [hours, az] of [[0, 10], [0.5, 20], [20, 200]]) {
            now += hours * 3600000;
            receiver.takeSky({ satellites: [{ gnssid: 0, svid: 5, az, el: 30 }] });
            seen.push(receiver.trails.get('G05').map(([azimuth]) => azimuth));
        }
        delete performance.now;
        return seen;
    }""")
    assert azimuths == [[10], [10, 20], [200]], azimuths
    tab.close()

@test
def an_anchor_that_holds_for_days_has_a_date(world):
    tab = Tab(world.browser, world.server.url)
    row = tab.run("""async () => {
        const { NavigationPanel } = await import('./navigation.js');
        const panel = new NavigationPanel();
        const anchor = { state: 'ok', since: '2026-03-21T12:00:00.000Z', radius: 30 };
        panel.draw({ anchor, waypoint: null, reading: () => null });
        return document.getElementById('anchor').textContent;
    }""")
    assert "holds since 2026-03-21 12:00:00 UTC" in row, row
    tab.close()

@test
def a_dragging_anchor_has_the_present_distance(world):
    tab = Tab(world.browser, world.server.url)
    details = tab.run("""async () => {
        const { headline } = await import('./status.js');
        const anchor = { state: 'drag', reason: '41 m away, the circle is 30 m', distance: 95, radius: 30 };
        return headline({ state: 'ended', anchor }).details;
    }""")
    assert details == "95.0 m away, the circle is 30.0 m", details
    tab.close()

@test
def another_reader_is_shown_also_with_a_fix(world):
    tab = Tab(world.browser, world.server.url)
    details = tab.run("""async () => {
        const { Receiver } = await import('./live.js'), { headline } = await import('./status.js');
        const receiver = new Receiver({ receiver: 0, name: 'x', state: 'open', sharing: 'read by gpsd, too' });
        receiver.takeFix({ mode: 3, lat: 48, lon: 11 });
        return headline(receiver).details;
    }""")
    assert details == "read by gpsd, too", details
    tab.close()

@test
def names_in_the_sky_overlap_nothing(world):
    for width in (390, 1280):
        tab = Tab(world.browser, world.server.url, width, 1900)
        until(lambda: tab.run("document.querySelectorAll('#sky .sat').length") > 20)
        overlaps = """() => {
            const shown = [...document.querySelectorAll('#sky .sat text')]
                .filter((one) => one.getAttribute('visibility') !== 'hidden');
            const box = (one) => {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                const middle = (top + bottom) / 2, half = (bottom - top) * 0.3;
                return { left: left + 0.5, right: right - 0.5, top: middle - half, bottom: middle + half };
            };
            const names = shown.map(box);
            const dots = [...document.querySelectorAll('#sky .sat circle')].map(box);
            const cross = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom
                && b.top < a.bottom;
            const bad = names.flatMap((a, i) => [...names.slice(i + 1), ...dots].filter((b) => cross(a, b)));
            return [shown.length, document.querySelectorAll('#sky .sat').length, bad.length];
        }"""
        until(lambda: (lambda one: one[2] == 0 and one[0] >= 0.9 * one[1])(tab.run(overlaps)),
              what=lambda: f"names apart at {width}: {tab.run(overlaps)}")
        tab.close()

@test
def the_table_of_satellites_is_sorted_by_the_keyboard(world):
    tab = Tab(world.browser, world.server.url, height=1900)
    tab.page.locator("#satellite-details summary").focus()
    tab.page.keyboard.press("Enter")
    until(lambda: tab.run("document.querySelectorAll('#satellite-rows tr').length") > 10)
    column = lambda index: tab.run(
        "i => [...document.querySelectorAll('#satellite-rows tr')].map(r => r.children[i].textContent)", index)
    is_sorted = lambda values, **order: values == sorted(values, **order)
    assert is_sorted(column(0))
    tab.page.locator("#satellite-columns button", has_text="dB-Hz").focus()
    tab.page.keyboard.press("Enter")
    falls = lambda: [float(text) for text in column(5) if text != "–"]
    until(lambda: is_sorted(falls(), reverse=True), what="strong signals first")
    assert tab.run("document.querySelectorAll('#satellite-columns th')[5].ariaSort") == "descending"
    tab.page.keyboard.press("Enter")
    until(lambda: is_sorted(falls()), what="weak signals first")
    tab.close()

@test
def the_night_mode_is_red_and_legible(world):
    tab = Tab(world.browser, world.server.url, height=1900)
    tab.page.locator("#theme").select_option("night")
    colours = tab.run("""() => [...document.querySelectorAll('body, body *')].flatMap((one) => {
        const { color, backgroundColor } = getComputedStyle(one);
        return [color, backgroundColor];
    }).filter((one, index, all) => all.indexOf(one) === index)""")
    for colour in colours:
        red, green, blue, *alpha = [float(part) for part in re.findall(r"[\d.]+", colour)]
        assert alpha == [0] or (green <= 80 and blue <= 70), colour
    result = Axe().run(tab.page, options={"runOnly": ["wcag2aa"]})
    assert result.violations_count == 0, result.generate_report()
    tab.page.reload(wait_until="domcontentloaded")
    until(lambda: tab.run("document.documentElement.dataset.theme") == "night")
    tab.close()

@test
def positions_are_written_in_six_notations(world):
    tab = Tab(world.browser, world.server.url)
    # The same values as in the tests of the full screen.
    cases = [
        (48.1173, 11.516667, "minutes", "48° 07.038′ N|11° 31.000′ E"),
        (48.1173, 11.516667, "sexagesimal", "48°07′02.280″ N|11°31′00.001″ E"),
        (-33.99999999, -70.99999999, "minutes", "34° 00.000′ S|71° 00.000′ W"),
        (48.858222, 2.2945, "utm", "31U 448251 5411935"), (84.0, 0.0, "utm", "UPS Z 2000000 1333272"),
        (-33.8568, 151.2153, "utm", "56H 334900 6252288"), (78.22, 9.0, "utm", "33X"),
        (60.39, 5.32, "utm", "32V"), (-80.0, 180.0, "utm", "01C"), (78.22, 8.99, "utm", "31X"),
        (48.858222, 2.2945, "mgrs", "31U DQ 48251 11935"), (85, 45, "mgrs", "Z FD 92767 07232"),
        (43.642567, -79.387139, "mgrs", "17T PJ 30084 33438"), (-81, -0.1, "mgrs", "A ZY 98252 01189"),
        (84.5, -179, "mgrs", "Y ZP 89335 10988"), (-80.5, 100, "mgrs", "B QL 40992 16444"),
        (48.14666, 11.60833, "maidenhead", "JN58td"), (90.0, 180.0, "maidenhead", "RR99xx"),
        (-34.91, -56.21166, "maidenhead", "GF15vc"),
    ]
    for lat, lon, notation, expected in cases:
        written = tab.run("""async ([lat, lon, notation]) =>
            (await import('./notations.js')).lines(notation, lat, lon).join('|')""",
            [lat, lon, notation])
        assert written.startswith(expected), (lat, lon, notation, written, expected)
    tab.page.locator("#notation").select_option("mgrs")
    until(lambda: re.fullmatch(r"\d\d[A-Z] [A-Z]{2} \d{5} \d{5}", tab.text("#coordinates")))
    tab.close()

@test
def units_are_kept(world):
    tab = Tab(world.browser, world.server.url)
    tab.page.locator("#units").select_option("nautical")
    until(lambda: tab.text("#speed").endswith("kn"))
    tab.page.reload(wait_until="domcontentloaded")
    until(lambda: tab.text("#speed").endswith("kn"))
    tab.close()

@test
def sentences_come_with_a_filter_and_a_pause(world):
    tab = Tab(world.browser, world.server.url, height=2400)
    tab.page.locator("#sentences summary").click()
    until(lambda: "$GNRMC" in tab.text("#log") and "$GPGSV" in tab.text("#log"))
    tab.page.locator("#filter").fill("GGA")
    until(lambda: "GGA" in tab.text("#log") and "RMC" not in tab.text("#log"))
    tab.page.locator("#pause").click()
    # A frame that was requested before adds the sentences that had arrived.
    lines = tab.run("""() => new Promise((resolve) =>
        requestAnimationFrame(() => resolve(document.querySelectorAll('#log li').length)))""")
    until(lambda: re.match(r"[1-9]\d* wait", tab.text("#sentences-note")))
    assert tab.run("document.querySelectorAll('#log li').length") == lines
    tab.page.locator("#pause").click()
    until(lambda: tab.run("document.querySelectorAll('#log li').length") > lines)
    tab.close()

@test
def sentences_continue_after_an_error_of_the_server(world):
    tab = Tab(world.browser, world.server.url, height=2400)
    refused = []
    def refuse(route):
        refused.append(route)
        route.fulfill(status=404, body="there is no such receiver")
    tab.page.route("**/sentences?*", refuse)
    tab.page.locator("#sentences summary").click()
    # Playwright calls `refuse` only during a call of its own.
    until(lambda: tab.run("1") and refused, what="a refused stream")
    tab.page.unroute("**/sentences?*")
    until(lambda: "$GNRMC" in tab.text("#log"), what="sentences")
    tab.close(allowed=["404"])

@test
def without_a_receiver_no_sentences_are_requested(world):
    tab = Tab(world.browser, world.server.url)
    connected = tab.run("""async () => {
        const { SentencesPanel } = await import('./sentences.js');
        document.getElementById('sentences').open = true;
        const panel = new SentencesPanel(), connected = [];
        for (const name of ['x', undefined, 'x', undefined]) {
            panel.follow(0, name);
            connected.push(Boolean(panel.source));
        }
        panel.follow(1, 'a b');
        connected.push(panel.source.url.endsWith('sentences?receiver=1&name=a%20b'));
        return connected;
    }""")
    assert connected == [True, False, True, False, True], connected
    tab.close(allowed=["404"])

@test
def the_selected_receiver_stays_selected_if_another_one_is_removed(world):
    control = f"{world.folder}/control"
    names = [f"simulated:seed={seed},lat={seed}0" for seed in (1, 2, 3)]
    server = Server(world.folder, "--control-socket", control, *names)
    tab = Tab(world.browser, server.url, height=2400)
    tabs = lambda: tab.run("document.querySelectorAll('#tabs [role=tab]').length")
    until(lambda: tabs() == 3, what="three tabs")
    tab.page.locator("#tabs [role=tab]").nth(1).click()
    tab.page.locator("#sentences summary").click()
    # Each receiver drives in a circle.
    is_second = lambda: tab.text("#coordinates").startswith(("19.99", "20.00"))
    until(is_second, what=lambda: tab.text("#coordinates"))
    until(lambda: "$" in tab.text("#log"), what="sentences")
    def remove(name):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(control)
            client.sendall(f"-{name}\n".encode())
            assert client.recv(10) == b"OK\n"
    remove(names[0])
    until(lambda: tabs() == 2, what="two tabs")
    assert tab.text("#tabs [aria-selected=true] .name") == names[1]
    until(is_second, what=lambda: tab.text("#coordinates"))
    assert "receiver=0" in tab.run("document.querySelector('#downloads a').href")
    for name in names[1:]:
        remove(name)
    tab.headline("No receiver")
    # Streams of a removed receiver are refused.
    tab.close(allowed=["404"])
    stop(server.process)

@test
def charts_are_read_by_the_keyboard(world):
    tab = Tab(world.browser, world.server.url, height=1900)
    tab.page.locator("#charts").focus()
    # The charts are loaded after the position.
    until(lambda: tab.page.keyboard.press("End") or "Speed" in tab.text("#charts-reading"))
    tab.close()

@test
def charts_connect_fixes_that_come_once_a_minute(world):
    tab = Tab(world.browser, world.server.url)
    until(lambda: tab.run("document.querySelector('#charts canvas')?.clientWidth"), what="the charts")
    drawn = tab.run("""async () => {
        const { ChartsPanel } = await import('./charts.js'), { History } = await import('./live.js');
        const panel = new ChartsPanel(), canvas = panel.charts[0].canvas, drawn = [];
        for (const times of [[0, 60, 120, 180, 240], [0, 32, 64, 72, 80, 81], [0, 1, 2, 100, 101], [0]]) {
            const history = new History(), calls = [];
            for (const seconds of times) history.add({ seconds: 1774094400 + seconds, speed: 5 });
            canvas.getContext = () => new Proxy({}, {
                get: (values, name) => values[name] ?? ((...words) => calls.push([name, ...words])),
            });
            panel.draw({ history });
            // The line comes after the grid and its labels.
            const last = calls.findLastIndex(([name]) => name === 'fillText');
            const count = (one) => calls.slice(last).filter(([name]) => name === one).length;
            drawn.push([count('moveTo'), count('lineTo'), count('arc')]);
        }
        return drawn;
    }""")
    assert drawn == [[1, 4, 0], [1, 5, 0], [2, 3, 0], [1, 0, 1]], drawn
    tab.close()

@test
def widths_from_a_phone_to_a_wall(world):
    for width, height, theme in [(320, 700, "light"), (768, 1000, "dark"), (1920, 1080, "dark")]:
        tab = Tab(world.browser, world.server.url, width, height, theme)
        wide = tab.run("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} px at {width}"
        color = tab.run("getComputedStyle(document.body).backgroundColor")
        assert (color == "rgb(14, 19, 26)") == (theme == "dark"), color
        tab.close()

@test
def axe_finds_nothing(world):
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    for width, height, theme in [(1280, 1900, "light"), (1280, 1900, "dark"), (320, 700, "light")]:
        tab = Tab(world.browser, world.server.url, width, height, theme)
        tab.page.locator("#satellite-details summary").click()
        tab.page.locator("#sentences summary").click()
        until(lambda: "$G" in tab.text("#log"))
        def look():
            result = Axe().run(tab.page, options=rules)
            assert result.violations_count == 0, result.generate_report()
        look()
        # Old values have the same contrast.
        world.boat.unplug()
        tab.headline("Receiver is gone")
        look()
        world.boat.plug()
        tab.close()

@test
def first_byte_size_and_time(world):
    def load():
        begin = time.perf_counter()
        assert world.server.get("/")[0] == 200
        return time.perf_counter() - begin
    whole = quickest(0.005, load, 100)
    # The state grows for an hour. On a slow machine, the server is older at this point.
    stop(world.server.process)
    world.restore()
    tab = Tab(world.browser, world.server.url)
    until(lambda: tab.run("document.querySelectorAll('.leaflet-pane path').length") > 0)
    state = len(world.server.get("/state")[1])
    # The event stream has no end, so its size is not counted.
    assert tab.sent + state <= 200_000
    world.note(f"page: {whole * 1000:.1f} ms (whole), {tab.sent / 1000:.0f} kB "
               f"in files, {state / 1000:.0f} kB of state")
    tab.close()
    def open_page():
        until(world.server.have_fixes, what="fixes of all receivers")
        tab = Tab(world.browser, world.server.url)
        until(lambda: tab.run("performance.getEntriesByName('usable').length") > 0)
        usable = tab.run("performance.getEntriesByName('usable')[0].startTime")
        before = tab.run("t => performance.getEntriesByType('resource').filter(one => one.startTime < t)"
                         ".map(one => one.name.split('/').at(-1))", usable)
        tab.close()
        # The browser may request the icon at any time. The position does not need it. If the first state has no
        # position, as after a pause, the page loads its other modules before it shows one.
        if len(set(before) - {"favicon.svg"}) <= 8:
            return usable
        print("        loaded before the position:", *before, flush=True)
        return float("inf")
    world.note(f"position shown after {quickest(1000, open_page, 20):.0f} ms")

@test
def hostile_requests_are_refused(world):
    server = world.server
    assert server.get("/state", host="evil.example")[0] == 421
    assert server.get("/state", {"Origin": "https://evil.example"})[0] == 403
    assert server.get("/../../etc/passwd")[0] == 404
    tab = Tab(world.browser, server.url)
    # A page from another origin cannot read the data in any way.
    tab.page.route("http://elsewhere.example/", lambda route: route.fulfill(
        body="<!doctype html><title>elsewhere</title>", content_type="text/html"))
    tab.page.goto("http://elsewhere.example/")
    read = tab.run("url => fetch(url + 'state').then(r => r.text(), () => 'refused')", server.url)
    assert read == "refused", read
    tab.context.close()

def tile_archive(path):
    """Creates a PMTiles archive with one tile: the whole world in red."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + \
        struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\xd0\x20\x20" * 256) * 256
    image = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    size = bytes([len(image) & 127 | 128, len(image) >> 7 & 127 | 128, len(image) >> 14])
    root = gzip.compress(bytes([1, 0, 1]) + size + bytes([1]))
    header = struct.pack("<7sB11Q6B", b"PMTiles", 3, 127, len(root), 0, 0, 0, 0, 127 + len(root),
                         len(image), 1, 1, 1, 1, 2, 1, 2, 0, 0)
    with open(path, "wb") as file:
        file.write(header.ljust(127, b"\0") + root + image)

@test
def tiles_come_from_a_file(world):
    tile_archive(f"{world.folder}/red.pmtiles")
    server = Server(world.folder, "--tiles", f"{world.folder}/red.pmtiles", "simulated")
    tab = Tab(world.browser, server.url)
    until(lambda: tab.run("document.querySelectorAll('img.leaflet-tile-loaded').length") > 0)
    tab.close()
    stop(server.process)

@test
def pictures(world):
    if not RECORDS:
        return
    folder = world.folder
    # The page shows the path, which must not be in a temporary folder. Only root may create these links.
    ship = Receiver(folder, "ship", "--personality", "ublox9", "--at", "56.05,12.63", "--line",
                    "55.70,12.72", "--speed", "10", "--accelerate", "12", "--seed", "7", link="/dev/ship")
    quay = Receiver(folder, "harbour", "--personality", "ublox9", "--at", "55.8712,12.8302",
                    link="/dev/harbour")
    server = Server(folder, ship.path, quay.path)
    until(lambda: len(server.get("/api/fixes?receiver=0")[1].splitlines()) > 110, 300)
    desk = Tab(world.browser, server.url, 1280, 1740)
    wall = Tab(world.browser, server.url, 1920, 1080, "dark")
    phone = Tab(world.browser, server.url, 390, 844)
    night = Tab(world.browser, server.url, 1280, 900)
    night.page.locator("#theme").select_option("night")
    time.sleep(2)
    night.picture("night")
    desk.picture("page")
    wall.picture("wall")
    phone.picture("phone")
    for tab in (desk, wall, phone, night):
        tab.close()
    # This also removes the links.
    for process in (server.process, ship.process, quay.process):
        stop(process)

class World:
    def __init__(self, browser, folder):
        self.browser, self.folder, self.notes = browser, folder, []
        self.boat = Receiver(folder, "boat", "--personality", "ublox9", "--circle", "60",
                             "--at", "55.7,12.6")
        self.quay = Receiver(folder, "quay", "--at", "55.8712,12.8302")
        self.server = Server(folder, self.boat.path, self.quay.path)

    def restore(self):
        """Restores the state for the next test, even if the previous one has failed."""
        for one in (self.boat, self.quay, self.server):
            one.restore()
        until(self.server.have_fixes, what="fixes of all receivers")

    def note(self, text):
        self.notes.append(text)

    def clean(self):
        """Closes all tabs, and ends the programs of a test that has failed."""
        for context in self.browser.contexts:
            context.close()
        own = [self.boat.process, self.quay.process, self.server.process]
        for process in processes:
            if process.poll() is None and process not in own:
                # A program that ends by itself removes its links and sockets.
                process.send_signal(signal.SIGCONT)
                process.terminate()
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

def main():
    failures = 0
    with tempfile.TemporaryDirectory(prefix="gpsbridge-web-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", timeout=300_000, args=[
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        world = World(browser, folder)
        begin = time.monotonic()
        for function in TESTS:
            name = function.__name__
            if WORDS and name not in WORDS:
                continue
            def attempt():
                world.notes = []
                world.restore()
                function(world)
            try:
                PAUSES.repeat(attempt, world.clean)
                print("ok    ", name.replace("_", " "), *[f"({note})" for note in world.notes], flush=True)
            except Exception as error:
                failures += 1
                print("FAILED", name.replace("_", " "), f"{type(error).__name__}: {error}", flush=True)
                world.clean()
                if failures == FAILURES:
                    print(f"        {failures} tests have failed: the others are omitted", flush=True)
                    break
        print(f"{failures} failed, {time.monotonic() - begin:.0f} s")
        browser.close()
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()
    sys.exit(1 if failures else 0)

main()
