// SPDX-License-Identifier: MIT
#pragma once

/* termios2, in a file of its own: <asm/termbits.h> and <termios.h> exclude each other. */

/* Sets a rate that termios has no constant for. */
int rate_set(int fd, unsigned rate);

/* The rate in baud, 0 with errno where the driver does not tell. */
unsigned rate_get(int fd);
