// SPDX-License-Identifier: MIT
#include "cloading.h"
#include <dlfcn.h>
#include <string.h>

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
