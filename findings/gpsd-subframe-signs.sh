#!/bin/bash
# SPDX-License-Identifier: MIT
# gpsd's SUBFRAME has negative IDOT and Cic of an ephemeris (EPHEM3) as numbers above four thousand million, unless the
# client sets "scaled". Both are signed (IS-GPS-200, table 20-III), and the scaled form of the same subframe is right.
#
# Seen with Debian's gpsd 3.22 and 3.25: IDOT -22 is 4294967274, Cic -116 is 4294967180. Exits with 1 if that changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
library=$(apt-cache depends gpsd-clients | sed -n 's/.*Depends: \(libgps[0-9a-z]*\)$/\1/p' | head -1)
apt-get download -q gpsd-clients "$library" >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" .; done
decode() { LD_LIBRARY_PATH=$(dirname "$(find usr/lib -name 'libgps.so.*' | head -1)") usr/bin/gpsdecode "$@"; }
echo "version: $(decode -V 2>&1)"
# Subframe 3 of GPS satellite 26, as a u-blox ZED-F9T sent it in RXM-SFRBX.
python3 - >frame.ubx <<'PYTHON'
import struct, sys
words = ("22C0FB13 28024B83 3FE3142C 25FC329C 3FF70968 "
         "3D3276C1 86AC4574 1B962847 3FE947A4 05FFEADC")
payload = bytes([0, 26, 0, 0, 10, 0, 2, 0]) + b"".join(struct.pack("<I", int(word, 16)) for word in words.split())
body = bytes([2, 0x13]) + struct.pack("<H", len(payload)) + payload
a = b = 0
for byte in body:
    a = (a + byte) & 255
    b = (b + a) & 255
sys.stdout.buffer.write(b"\xb5\x62" + body + bytes([a, b]))
PYTHON
members() { grep -o '"IDOT":[^,]*,"Cic":[^,]*'; }
echo "scaled:   $(decode -j <frame.ubx | members | tee scaled.txt)"
echo "unscaled: $(decode -j -u <frame.ubx | members | tee unscaled.txt)"
grep -q '"IDOT":-2.50.*"Cic":-2.16' scaled.txt && grep -q '"IDOT":4294967274,"Cic":4294967180' unscaled.txt
