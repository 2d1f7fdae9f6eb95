# SPDX-License-Identifier: MIT
"""Tests the RINEX files that `convert` writes for recordings with known answers: their measurements equal convbin's,
georinex reads every value, RTKLIB computes the same positions from them as from convbin's, and Hatanaka's compression
keeps them. pyubx2 reads the messages that assist a receiver. Runs in a temporary folder.

rinex.py COMMAND CORPUS
"""
import os
import re
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")  # xarray's defaults will change, which does not concern the values

import georinex
import hatanaka
import numpy
import pyubx2

BINARY, CORPUS = sys.argv[1:]
# A program writes the answers with other names of files, and compresses them.
RECORDINGS = ["f9p-all-75s", "f9p-qzss-36s", "f9p-l1l5-simulator", "f9p-obs-30min"]
failures = 0


def report(name, problem):
    global failures
    failures += bool(problem)
    print(f"FAILED {name}: {problem}" if problem else f"ok     {name}", flush=True)


def unpack(name):
    """Writes a file of the corpus to this folder. Returns its path; None if there is none."""
    packed = f"{CORPUS}/{name}.zst"
    if not os.path.exists(packed):
        return None
    path = f"answer-{name}"
    subprocess.run(["zstd", "-dqf", packed, "-o", path], check=True)
    os.chmod(path, 0o600)
    return path


def convert(recording, kind, version="3.05"):
    path = f"{recording[:-4]}-{version}.{kind}"
    subprocess.run([BINARY, "convert", recording, "--to", f"rinex-{kind}", "--rinex-version", version, "-o", path],
                   check=True, stderr=subprocess.DEVNULL)
    return path


def observations(lines):
    """Returns the value and the loss-of-lock indicator of each measurement, by epoch, satellite and type."""
    types, values, epoch = {}, {}, None
    in_header = True
    for line in lines:
        line = line.rstrip("\n")
        if in_header:
            label = line[60:].strip()
            if label == "SYS / # / OBS TYPES":
                system = line[0] if line[0] != " " else system
                types.setdefault(system, []).extend(line[7:60].split())
            in_header = label != "END OF HEADER"
        elif line.startswith(">"):
            epoch = line[2:29]
        elif line:
            satellite = line[:3].replace(" ", "0")
            for index, name in enumerate(types[satellite[0]]):
                cell = line[3 + 16 * index:19 + 16 * index].ljust(16)
                if cell[:14].strip():
                    # A signal strength may follow the indicator.
                    lost = cell[14].strip() if name[0] == "L" else ""
                    values[epoch, satellite, name] = (float(cell[:14]), lost or "0")
    return values


def differences(a, b):
    missing, more = a.keys() - b.keys(), b.keys() - a.keys()
    wrong = [key for key in a.keys() & b.keys() if a[key] != b[key]]
    if not (missing or more or wrong):
        return ""
    return (f"{len(missing)} of {len(a)} missing {sorted(missing)[:1]}, {len(more)} more {sorted(more)[:1]}, "
            f"{len(wrong)} others {[(k, a[k], b[k]) for k in sorted(wrong)[:2]]}")


def read(path):
    with open(path, encoding="ascii") as file:
        return observations(file)


def without_fnav(path):
    """Copies a navigation file without Galileo's F/NAV: of two messages, RTKLIB uses the one that stands last."""
    with open(path) as file:
        head, *records = re.split(r"^(?=[A-Z]\d\d )", file.read(), flags=re.M)
    kept = [r for r in records if r[0] != "E" or int(float(r.splitlines()[5][23:42].replace("D", "E"))) & 5]
    with open(f"inav-{path}", "w") as file:
        file.write(head + "".join(kept))
    return f"inav-{path}"


def positions(name, *files):
    """Returns RTKLIB's positions, Earth-centred and in metres, by time."""
    output = f"{name}.pos"
    systems = "G,E,C,J"  # Debian's RTKLIB reads GLONASS only as in RINEX 3.04.
    subprocess.run(["rnx2rtkp", "-p", "0", "-sys", systems, "-e", "-o", output, *files], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(output) as file:
        rows = [line.split() for line in file if not line.startswith("%")]
    return {(row[0], row[1]): numpy.array([float(x) for x in row[2:5]]) for row in rows}


def rtklib_check(name, recording, answer):
    # convbin has left some satellites out of the first file.
    navigation = [unpack(f"{name}.{kind}") for kind in ("nav", "gps-qzss.nav")]
    if navigation[0] is None:
        return
    theirs = positions("theirs", answer, *(without_fnav(path) for path in navigation if path))
    ours_navigation = without_fnav(convert(recording, "nav"))
    for version in ("3.05", "4.02"):
        ours = positions("ours", convert(recording, "obs", version), ours_navigation)
        far = max((float(numpy.linalg.norm(ours[t] - theirs[t])) for t in ours.keys() & theirs.keys()), default=9e9)
        problem = "" if theirs and ours.keys() == theirs.keys() and far < 0.001 else (
            f"{len(ours)} positions, {len(theirs)} from convbin's file, up to {far * 1000:.1f} mm apart")
        report(f"{name} {version}: {len(ours)} positions by RTKLIB within {far * 1000:.1f} mm", problem)


def georinex_check(name, observed, recording):
    path = f"{recording[:-4]}-3.05.obs"
    found = georinex.load(path)
    count = sum(int(found[variable].count()) for variable in found.data_vars)
    report(f"{name}: {count} values by georinex", "" if count == len(observed) else f"{len(observed)} were written")
    navigation = convert(recording, "nav")
    with open(navigation) as file:
        written = sum(1 for line in file if re.match(r"[GRECJ]\d\d ", line))
    data = georinex.load(navigation)
    # It reads two ephemerides of one time, such as Galileo's two messages, as two satellites.
    read = sum(int(data[variable].count()) for variable in ["SVclockBias"])
    report(f"{name}: {read} ephemerides by georinex", "" if read == written else f"{written} were written")


def hatanaka_check(name, observed, recording):
    for version in ("3.05", "4.02"):
        with open(convert(recording, "obs", version), "rb") as file:
            content = file.read()
        packed = hatanaka.rnx2crx(content)
        again = hatanaka.crx2rnx(packed).decode().splitlines(True)
        report(f"{name} {version} by Hatanaka's compression", differences(observed, observations(again)))


def mga_check():
    """pyubx2 reads the assistance messages of the known ephemerides, which the command's tests compare."""
    with open(f"{CORPUS}/mga-eph.tsv") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    wrong = []
    for recording, satellite, issue, frame in (row[:4] for row in rows):
        message = pyubx2.UBXReader.parse(bytes.fromhex(frame), msgmode=pyubx2.SET)
        wanted = {"G": "MGA-GPS-EPH", "E": "MGA-GAL-EPH", "C": "MGA-BDS-EPH", "R": "MGA-GLO-EPH", "J": "MGA-QZSS-EPH"}
        if message.identity != wanted[satellite[0]] or message.svId != int(satellite[1:]):
            wrong.append((satellite, message.identity, message.svId))
    report(f"{len(rows)} assistance messages by pyubx2", wrong[:3])


for each in RECORDINGS:
    stream, answer = unpack(f"{each}.ubx"), unpack(f"{each}.obs")
    if stream is None or answer is None:
        continue
    ours = read(convert(stream, "obs"))
    report(f"{each}: {len(ours)} values as convbin's", differences(read(answer), ours))
    hatanaka_check(each, ours, stream)
    rtklib_check(each, stream, answer)
    if len(ours) < 100_000:
        georinex_check(each, ours, stream)
mga_check()
sys.exit(1 if failures else 0)
