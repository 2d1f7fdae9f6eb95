# SPDX-License-Identifier: MIT
"""The memory and the CPU time of a tab that shows the page: hour.py URL MINUTES"""
import os, sys, time
from playwright.sync_api import sync_playwright

url, minutes = sys.argv[1], float(sys.argv[2])

def cpu_seconds(parent):
    """Of all descendants of a process."""
    parents, used = {}, {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(process)] = int(fields[1])
        used[int(process)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    def belongs(process):
        while process and process != parent:
            process = parents.get(process, 0)
        return process == parent
    return sum(seconds for process, seconds in used.items() if belongs(process) and process != parent)

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(url, wait_until="domcontentloaded")
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    begin = last = time.time()
    used = cpu_seconds(os.getpid())
    while time.time() - begin < minutes * 60 + 5:
        page.wait_for_timeout(min(300, minutes * 60 / 3) * 1000)
        now, spent = time.time(), cpu_seconds(os.getpid())
        session.send("HeapProfiler.collectGarbage")
        usage = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        nodes = session.send("Memory.getDOMCounters")
        print(f"{(now - begin) / 60:5.1f} min: heap {usage:5.2f} MB, {nodes['nodes']} nodes, "
              f"{nodes['jsEventListeners']} listeners, "
              f"{(spent - used) / (now - last) * 100:4.1f} % of a core, browser and page", flush=True)
        last, used = now, spent
    browser.close()
