// SPDX-License-Identifier: MIT
#include "library.h"
#include "cmicrohttpd.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct microhttpd mhd;

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    /* It stays until the end. */
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        missing = "libmicrohttpd.so.12";
        return;
    }
#define LOOK_UP(name) \
    mhd.name = (__typeof__(&name))dlsym(library, #name); \
    if (!mhd.name) \
        missing = #name " in libmicrohttpd.so.12";
    FUNCTIONS(LOOK_UP)
}

const char *cmicrohttpd_missing(void)
{
    pthread_once(&once, load);
    return missing;
}
