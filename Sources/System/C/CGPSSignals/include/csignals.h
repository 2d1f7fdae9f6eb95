// SPDX-License-Identifier: MIT
#pragma once

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that no other file gets
/// its number. If descriptor 1 was closed, writing to it then fails. Call it before opening any
/// file.
///
/// Returns 0, or -1 with the errno of `open`.
int csignals_occupy_standard_descriptors(void);

/// Returns a descriptor that becomes readable on SIGINT, SIGTERM, SIGALRM, and, unless they are
/// ignored, SIGHUP and SIGQUIT. A SIGINT more than half a second after the first one ends the
/// process. SIGPIPE is ignored, so a write to a closed pipe fails with EPIPE.
///
/// It installs handlers instead of using `signalfd`, because threads of Swift's runtime receive
/// signals that all other threads block. Returns -1 with the errno of `eventfd` or `sigaction` on
/// failure.
int csignals_descriptor(void);

/// Returns a separate descriptor for SIGHUP. From this call on, SIGHUP makes that descriptor
/// readable, and no longer the one that `csignals_descriptor` returns. A SIGHUP that the process
/// ignores (`nohup`) stays ignored.
///
/// Returns -1 with the errno of `eventfd` or `sigaction` on failure.
int csignals_hangup_descriptor(void);

/// Resets the descriptor of `csignals_hangup_descriptor`. Returns 1 if the process had a
/// controlling terminal when that function was called and has none now, otherwise 0.
int csignals_clear_hangup(void);

/// Blocks the calling thread forever. Signal handlers run on this thread if all other threads block
/// the signals.
///
/// Calls `sigsuspend` repeatedly.
void csignals_wait_forever(void) __attribute__((noreturn));

/// Returns the number of the first signal that was received by the handlers of
/// `csignals_descriptor`; 0 if there was none.
int csignals_received(void);

/// Sends SIGALRM to the process after a number of seconds, at least 0.000001, even if its threads
/// are blocked.
///
/// Returns 0, or -1 with the errno of `setitimer`.
int csignals_end_after(double seconds);
