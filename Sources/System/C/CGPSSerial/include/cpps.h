// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Pulses of a receiver at the beginning of each second. Functions that fail set errno. */

/* Pulses time-stamped by the kernel: /dev/ppsN, RFC 2783. */

/* The time of a pulse's edge by the system's clock. */
struct cpps_edge {
    int64_t seconds;
    int32_t nanoseconds;
    uint32_t sequence; /* the number of edges so far */
};

enum { CPPS_ASSERT = 1, CPPS_CLEAR = 2 };

/* Opens a device, and leaves in `edges` those of the requested edges that it captures. -1 with ENOTTY: not such
 * a device; EOPNOTSUPP: it captures none of them, and this cannot be changed. */
int cpps_open(const char *path, int *edges);

/* Waits at most `seconds` for the next edge, and stores the last rising (assert) and falling (clear) one. -1 with
 * ETIMEDOUT: no edge. */
int cpps_fetch(int fd, int seconds, struct cpps_edge *assert, struct cpps_edge *clear);

/* The clock CLOCK_BOOTTIME in nanoseconds, and what must be added to it for the system's clock. */
int64_t cpps_now(void);
int64_t cpps_clock_offset(void);

/* Lets the calling thread sleep until a time rather than up to 50 microseconds longer. */
void cpps_sleep_precisely(void);

/* Sleeps until a time of that clock; INT64_MAX for ever. False if `wake` has become readable before. */
bool cpps_sleep(int wake, int64_t until);

/* Keeps the processors from sleeping so deeply that waking takes longer, until the descriptor is closed. -1 on
 * failure. */
int cpps_hold_latency(int microseconds);

/* Whether a path leads to a tty, without opening it; whether an open tty is a USB device. */
bool cpps_is_tty(const char *path);
bool cpps_is_usb(int fd);

/* Writes the name of an open tty's driver, such as "cp210x"; "" if it is not known. */
void cpps_driver(int fd, char *name, unsigned long size);

/* The levels of a tty's lines (TIOCM_…), and the times of that clock between which they were read. */
struct cpps_levels {
    int64_t start;
    int64_t end;
    uint32_t lines;
};

/* Reads the levels. Returns 0 or an errno. */
int cpps_read(int fd, struct cpps_levels *levels);

/* Changes of a tty's lines, time-stamped by a thread that the kernel wakes for them (TIOCMIWAIT). */
struct cpps_watch;

/* Starts a thread that calls `handle` with the present levels, and after each change of one of `lines` with the
 * time at which it was woken as `start`, until `cpps_unwatch`. `error` is not 0 if the thread has ended. The tty
 * must stay open. */
struct cpps_watch *cpps_watch(int fd, unsigned lines,
                              void (*handle)(void *context, int error, struct cpps_levels levels), void *context);

/* Ends the thread; `handle` is not called after it returns. Do not call it from `handle`. */
void cpps_unwatch(struct cpps_watch *watch);
