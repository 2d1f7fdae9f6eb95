#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Simulates a receiver that sends SiRF binary at 1 Hz on a pty: sirf.py LINK LATITUDE LONGITUDE ALTITUDE. It stands
still; the altitude is above the ellipsoid. SiRF's coordinates have steps of a metre."""
import math
import os
import pty
import struct
import sys
import time
import tty

SATELLITES = [(3, 250, 45), (7, 120, 60), (11, 40, 30), (14, 310, 22), (19, 75, 51), (22, 190, 12)]


def frame(payload):
    return (b"\xa0\xa2" + struct.pack(">H", len(payload)) + payload
            + struct.pack(">H", sum(payload) & 0x7FFF) + b"\xb0\xb3")


def time_of(now):
    """Returns the week modulo 1024, and the time of week in hundredths of a second."""
    seconds = now - 315964800 + 18
    return struct.pack(">HI", seconds // 604800 % 1024, seconds % 604800 * 100)


def tracker(now):
    """Message 4: the satellites in view, in 12 channels."""
    payload = b"\x04" + time_of(now) + b"\x0c"
    for number, azimuth, elevation in SATELLITES:
        payload += struct.pack(">BBBH", number, azimuth * 2 // 3, elevation * 2, 0xBF) + bytes([40] * 10)
    return frame(payload.ljust(8 + 12 * 15, b"\0"))


def navigation(now, position):
    """Message 2: the position, the velocity, the horizontal DOP and the satellites in use."""
    payload = struct.pack(">BiiihhhBBB", 2, *position, 0, 0, 0, 4, 6, 0) + time_of(now) + bytes([len(SATELLITES)])
    payload += bytes(number for number, _, _ in SATELLITES)
    return frame(payload.ljust(41, b"\0"))


def geocentric(latitude, longitude, height):
    """Returns the geocentric coordinates in metres."""
    lat, lon = math.radians(latitude), math.radians(longitude)
    eccentricity = 0.0066943799901413165
    radius = 6378137 / math.sqrt(1 - eccentricity * math.sin(lat) ** 2)
    plane = (radius + height) * math.cos(lat)
    z = (radius * (1 - eccentricity) + height) * math.sin(lat)
    return [round(number) for number in (plane * math.cos(lon), plane * math.sin(lon), z)]


def main():
    position = geocentric(*map(float, sys.argv[2:5]))
    master, slave = pty.openpty()
    tty.setraw(slave)
    # gpsd reads it as another user.
    os.chmod(os.ttyname(slave), 0o666)
    os.set_blocking(master, False)
    os.symlink(os.ttyname(slave), sys.argv[1])
    while True:
        now = int(time.time())
        for transfer in lambda: os.read(master, 4096), lambda: os.write(master, tracker(now) + navigation(now, position)):
            try:
                transfer()
            except BlockingIOError:
                pass  # gpsd sends no command, or does not read
        time.sleep(now + 1 - time.time())


main()
