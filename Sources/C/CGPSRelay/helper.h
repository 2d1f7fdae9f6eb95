// SPDX-License-Identifier: MIT
#pragma once

/* Starts a process that keeps the rights of this one to files, and nothing else that this one has. It runs `work`, which
   does not return and calls only what a signal handler may: other threads may have held locks. Its descriptor 0 is the
   other end of the one that is returned, whose end is that of this process; nothing waits for its own. -1 with errno. */
int start_helper(const char *name, void (*work)(void *context), void *context);
