# SPDX-License-Identifier: MIT
"""Tests the sentences that `convert --to nmea` writes for tracks: gpsd, gpsbabel, pynmea2, exiftool and RTKLIB must
read every position with its own time, and `convert` must read what gpsbabel writes. Runs in a temporary folder.

formats.py COMMAND
"""
import datetime
import json
import os
import pty
import re
import socket
import subprocess
import sys
import threading
import time
import tty

import pynmea2

BINARY = sys.argv[1]
NOON = datetime.datetime(2026, 3, 21, 12)
SECOND = datetime.timedelta(seconds=1)
failures = 0


def report(name, problem):
    global failures
    failures += bool(problem)
    print(f"FAILED {name}: {problem}" if problem else f"ok     {name}", flush=True)


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class Track:
    """A track to the north, written as GPX and converted to sentences."""

    def __init__(self, name, count=20, start=NOON, step=SECOND, altitude=True, timed=True):
        self.name, self.timed, self.altitude = name, timed, altitude
        self.points = [(stamp(start + step * i), 48.1 + i / 1e4, 500.0 + i) for i in range(count)]
        with open(f"{name}.gpx", "w") as file:
            file.write('<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
            for moment, latitude, height in self.points:
                file.write(f'<trkpt lat="{latitude:.7f}" lon="11.5">')
                if altitude:
                    file.write(f"<ele>{height}</ele>")
                if timed:
                    file.write(f"<time>{moment}</time>")
                # gpsbabel writes other points as positions without a fix.
                file.write(f"<fix>{'3d' if altitude else '2d'}</fix></trkpt>\n")
            file.write("</trkseg></trk></gpx>\n")
        self.path = f"{name}.nmea"
        subprocess.run([BINARY, "convert", f"{name}.gpx", "--to", "nmea", "-o", self.path], check=True)

    def check(self, program, found):
        """Compares times, positions and altitudes; a missing time or altitude is None."""
        wanted = [(t if self.timed else None, lat, h if self.altitude else None) for t, lat, h in self.points]
        missing = [w for w in wanted if not any(self.same(w, f) for f in found)]
        wrong = [f for f in found if not any(self.same(w, f) for w in wanted)]
        problem = f"{len(missing)} of {len(wanted)} missing, {len(wrong)} wrong: {(missing + wrong)[:2]}"
        report(f"{self.name} by {program}", problem if missing or wrong else "")

    @staticmethod
    def same(a, b):
        return a[0] == b[0] and abs(a[1] - b[1]) < 2e-7 and (
            a[2] is None or b[2] is None or abs(a[2] - b[2]) < 0.06)


def gpsd(path):
    """Returns the positions that gpsd reports for sentences on a terminal."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(["gpsd", "-N", "-n", "-S", str(port), os.ttyname(slave)], stderr=subprocess.DEVNULL)
    found = []
    try:
        for _ in range(100):
            try:
                client = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                time.sleep(0.05)
        client.sendall(b'?WATCH={"enable":true,"json":true}\n')
        watching = threading.Event()

        def receive():
            for line in client.makefile():
                reply = json.loads(line)
                if reply["class"] == "WATCH":
                    watching.set()
                if reply["class"] == "TPV" and reply.get("mode", 0) > 1:
                    found.append((reply.get("time"), reply["lat"], reply.get("altMSL")))

        def discard():
            try:
                while os.read(master, 4096):
                    pass
            except OSError:
                pass

        threading.Thread(target=receive, daemon=True).start()
        threading.Thread(target=discard, daemon=True).start()
        watching.wait(5)
        time.sleep(0.5)
        with open(path, "rb") as file:
            for line in file:
                os.write(master, line)
                if line[3:6] == b"RMC":
                    time.sleep(0.02)
        time.sleep(1.5)
    finally:
        server.terminate()
        server.wait()
        os.close(slave)
    return found


def gpsd_check(track):
    found = gpsd(track.path)
    # The first report comes before RMC, so gpsd does not know the date yet.
    if track.timed:
        found = [f for f in found if f[0] or f[1] != track.points[0][1]]
    track.check("gpsd", found)


def gpsbabel_check(track):
    run = subprocess.run(
        ["gpsbabel", "-t", "-i", "nmea", "-f", track.path, "-o", "unicsv,utc=0,prec=9", "-F", "-"],
        capture_output=True, text=True, check=True)
    head, *rows = [row.split(",") for row in run.stdout.splitlines()]
    found = []
    for row in rows:
        cell = dict(zip(head, row))
        moment = datetime.datetime.fromisoformat(f"{cell['Date'].replace('/', '-')}T{cell['Time']}")
        found.append((stamp(moment), float(cell["Latitude"]), float(cell["Altitude"]) if track.altitude else None))
    track.check("gpsbabel", found)
    # And the reverse.
    subprocess.run(["gpsbabel", "-t", "-i", "gpx", "-f", f"{track.name}.gpx", "-o", "nmea", "-F", "babel.nmea"], check=True)
    run = subprocess.run([BINARY, "convert", "babel.nmea", "--to", "csv"], capture_output=True, text=True, check=True)
    positions = [float(row.split(",")[1]) for row in run.stdout.splitlines()[1:]]
    near = len(positions) == len(track.points) and all(
        abs(p - t[1]) < 1e-5 for p, t in zip(positions, track.points))
    report(f"{track.name} written by gpsbabel", "" if near else f"{len(positions)} positions: {positions[:3]}")


def pynmea2_check(track):
    found, invalid = [], 0
    with open(track.path) as file:
        for line in file:
            sentence = pynmea2.parse(line.strip(), check=True)
            invalid += not getattr(sentence, "is_valid", True)
            if sentence.sentence_type == "GGA":
                height = sentence.altitude
            if sentence.sentence_type == "RMC":
                moment = stamp(sentence.datetime) if track.timed else None
                found.append((moment, sentence.latitude, height))
    if invalid:
        report(f"{track.name} by pynmea2", f"{invalid} sentences are not valid")
    track.check("pynmea2", found)


def exiftool_check(track):
    """Gives an image the position that the track has at the time of its last fix."""
    image = bytes.fromhex("ffd8ffdb004300" + "01" * 64 + "ffc0000b080001000101011100ffc4001400010000000000000000000000"
                          "0000000003ffc40014100100000000000000000000000000000000ffda0008010100003f0037ffd9")
    moment, latitude, _ = track.points[-1]
    with open("image.jpg", "wb") as file:
        file.write(image)
    run = subprocess.run(["exiftool", "-overwrite_original", "-geotag", track.path, f"-geotime={moment[:10].replace('-', ':')} "
                          f"{moment[11:]}", "image.jpg"], capture_output=True, text=True)
    shown = subprocess.run(["exiftool", "-n", "-s3", "-GPSLatitude", "image.jpg"], capture_output=True, text=True).stdout
    near = shown.strip() and abs(float(shown) - latitude) < 1e-6
    report(f"{track.name} by exiftool", "" if near else f"{shown.strip()} {run.stderr.strip()}")


def rtklib_check(track):
    subprocess.run(["pos2kml", "-gpx", "-tu", "-o", "rtklib.gpx", track.path], capture_output=True, check=True)
    with open("rtklib.gpx") as file:
        latitudes = [float(x) for x in re.findall(r'<wpt lat="([^"]+)"', file.read())]
    wanted = [point[1] for point in track.points]
    near = len(latitudes) == len(wanted) and all(abs(a - b) < 2e-7 for a, b in zip(latitudes, wanted))
    report(f"{track.name} by RTKLIB", "" if near else f"{len(latitudes)} of {len(wanted)} positions")


evening = NOON.replace(hour=23, minute=59, second=57)
tracks = [
    Track("plain"),
    Track("without-altitude", altitude=False),
    Track("without-times", timed=False),
    Track("milliseconds", start=NOON + SECOND * 0.123, step=SECOND * 1.037),
    Track("ten-hertz", count=60, step=SECOND / 10),
    Track("midnight", count=60, start=evening, step=SECOND / 10),
    Track("new-year", start=datetime.datetime(2026, 12, 31, 23, 59, 50)),
    Track("every-ten-minutes", step=SECOND * 600),
]
for each in tracks:
    gpsd_check(each)
    pynmea2_check(each)
    if each.timed:
        gpsbabel_check(each)
        rtklib_check(each)
        exiftool_check(each)
sys.exit(1 if failures else 0)
