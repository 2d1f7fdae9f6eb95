# SPDX-License-Identifier: MIT
"""A program on python3-gps: prints one position. probe.py PORT"""
import sys

import gps

feed = gps.gps(host="127.0.0.1", port=sys.argv[1], mode=gps.WATCH_ENABLE)
for report in feed:
    if report["class"] == "TPV" and report.mode >= 2 and feed.satellites:
        print("%.9f %.9f" % (report.lat, report.lon))
        break
