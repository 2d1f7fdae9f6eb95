// SPDX-License-Identifier: MIT
#pragma once

/// Loads libtinfo and the capabilities of the terminal named by TERM. The other functions of
/// terminfo require that it returned 0.
///
/// Returns 0, -1 if the terminal is unknown, or -2 if libtinfo is not installed. The
/// corresponding C function is `setupterm`.
int ccurses_open(int descriptor);

/// Writes a capability's sequence, expanded with two numbers, without padding delays or a terminating zero.
///
/// Returns its length; 0 if the terminal does not have it or the buffer is too small. Not thread-safe. The
/// corresponding C functions are `tigetstr` and `tiparm`.
int ccurses_sequence(const char *capability, int a, int b, char *buffer, int size);

/// Returns a numeric capability, or -1. The corresponding C function is `tigetnum`.
int ccurses_number(const char *capability);

/// Gets the number of columns and rows of the terminal.
///
/// Returns 0, or -1 with errno. The corresponding C function is `ioctl` with `TIOCGWINSZ`.
int ccurses_size(int descriptor, int *width, int *height);

/// Returns whether the user's locale uses UTF-8. The corresponding C function is `nl_langinfo_l`.
int ccurses_is_utf8(void);

/// Returns whether the terminal belongs to another job of the shell. The corresponding C function is `tcgetpgrp`.
int ccurses_is_in_background(int terminal);

/// Stops the job, as the kernel stops one that uses the terminal in the background. It may stop shortly after the
/// call. After it was continued, `ccurses_continuations` has changed.
///
/// Does nothing if the job ignores SIGTTOU or no shell could continue it.
void ccurses_stop_in_background(void);

/// Returns how often the program was continued (SIGCONT) since `ccurses_event_descriptor` was called.
unsigned ccurses_continuations(void);

/// Makes the terminal deliver each key at once without echo. If the program crashes or receives SIGQUIT,
/// the terminal is restored and `farewell` written.
///
/// Returns 0, or -1 with errno. The corresponding C functions are `tcsetattr` and `sigaction`.
int ccurses_set_key_mode(int input, int output, const char *farewell, int length);

/// Restores the terminal's settings from before `ccurses_set_key_mode`. Does nothing if they have been restored.
void ccurses_restore(void);

/// Sets the terminal again after `ccurses_restore`.
void ccurses_resume(void);

/// Returns a descriptor that becomes readable when the window changes, or the program is stopped or continued.
///
/// Returns -1 with errno on failure. The corresponding C functions are `eventfd` and `sigaction`.
int ccurses_event_descriptor(void);

/// The events since the last call of `ccurses_read_events`.
enum ccurses_note {
    ccurses_resized = 1,
    ccurses_stopping = 2,
    ccurses_continued = 4,
};
unsigned ccurses_read_events(void);

/// Stops the program as SIGTSTP does by default; returns when it is continued.
void ccurses_stop(void);
