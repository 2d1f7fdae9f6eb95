// SPDX-License-Identifier: MIT
#include "cargp.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct call {
    cargp_handler handler;
    void *context;
};

static int word_count;
static char **words;

/* glibc calls this with the arguments of `main`. Swift's runtime searches for them in the memory next to the
   environment, which fails if a preloaded library has changed a variable. */
static void keep_words(int argc, char **argv)
{
    word_count = argc;
    words = argv;
}

__attribute__((section(".init_array"), used)) static void (*const keep_words_at_start)(int, char **) = keep_words;

int cargp_word_count(void)
{
    return word_count;
}

const char *cargp_word_at(int index)
{
    return index >= 0 && index < word_count ? words[index] : NULL;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct call *call = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        return call->handler(cargp_word, value, call->context);
    case ARGP_KEY_END:
        return call->handler(cargp_end, NULL, call->context);
    case cargp_help:
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    case ARGP_KEY_INIT:
    case ARGP_KEY_SUCCESS:
    case ARGP_KEY_ERROR:
    case ARGP_KEY_FINI:
    case ARGP_KEY_NO_ARGS:
        return 0;
    case ARGP_KEY_ARGS:
        return ARGP_ERR_UNKNOWN;
    default:
        return call->handler(key, value, call->context);
    }
}

int cargp_parse(
    const struct argp_option *options, const char *usage, const char *doc, int argc, char **argv,
    cargp_handler handler, void *context)
{
    struct argp argp = {.options = options, .parser = parse, .args_doc = usage, .doc = doc};
    struct call call = {.handler = handler, .context = context};
    argp_err_exit_status = 2;
    // Large enough for a whole help text: if a write failed before the final flush, its errno would
    // be lost.
    static char output[65536];
    setvbuf(stdout, output, _IOFBF, sizeof output);
    return argp_parse(&argp, argc, argv, 0, NULL, &call);
}

void cargp_set_columns(int columns)
{
    char format[48];
    // On a narrow terminal the descriptions begin below the names of options.
    snprintf(format, sizeof format, "rmargin=%d%s", columns - 1, columns < 60 ? ",opt-doc-col=17" : "");
    setenv("ARGP_HELP_FMT", format, 0);
}

void cargp_set_version(const char *version)
{
    static char copy[64];
    snprintf(copy, sizeof copy, "%s", version);
    argp_program_version = copy;
}

int cargp_flush_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return errno != 0 ? errno : EIO;
}
