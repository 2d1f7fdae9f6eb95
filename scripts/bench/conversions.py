# SPDX-License-Identifier: MIT
"""The common parts of bench/convert and bench/ubx."""
import os, sys, time


def run(command, output=os.devnull, stdin=os.devnull):
    """Returns elapsed seconds, seconds of processor time, and kilobytes of memory."""
    files = [(os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
             (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    begin = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{' '.join(command)}: ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def make(path, parts, size):
    """Writes the parts repeatedly, up to a size."""
    with open(path, "wb") as file:
        while file.tell() < size:
            for part in parts:
                file.write(part)
    return path
