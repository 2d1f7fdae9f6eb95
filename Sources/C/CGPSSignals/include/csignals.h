// SPDX-License-Identifier: MIT
#pragma once

/// Opens /dev/null on those of the descriptors 0 to 2 that are closed, so that nothing else gets
/// their numbers; writing to 1 fails then. Call it before anything is opened.
///
/// Returns 0, or -1 with errno. The corresponding C function is `open`.
int csignals_occupy_standard_descriptors(void);

/// Has SIGINT, SIGTERM, SIGHUP and SIGALRM make a descriptor readable; a second SIGINT ends the process as
/// always. SIGPIPE becomes an error of the write that caused it.
///
/// A handler, since threads of the runtime take signals that all others block. Returns the
/// descriptor, or -1 with errno. The corresponding C functions are `eventfd` and `sigaction`.
int csignals_descriptor(void);

/// Has SIGHUP make another descriptor readable from now on, an eventfd; it is still ignored where it was (`nohup`).
///
/// Returns the descriptor, or -1 with errno. The corresponding C functions are `eventfd` and `sigaction`.
int csignals_hangup_descriptor(void);

/// Makes that descriptor unreadable again; returns 1 where the terminal with which the process began is gone, else 0.
int csignals_take_hangup(void);

/// Keeps the calling thread, for the handlers of signals that all others block.
///
/// The corresponding C function is `sigsuspend`.
void csignals_wait_forever(void) __attribute__((noreturn));

/// The first signal that has made the descriptor readable; 0 where none has.
int csignals_received(void);

/// Has SIGALRM come after some seconds (0.000001 or more), whatever the threads are busy with then.
///
/// Returns 0, or -1 with errno. The corresponding C function is `setitimer`.
int csignals_end_after(double seconds);
