# SPDX-License-Identifier: MIT
"""Measures the memory and CPU time of a tab that shows the page: hour.py URL MINUTES"""
import os, sys, time
from playwright.sync_api import sync_playwright

url, minutes = sys.argv[1], float(sys.argv[2])

def cpu_seconds(parent, kind=""):
    """Adds up all descendants of a process, or those whose command line contains a text."""
    parents, used, kinds = {}, {}, {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
            kinds[int(process)] = kind in open(f"/proc/{process}/cmdline").read()
        except OSError:
            continue
        parents[int(process)] = int(fields[1])
        used[int(process)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    def belongs(process):
        while process and process != parent:
            process = parents.get(process, 0)
        return process == parent
    return sum(seconds for process, seconds in used.items()
               if process != parent and kinds[process] and belongs(process))

def spent():
    """For the tab, and for the whole browser."""
    return cpu_seconds(os.getpid(), "--type=renderer"), cpu_seconds(os.getpid())

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(url, wait_until="domcontentloaded")
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    begin = last = time.time()
    used = spent()
    while time.time() - begin < minutes * 60 + 5:
        page.wait_for_timeout(min(300, minutes * 60 / 3) * 1000)
        now, total = time.time(), spent()
        session.send("HeapProfiler.collectGarbage")
        usage = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        nodes = session.send("Memory.getDOMCounters")
        print(f"{(now - begin) / 60:5.1f} min: heap {usage:5.2f} MB, {nodes['nodes']} nodes, "
              f"{nodes['jsEventListeners']} listeners, "
              f"{(total[0] - used[0]) / (now - last) * 100:4.1f} % of a core, with the browser "
              f"{(total[1] - used[1]) / (now - last) * 100:4.1f} %", flush=True)
        last, used = now, total
    browser.close()
