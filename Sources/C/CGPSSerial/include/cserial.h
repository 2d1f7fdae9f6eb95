// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <termios.h>

/* Serial lines, one function per job. Each returns -1 with errno set where it fails. */

/* How a character looks on the line: start bit, 8 or 7 data bits, no parity, 1 or 2 stop bits. */
enum cserial_format { CSERIAL_8N1, CSERIAL_7N2 };

/* The settings of a line, as found before they were changed. */
struct cserial_settings {
    struct termios termios;
    unsigned rate; /* in baud, also where termios has no constant for it; 0 where unknown */
    bool exclusive; /* whether others are kept out since then */
};

/* Opens a tty and sets raw mode at `rate` baud; what it had before goes to `found`. An exclusive one is
 * locked (`flock`).
 *
 * Opens for reading only where nothing else is allowed. EBUSY: somebody else has it. ENOTTY: no tty.
 * EINVAL: the rate is 0, which would hang the line up, or the chip has none within 2 % of it. */
int cserial_open(const char *path, unsigned rate, enum cserial_format format, bool exclusive,
                 struct cserial_settings *found);

/* Keeps others from opening a tty (`TIOCEXCL`), and notes in `found` that this is to be undone. */
void cserial_exclude(int fd, struct cserial_settings *found);

/* Writes the path without links to `real`, without touching the device itself. */
int cserial_real_path(const char *path, char *real, unsigned long size);

/* Sets raw mode at any rate. EINVAL: the chip has none within 2 % of it. */
int cserial_change(int fd, unsigned rate, enum cserial_format format);

/* The rate the driver says it really uses, in baud; 0 with errno where it cannot tell. */
unsigned cserial_rate(int fd);

/* How many bytes that were written the driver has not sent yet; 0 where it does not tell. */
unsigned cserial_unsent(int fd);

/* Puts back the settings and lets others in again. Not for use after a hang-up. */
void cserial_restore(int fd, const struct cserial_settings *found);

/* Asks the driver to hand over bytes without collecting them first (FTDI: 1 ms instead of 16). */
int cserial_low_latency(int fd);

/* What a non-blocking read came to. */
enum cserial_input {
    CSERIAL_BYTES,
    CSERIAL_NOTHING_YET,
    CSERIAL_END, /* 0 bytes: a file's end, and with VMIN = 1 a tty's hang-up */
    CSERIAL_HANGUP,
    CSERIAL_FAILED
};

/* Reads what is there, at most `size` bytes; `count` is set with CSERIAL_BYTES, errno with
 * CSERIAL_FAILED. */
enum cserial_input cserial_read(int fd, void *bytes, unsigned long size, unsigned long *count);

/* The same for a socket, and does not wait where that is a blocking one. */
enum cserial_input cserial_receive(int fd, void *bytes, unsigned long size, unsigned long *count);

/* Opens the master of a new pseudo terminal in packet mode, non-blocking, and writes the slave's
 * path to `path`. The slave is raw, so that nothing is echoed, and at 9600 baud. */
int cserial_pty(char *path, unsigned long size);

/* Whether a path leads to the terminal that controls this process, or to its name, /dev/tty; nothing is opened
 * but that name. */
bool cserial_is_own_terminal(const char *path);
