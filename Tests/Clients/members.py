# SPDX-License-Identifier: MIT
"""Compares the members of our objects with gpsd's on recordings: members.py COMMAND FILE...

gpsd reads each file by gpsfake. A FILE followed by .chk has what a later gpsd printed, which is compared instead
if GPSD_CHECKS is set. GPSD_TREE is a root tree of another release of Debian with gpsd and gpsfake, with its /proc,
/dev and /dev/pts (scripts/tests/debian-tree makes one). The last TPV of a time is compared with ours of that time, and SKY, GST and
ATT in the same way, or by their order where gpsd's have no time. Prints for each member the number of objects in
which both have it, the number of different values, and the numbers of objects in which only gpsd or only gpsbridge
has it. The members of satellites are listed as SAT.
"""
import collections
import json
import os
import shutil
import subprocess
import sys

command, files = sys.argv[1], sys.argv[2:]
CLASSES = ("TPV", "SKY", "GST", "ATT")
# The tolerances: half a unit of the last digit that both print.
TOLERANCE = collections.defaultdict(
    lambda: 0.0051, lat=1e-7, lon=1e-7, track=0.1, magtrack=0.1, magvar=0.051, el=0.51, az=0.51
)
TREE = os.environ.get("GPSD_TREE")
counts = collections.defaultdict(collections.Counter)
examples = {}


def objects(arguments):
    """Returns the objects that a command prints: the last one of each class and time."""
    found = {name: {} for name in CLASSES}
    time = None
    if isinstance(arguments, str):
        with open(arguments, "rb") as check:
            output = check.read()
    else:
        output = subprocess.run(arguments, capture_output=True, timeout=120, check=False).stdout
    for line in output.decode("latin-1").splitlines():
        if not line.startswith('{"class"'):
            continue
        try:
            report = json.loads(line)
        except ValueError:
            continue
        name = report["class"]
        if name not in CLASSES:
            continue
        if name == "TPV":
            time = report.get("time", time)
        key = report.get("time", time)
        if key is not None:
            # gpsd adds 1024 weeks to dates before 2017.
            key = key[11:]
            # gpsd reports a TPV repeatedly as it learns more, and may do so without a mode at the end.
            found[name].setdefault(key, {}).update(report)
    return found


def satellites(sky):
    """Returns the satellites of a SKY that are listed once: gpsd lists each signal."""
    listed = collections.defaultdict(list)
    for satellite in sky.get("satellites", []):
        listed[satellite.get("gnssid"), satellite.get("svid")].append(satellite)
    return {key: found[0] for key, found in listed.items() if len(found) == 1}


def compare(name, file, time, a, b):
    """Counts the members of two objects that are the same, that differ, and that only one has."""
    modelled = b.get("modelled", "").split()
    for member in (a.keys() | b.keys()) - {"class", "device", "satellites", "time"}:
        count = counts[name, member]
        if member in a and member in b:
            count["both"] += 1
            same = a[member] == b[member]
            if not same and isinstance(a[member], (int, float)):
                difference = abs(a[member] - b[member])
                same = min(difference, 360 - difference if member in ("track", "magtrack") else difference) <= TOLERANCE[member]
            if not same:
                count["differ"] += 1
                examples.setdefault((name, member), (file.rsplit("/", 1)[-1], time, a[member], b[member]))
        else:
            count["gpsd" if member in a else "ours"] += 1
        if member in modelled:
            count["modelled"] += 1


for file in files:
    try:
        if os.environ.get("GPSD_CHECKS"):
            theirs = objects(file + ".chk")
        else:
            fake = ["gpsfake", "-1", "-q", "-s", "115200", "-c", "0.001", "-p"]
            if TREE:
                shutil.copy(file, f"{TREE}/tmp/recording.log")
                theirs = objects(["chroot", TREE, *fake, "/tmp/recording.log"])
            else:
                theirs = objects([*fake, file])
        ours = objects([command, "convert", file, "--to", "json"])
    except subprocess.TimeoutExpired:
        print("left out:", file, file=sys.stderr)
        continue
    for name in CLASSES:
        for time in theirs[name].keys() & ours[name].keys():
            a, b = theirs[name][time], ours[name][time]
            compare(name, file, time, a, b)
            if name == "SKY":
                a, b = satellites(a), satellites(b)
                for satellite in a.keys() & b.keys():
                    compare("SAT", file, time, a[satellite], b[satellite])

print(f"{'':4} {'member':12} {'both':>6} {'differ':>6} {'gpsd':>6} {'ours':>6} {'modelled':>8}  first difference")
for (name, member), count in sorted(counts.items(), key=lambda item: ((*CLASSES, "SAT").index(item[0][0]), item[0][1])):
    example = examples.get((name, member), "")
    print(f"{name:4} {member:12} {count['both']:6} {count['differ']:6} {count['gpsd']:6} {count['ours']:6} {count['modelled']:8}  {example}")
