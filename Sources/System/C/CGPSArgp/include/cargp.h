// SPDX-License-Identifier: MIT
#pragma once
#include <argp.h>

/// Keys that are not options: `cargp_word` for a positional argument, `cargp_end` for the end of
/// the arguments.
enum { cargp_word = -1, cargp_end = -2 };

/// The key of the option -h, which means the same as --help.
enum { cargp_help = 'h' };

/// Handles a key: an option's, `cargp_word` or `cargp_end`. `value` is the option's value or the
/// positional argument; null if there is none. Returns 0, or an errno to stop.
typedef int (*cargp_handler)(int key, const char *_Nullable value, void *_Nullable context);

/// Parses a command's arguments. Invalid options and `--help` end the process, as in all GNU programs.
///
/// Returns what the handler returned. The corresponding C function is `argp_parse`.
int cargp_parse(
    const struct argp_option *_Nonnull options, const char *_Nonnull usage,
    const char *_Nonnull doc, int argc, char *_Nullable *_Nonnull argv,
    cargp_handler _Nonnull handler, void *_Nullable context);

/// Returns the number of arguments of the process, including its name.
int cargp_word_count(void);

/// Returns the process's argument at a zero-based index; null if there are fewer arguments.
const char *_Nullable cargp_word_at(int index);

/// Sets the text that `--version` prints; it is copied.
void cargp_set_version(const char *_Nonnull version);

/// Sets the width of the help text in columns, unless the environment variable `ARGP_HELP_FMT` sets
/// it.
///
/// Changes the environment, so call it before other threads run.
void cargp_set_columns(int columns);

/// Flushes the output of `--help` and `--version`; returns 0 or an errno.
///
/// The corresponding C function is `fflush`.
int cargp_flush_output(void);
