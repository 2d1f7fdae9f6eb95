// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

/* The frames that a socket receives: those whose identifier matches `id` in the bits of `mask`. */
struct ccan_filter {
    uint32_t id;
    uint32_t mask;
};

/* Opens a non-blocking socket for the frames of a CAN interface (SocketCAN). Only a few frames wait in the
 * kernel; then writing fails with EAGAIN until one has been sent.
 *
 * -1 with ENODEV: there is no such interface. EPROTOTYPE: it is not a CAN interface. ENETDOWN: it is down.
 * EAFNOSUPPORT or EPROTONOSUPPORT: the kernel has no CAN sockets, or the process may not use them. */
int ccan_open(const char *interface, const struct ccan_filter *filters, unsigned count);

/* Opens a non-blocking socket that is readable after any network interface has changed. -1 on failure. */
int ccan_watch_interfaces(void);
