// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Pulses that the kernel stamps: /dev/ppsN, RFC 2783. Each returns -1 with errno set where it fails. */

/* An edge of a pulse by the system's clock. */
struct cpps_edge {
    int64_t seconds;
    int32_t nanoseconds;
    uint32_t sequence; /* how many there have been; 0: none */
};

/* Opens a pulse device. ENOTTY: it is none. */
int cpps_open(const char *path);

/* Waits for the next pulse for `seconds` at the most: its rising edge, or the falling one for `clear`.
 * ETIMEDOUT: none has come. */
int cpps_fetch(int fd, int seconds, bool clear, struct cpps_edge *edge);
