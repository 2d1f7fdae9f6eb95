# SPDX-License-Identifier: MIT
"""A receiver on a pseudo terminal that reports the system's own time, 200 ms late: live.py LINK [GROUP]"""
import os
import pty
import shutil
import sys
import time
import tty

master, slave = pty.openpty()
tty.setraw(slave)
if os.path.lexists(sys.argv[1]):
    os.unlink(sys.argv[1])
os.symlink(os.ttyname(slave), sys.argv[1])
if len(sys.argv) > 2:
    shutil.chown(os.ttyname(slave), group=sys.argv[2])
    os.chmod(os.ttyname(slave), 0o660)
os.set_blocking(master, False)


def sentence(body):
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return "$%s*%02X\r\n" % (body, checksum)


while True:
    second = int(time.time()) + 1
    time.sleep(max(0, second + 0.2 - time.time()))
    # If the machine has paused, this second is over.
    if time.time() > second + 1:
        continue
    now = time.gmtime(second)
    clock = time.strftime("%H%M%S.00", now)
    place = "4807.03800,N,01131.00200,E"
    burst = sentence("GNRMC,%s,A,%s,0.0,,%s,,,A" % (clock, place, time.strftime("%d%m%y", now)))
    burst += sentence("GNGGA,%s,%s,1,09,0.9,171.0,M,43.4,M,," % (clock, place))
    try:
        os.write(master, burst.encode())
    except BlockingIOError:
        pass
