// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cloading.h"
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

const char *cloading_load(const char *library, const struct cloading_function *functions)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    if (!handle) return library;
    for (; functions->name; functions++) {
        void *address = dlsym(handle, functions->name);

        if (!address) return functions->missing;
        memcpy(functions->place, &address, sizeof address);
    }
    return NULL;
}

/* Unmaps the code that is as in its file. Pages that were changed, such as those with a debugger's breakpoints, are
   anonymous, and have no other copy. */
static void unmap_code(void)
{
    char line[512], rights[5] = "";
    unsigned long start = 0, end = 0, next, after, size;
    FILE *maps = fopen("/proc/self/smaps", "re");

    if (!maps) return;
    while (fgets(line, sizeof line, maps)) {
        char found[5];

        if (sscanf(line, "%lx-%lx %4s", &next, &after, found) == 3) {
            start = next;
            end = after;
            memcpy(rights, found, sizeof rights);
        } else if (sscanf(line, "Anonymous: %lu", &size) == 1 && size == 0 && !strcmp(rights, "r-xp")) {
            madvise((void *)start, end - start, MADV_DONTNEED);
        }
    }
    fclose(maps);
}

void cloading_unmap_code(int seconds)
{
    struct timespec now, rest;
    sigset_t none;

    sigemptyset(&none);
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (time_t end = now.tv_sec + seconds; now.tv_sec < end; clock_gettime(CLOCK_MONOTONIC, &now)) {
        rest = (struct timespec){.tv_sec = end - now.tv_sec};
        ppoll(NULL, 0, &rest, &none);
    }
    unmap_code();
}
