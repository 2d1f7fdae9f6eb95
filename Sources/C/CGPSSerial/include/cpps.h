// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Pulses, which a receiver gives at the beginning of each second. What fails sets errno. */

/* An edge of a pulse by the system's clock. */
struct cpps_edge {
    int64_t seconds;
    int32_t nanoseconds;
    uint32_t sequence; /* how many there have been; 0: none */
};

/* Opens a device of pulses that the kernel stamps: /dev/ppsN, RFC 2783. -1 with ENOTTY: it is none. */
int cpps_open(const char *path);

/* Waits for the next pulse for `seconds` at the most: its rising edge, or the falling one for `clear`.
 * -1 with ETIMEDOUT: none has come. */
int cpps_fetch(int fd, int seconds, bool clear, struct cpps_edge *edge);

/* Whether a path leads to a tty, which is not opened for that. */
bool cpps_is_tty(const char *path);

/* Edges of a tty's DCD line, stamped by a thread that the kernel wakes for them (TIOCMIWAIT). */
struct cpps_line;

/* Has a thread call `handle` with each edge until `cpps_unwatch`. The tty may be closed meanwhile.
 * NULL with ENOTTY: it has no such line. */
struct cpps_line *cpps_watch(int fd, bool clear, void (*handle)(void *context, struct cpps_edge edge),
                             void *context);

/* Ends the thread; `handle` is not called any more once it returns. Not from `handle`. */
void cpps_unwatch(struct cpps_line *line);
