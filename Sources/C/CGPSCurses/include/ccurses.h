// SPDX-License-Identifier: MIT
#pragma once

/// Loads libtinfo and looks up what the terminal that TERM names can do. The other functions of
/// terminfo need it to have returned 0.
///
/// Returns 0, -1 where the terminal is not known, or -2 where libtinfo is not installed. The
/// corresponding C function is `setupterm`.
int ccurses_open(int descriptor);

/// A capability's sequence, expanded with two numbers, without its pauses and a zero behind.
///
/// Returns its length; 0 where the terminal has none or there is no room. Not for several threads
/// at once. The corresponding C functions are `tigetstr` and `tiparm`.
int ccurses_sequence(const char *capability, int a, int b, char *buffer, int size);

/// A number of the terminal's, -1 where it has none. The corresponding C function is `tigetnum`.
int ccurses_number(const char *capability);

/// How many columns and rows the terminal has.
///
/// Returns 0, or -1 with errno. The corresponding C function is `ioctl` with `TIOCGWINSZ`.
int ccurses_size(int descriptor, int *width, int *height);

/// Whether the user's locale writes UTF-8. The corresponding C function is `nl_langinfo_l`.
int ccurses_is_utf8(void);

/// Has the terminal hand over each key at once and show none, and has a program that crashes or is
/// made to quit put it back and write `farewell` first.
///
/// Returns 0, or -1 with errno. The corresponding C functions are `tcsetattr` and `sigaction`.
int ccurses_take_over(int input, int output, const char *farewell, int length);

/// Has the terminal take keys as before `ccurses_take_over`.
void ccurses_give_back(void);

/// Has it take keys for us again, after `ccurses_give_back`.
void ccurses_resume(void);

/// A descriptor that is readable once the window has changed, or the program is to stop or goes on.
///
/// Returns it, or -1 with errno. The corresponding C functions are `eventfd` and `sigaction`.
int ccurses_notes(void);

/// What has happened since the last call.
enum ccurses_note {
    ccurses_resized = 1,
    ccurses_stopping = 2,
    ccurses_continued = 4,
};
unsigned ccurses_take_notes(void);

/// Stops the program as SIGTSTP does by itself; returns when it goes on.
void ccurses_stop(void);
