// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Pulses of a receiver at the beginning of each second. Functions that fail set errno. */

/* The time of a pulse's edge by the system's clock. */
struct cpps_edge {
    int64_t seconds;
    int32_t nanoseconds;
    uint32_t sequence; /* the number of edges so far */
};

/* Opens a device with pulses time-stamped by the kernel: /dev/ppsN, RFC 2783. -1 with ENOTTY: not such a device;
 * EOPNOTSUPP: it does not capture rising edges, or falling ones for `clear`, and this cannot be changed. */
int cpps_open(const char *path, bool clear);

/* Waits at most `seconds` for the next pulse: its rising edge, or the falling one for `clear`.
 * -1 with ETIMEDOUT: no pulse. */
int cpps_fetch(int fd, int seconds, bool clear, struct cpps_edge *edge);

/* Whether a path leads to a tty, without opening it. */
bool cpps_is_tty(const char *path);

/* The edges of a tty's DCD line, time-stamped by a thread that the kernel wakes for them (TIOCMIWAIT). */
struct cpps_line;

/* Starts a thread that calls `handle` with each edge until `cpps_unwatch`. The tty may be closed earlier.
 * NULL with ENOTTY: the tty has no such line. */
struct cpps_line *cpps_watch(int fd, bool clear, void (*handle)(void *context, struct cpps_edge edge),
                             void *context);

/* Ends the thread; `handle` is not called after it returns. Do not call it from `handle`. */
void cpps_unwatch(struct cpps_line *line);
