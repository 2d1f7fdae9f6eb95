// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cloading.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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

static int unmap_code(struct dl_phdr_info *object, size_t size, void *page)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = (object->dlpi_addr + part->p_vaddr) & -*(uintptr_t *)page;
        uintptr_t end = object->dlpi_addr + part->p_vaddr + part->p_memsz;

        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || part->p_flags & PF_W) continue;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

/* The breakpoints of a debugger are changes of the code, which would be lost. */
static int is_traced(void)
{
    char line[128];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "re");

    if (!status) return 1;
    while (fgets(line, sizeof line, status) && sscanf(line, "TracerPid: %d", &tracer) != 1) {}
    fclose(status);
    return tracer != 0;
}

void cloading_unmap_code(int seconds)
{
    struct timespec rest = {.tv_sec = seconds};
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {}
    if (!is_traced()) dl_iterate_phdr(unmap_code, &page);
}
