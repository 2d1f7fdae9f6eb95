// SPDX-License-Identifier: MIT
#pragma once

/* termios2 has a separate file, because <asm/termbits.h> and <termios.h> exclude each other. */

/* Sets a rate for which termios has no constant. */
int rate_set(int fd, unsigned rate);

/* Returns the rate in baud; 0 with errno if the driver reports none. */
unsigned rate_get(int fd);
