// SPDX-License-Identifier: MIT
#pragma once

/* Starts a process that keeps this process's rights to files, and none of its other rights or descriptors.
   It runs `work`, which must only call async-signal-safe functions, since other threads may have held locks.
   Descriptor 0 of the process is connected to the returned descriptor, which is closed when this process ends;
   the process need not be waited for. Returns -1 with errno on failure. */
int start_helper(const char *name, void (*work)(void *context), void *context);
