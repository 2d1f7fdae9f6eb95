// SPDX-License-Identifier: MIT
#pragma once

/// Opens /dev/null as those of the descriptors 0 to 2 that are closed, so that no other file gets their
/// numbers; writing to such a descriptor 1 fails. Call it before opening anything.
///
/// Returns 0, or -1 with errno. The corresponding C function is `open`.
int csignals_occupy_standard_descriptors(void);

/// Makes a descriptor readable on SIGINT, SIGTERM, SIGHUP and SIGALRM; a second SIGINT ends the process by
/// default, unless it arrives within half a second. SIGPIPE becomes an error of the write that caused it.
///
/// It installs handlers instead of using `signalfd`, since threads of the runtime receive signals that all
/// other threads block. Returns the descriptor, or -1 with errno. The corresponding C functions are `eventfd` and `sigaction`.
int csignals_descriptor(void);

/// Makes another descriptor, an eventfd, readable on SIGHUP from now on, unless it is ignored (`nohup`).
///
/// Returns the descriptor, or -1 with errno. The corresponding C functions are `eventfd` and `sigaction`.
int csignals_hangup_descriptor(void);

/// Resets that descriptor; returns 1 if the process's initial terminal is gone, else 0.
int csignals_clear_hangup(void);

/// Blocks the calling thread forever, for handlers of signals that all other threads block.
///
/// The corresponding C function is `sigsuspend`.
void csignals_wait_forever(void) __attribute__((noreturn));

/// Returns the first signal received by that handler; 0 if none.
int csignals_received(void);

/// Sends SIGALRM after some seconds (0.000001 or more), independent of the program's threads.
///
/// Returns 0, or -1 with errno. The corresponding C function is `setitimer`.
int csignals_end_after(double seconds);
