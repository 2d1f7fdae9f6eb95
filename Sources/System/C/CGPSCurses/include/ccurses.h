// SPDX-License-Identifier: MIT
#pragma once

/// Loads libtinfo and the capabilities of the terminal named by TERM. Call `ccurses_sequence` and
/// `ccurses_number` only if it has returned 0.
///
/// Returns 0, -1 if the terminal is unknown, or -2 if libtinfo is not installed. The corresponding
/// C function is `setupterm`.
int ccurses_open(int descriptor);

/// Writes a capability's escape sequence, expanded with the numbers `a` and `b`, to `buffer`. Omits
/// padding delays and a terminating zero.
///
/// Returns the length; 0 if the terminal does not have the capability or the buffer is too small.
/// Not thread-safe. The corresponding C functions are `tigetstr` and `tiparm`.
int ccurses_sequence(const char *capability, int a, int b, char *buffer, int size);

/// Returns a numeric capability; -1 if the terminal does not have it. The corresponding C function
/// is `tigetnum`.
int ccurses_number(const char *capability);

/// Gets the number of columns and rows of the terminal.
///
/// Returns 0, or -1 with errno. The corresponding C function is `ioctl` with `TIOCGWINSZ`.
int ccurses_size(int descriptor, int *width, int *height);

/// Returns whether the user's locale uses UTF-8. The corresponding C function is `nl_langinfo_l`.
int ccurses_is_utf8(void);

/// Returns whether the terminal belongs to another job of the shell. The corresponding C function is `tcgetpgrp`.
int ccurses_is_in_background(int terminal);

/// Stops the program's job, as the kernel stops a job that uses the terminal in the background. The
/// job may stop shortly after the call. When it continues, `ccurses_continuations` returns a larger
/// number.
///
/// Does nothing if the job ignores SIGTTOU, or if it was not started by a shell that could continue
/// it.
void ccurses_stop_in_background(void);

/// Returns how often the program was continued (SIGCONT) since `ccurses_event_descriptor` was called.
unsigned ccurses_continuations(void);

/// Makes the terminal deliver each key at once and without echo. If the program crashes or receives
/// SIGQUIT, a signal handler restores the terminal and writes `farewell`, which has `length` bytes.
///
/// Returns 0, or -1 with errno. The corresponding C functions are `tcsetattr` and `sigaction`.
int ccurses_set_key_mode(int input, int output, const char *farewell, int length);

/// Restores the terminal's settings from before `ccurses_set_key_mode`. Does nothing if they have been restored.
void ccurses_restore(void);

/// Sets the terminal to key mode again, after `ccurses_restore`.
void ccurses_resume(void);

/// Removes the signal handlers of `ccurses_set_key_mode`. Call it after `ccurses_restore` and before
/// the descriptors are closed, because other files may get their numbers.
void ccurses_close(void);

/// Returns a descriptor that becomes readable when the window changes, or the program is stopped or continued.
///
/// Returns -1 with errno on failure. The corresponding C functions are `eventfd` and `sigaction`.
int ccurses_event_descriptor(void);

/// The events that `ccurses_read_events` returns, as flags: those that occurred since its last
/// call.
enum ccurses_note {
    ccurses_resized = 1,
    ccurses_stopping = 2,
    ccurses_continued = 4,
};
unsigned ccurses_read_events(void);

/// Stops the program as SIGTSTP does by default; returns when the program is continued.
void ccurses_stop(void);
