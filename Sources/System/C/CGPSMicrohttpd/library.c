// SPDX-License-Identifier: MIT
#include "library.h"
#include "cmicrohttpd.h"
#include <cloading.h>
#include <pthread.h>
#include <stddef.h>

struct microhttpd mhd;

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
#define ENTRY(name) CLOADING_FUNCTION(mhd, name, "libmicrohttpd.so.12"),
    static const struct cloading_function functions[] = {FUNCTIONS(ENTRY){0}};

    missing = cloading_load("libmicrohttpd.so.12", functions);
}

const char *cmicrohttpd_missing(void)
{
    pthread_once(&once, load);
    return missing;
}
