#!/bin/bash
# SPDX-License-Identifier: MIT
# pynmea2 1.19.0 calls a valid RMC invalid if its navigational status is V. In NMEA 0183 4.1 that means "not provided":
# u-blox receivers always send it, beside the status A of a valid position.
#
# Seen with pynmea2 1.19.0: is_valid is False with V and True without the field. Exits with 1 if that changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q pynmea2==1.19.0
"$work/venv/bin/python" - <<'PYTHON'
import functools, sys
import pynmea2
def valid(body):
    sum = functools.reduce(lambda sum, byte: sum ^ byte, body.encode(), 0)
    return pynmea2.parse(f"${body}*{sum:02X}", check=True).is_valid
body = "GNRMC,120000.00,A,4806.0000,N,01130.0000,E,5.0,0.0,210326,,,A"
found = {"none": valid(body), "V": valid(body + ",V"), "S": valid(body + ",S")}
print(f"pynmea2 {pynmea2.version}: is_valid by navigational status: {found}")
sys.exit(0 if found["none"] and not found["V"] else 1)
PYTHON
