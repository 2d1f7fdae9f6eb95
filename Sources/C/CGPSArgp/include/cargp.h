// SPDX-License-Identifier: MIT
#pragma once
#include <argp.h>

/// Keys that are no option's: a word that is no option, and the end of the line.
enum { cargp_word = -1, cargp_end = -2 };

/// The key of -h, which stands for --help.
enum { cargp_help = 'h' };

/// Takes an option's key, `cargp_word` or `cargp_end`; returns 0, or an errno to stop.
typedef int (*cargp_handler)(int key, const char *_Nullable value, void *_Nullable context);

/// Parses a command's words. Wrong options and `--help` end the process, as everywhere in GNU.
///
/// Returns what the handler returned. The corresponding C function is `argp_parse`.
int cargp_parse(
    const struct argp_option *_Nonnull options, const char *_Nonnull usage,
    const char *_Nonnull doc, int argc, char *_Nullable *_Nonnull argv,
    cargp_handler _Nonnull handler, void *_Nullable context);

/// How many words the process was started with, its name among them.
int cargp_word_count(void);

/// One of these words; null where there are fewer.
const char *_Nullable cargp_word_at(int index);

/// What `--version` prints, for every command; the text is copied.
void cargp_set_version(const char *_Nonnull version);

/// Sets how many columns lines of help fill, unless the environment says otherwise (`ARGP_HELP_FMT`).
///
/// It changes the environment: call it before other threads run.
void cargp_set_columns(int columns);

/// Writes what `--help` and `--version` have left in a buffer; returns 0, or why some of it could not be written.
///
/// The corresponding C function is `fflush`.
int cargp_flush_output(void);
