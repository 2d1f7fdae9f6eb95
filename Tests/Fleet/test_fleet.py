# SPDX-License-Identifier: MIT
"""Tests of gpsbridge-fleet with real servers. See scripts/tests/fleet."""

import os
import subprocess
import sys
import time

import collecting
import deaths
import formats
import load
import publishing
import pushing
import queries
import sources
from servers import Work
from machine import FAILURES, Pauses

TESTS = {name.removeprefix("test_"): test
         for module in (collecting, publishing, pushing, sources, formats, queries, deaths, load)
         for name, test in vars(module).items() if name.startswith("test_")}


class Programs:
    """The two programs with the settings for tests."""

    def __init__(self, binary):
        self.gpsbridge = binary
        self.fleet = os.path.join(os.path.dirname(binary), "gpsbridge-fleet")
        for program in (self.gpsbridge, self.fleet):
            if not os.access(program, os.X_OK):
                sys.exit(f"gpsbridge: there is no {program}: run `make build` first")

    # The limit of the answers of a NATS server, in seconds.
    ANSWER_LIMIT = 5

    def run(self, *arguments, check=True, attempts=3):
        """Runs gpsbridge-fleet until it ends. Returns its output. If it fails after the limit of a server's answer, the
        machine may have delayed the answer. Then it runs again."""
        for attempt in range(1, attempts + 1):
            begin = time.monotonic()
            result = subprocess.run([self.fleet, *arguments], text=True, capture_output=True,
                                    timeout=600, check=False)
            seconds = time.monotonic() - begin
            is_late = seconds >= self.ANSWER_LIMIT and any(
                word in result.stderr.lower() for word in ("timeout", "timed out", "no server"))
            if result.returncode == 0 or not is_late or attempt == attempts:
                break
            print(f"again   status {result.returncode} after {seconds:.0f} s: {result.stderr}", flush=True)
        if check and result.returncode != 0:
            raise AssertionError(f"{' '.join(arguments)}: status {result.returncode}: {result.stderr}")
        return result


def main():
    programs = Programs(sys.argv[1])
    names = sys.argv[2:] or list(TESTS)
    if names == ["serve"]:
        subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "servers.py")],
                       check=False)
        return
    failed, pauses = 0, Pauses()
    for name in names:
        if name not in TESTS:
            sys.exit(f"gpsbridge: unknown test '{name}' (known: {', '.join(TESTS)})")
        begin = time.monotonic()

        def attempt():
            work = Work()
            try:
                return TESTS[name](work, programs) or ""
            finally:
                work.close()

        try:
            told = pauses.repeat(attempt, clean=lambda: None)
            print(f"ok      {name} ({time.monotonic() - begin:.0f} s) {told}", flush=True)
        except Exception as error:  # A few failures do not stop the other tests.
            failed += 1
            print(f"FAILED  {name}: {type(error).__name__}: {error}", flush=True)
            if failed == FAILURES:
                print(f"        {failed} tests have failed: the others are omitted", flush=True)
                break
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
