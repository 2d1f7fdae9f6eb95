// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <termios.h>

/* Functions for serial lines. Each returns -1 with errno on failure. */

/* The format of a character: start bit, 8 or 7 data bits, no parity, 1 or 2 stop bits. */
enum cserial_format { CSERIAL_8N1, CSERIAL_7N2 };

/* The settings of a line, as found before they were changed. */
struct cserial_settings {
    struct termios termios;
    unsigned rate; /* in baud, also where termios has no constant for it; 0 where unknown */
    bool exclusive; /* whether cserial_exclude has set TIOCEXCL */
    bool low_latency; /* whether cserial_low_latency has set ASYNC_LOW_LATENCY */
    bool is_tty; /* false: the device has no settings, and none are restored */
};

/* Opens a tty and sets raw mode at `rate` baud; stores the previous settings in `found`. Locks it
 * (`flock`) if exclusive.
 *
 * Opens for reading only if writing is not allowed. A failure leaves the settings unchanged. EBUSY: another
 * program has locked it. ENOTTY: not a tty. EINVAL: the rate is 0, which would hang up the line, or the chip
 * has none within 2 % of it. */
int cserial_open(const char *path, unsigned rate, enum cserial_format format, bool exclusive,
                 struct cserial_settings *found);

/* Opens the device of a receiver with a kernel driver (/dev/gnss0), which has no settings; stores that in
 * `found`. Locks and fails like cserial_open. */
int cserial_open_gnss(const char *path, bool exclusive, struct cserial_settings *found);

/* Prevents other programs from opening a tty (`TIOCEXCL`); records it in `found` for cserial_restore. */
void cserial_exclude(int fd, struct cserial_settings *found);

/* Writes the path without links to `real`, without touching the device itself. */
int cserial_real_path(const char *path, char *real, unsigned long size);

/* Sets raw mode at any rate. A failure leaves the settings unchanged. EINVAL: the chip has none within 2 % of
 * the rate. */
int cserial_change(int fd, unsigned rate, enum cserial_format format);

/* Returns the rate reported by the driver in baud; 0 with errno if it reports none. */
unsigned cserial_rate(int fd);

/* Returns the number of written bytes that the driver has not sent yet; 0 if it reports none. */
unsigned cserial_unsent(int fd);

/* Discards written bytes that the driver has not sent, restores the settings and unlocks the tty. Do not call
 * it after a hang-up. */
void cserial_restore(int fd, const struct cserial_settings *found);

/* Makes the driver deliver bytes without buffering (FTDI: 1 ms instead of 16); records a change in `found` for
 * cserial_restore. */
int cserial_low_latency(int fd, struct cserial_settings *found);

/* The result of a non-blocking read. */
enum cserial_input {
    CSERIAL_BYTES,
    CSERIAL_NOTHING_YET,
    CSERIAL_END, /* 0 bytes: a file's end, and with VMIN = 1 a tty's hang-up */
    CSERIAL_HANGUP,
    CSERIAL_FAILED
};

/* Reads the available bytes, at most `size` bytes; `count` is set with CSERIAL_BYTES, errno with
 * CSERIAL_FAILED. */
enum cserial_input cserial_read(int fd, void *bytes, unsigned long size, unsigned long *count);

/* Reads a socket, without waiting even if it is blocking. */
enum cserial_input cserial_receive(int fd, void *bytes, unsigned long size, unsigned long *count);

/* Opens the master of a new pseudo terminal in packet mode, non-blocking, and writes the slave's
 * path to `path`. The slave is raw, so that nothing is echoed, and at 9600 baud. */
int cserial_pty(char *path, unsigned long size);

/* Whether a path leads to the controlling terminal of this process, or to /dev/tty. Opens only
 * /dev/tty. */
bool cserial_is_own_terminal(const char *path);
