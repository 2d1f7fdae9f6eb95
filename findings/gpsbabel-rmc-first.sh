#!/bin/bash
# SPDX-License-Identifier: MIT
# gpsbabel 1.8.0 gives positions in NMEA the time of the next epoch, and loses the last one, if RMC comes before GGA, as
# u-blox and most other receivers send them. With GGA first, each position has its own time.
#
# Seen with Debian's gpsbabel 1.8.0: from RMC first, 12:00:01 has the latitude of 12:00:00. Exits with 1 if that changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q gpsbabel >/dev/null 2>&1
dpkg -x gpsbabel_*.deb .
echo "version: $(usr/bin/gpsbabel -V | tr -d '\n')"
# write ORDER: four epochs, a minute of latitude and a second apart.
write() {
    python3 - "$1" <<'PYTHON'
import functools, sys
def line(body):
    print(f"${body}*{functools.reduce(lambda sum, byte: sum ^ byte, body.encode(), 0):02X}", end="\r\n")
for i in range(4):
    epoch = {"RMC": f"GPRMC,12000{i}.00,A,480{i}.0000,N,01130.0000,E,5.0,0.0,210326,,,A",
             "GGA": f"GPGGA,12000{i}.00,480{i}.0000,N,01130.0000,E,1,08,1.0,500.0,M,47.0,M,,"}
    for name in sys.argv[1].split(","):
        line(epoch[name])
PYTHON
}
# read FILE: the latitude and the time of each position.
read_track() { usr/bin/gpsbabel -t -i nmea -f "$1" -o unicsv,utc=0,prec=4 -F - | tr -d '\r' | tail -n +2 | sed -E 's/^[^,]*,([^,]*),.*,([^,]*)$/\1 \2/'; }
write RMC,GGA >rmc.nmea
write GGA,RMC >gga.nmea
echo "RMC first:"; read_track rmc.nmea | tee rmc.txt
echo "GGA first:"; read_track gga.nmea | tee gga.txt
[ "$(cat gga.txt)" = "48.0000 12:00:00
48.0167 12:00:01
48.0333 12:00:02
48.0500 12:00:03" ] && grep -q '^48.0000 12:00:01' rmc.txt && ! grep -q '^48.0500' rmc.txt
