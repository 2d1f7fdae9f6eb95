/* SPDX-License-Identifier: MIT */
/* The executable's malloc takes precedence over glibc's in all libraries of the process. */
#include <errno.h>
#include <stddef.h>

#include "callocations.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static _Thread_local uint64_t calls;
static _Thread_local int64_t kept;

uint64_t callocations_of_this_thread(void) { return calls; }

int64_t callocations_kept_by_this_thread(void) { return kept; }

#ifdef HAS_SANITIZER

int callocations_are_counted(void) { return 0; }

#else

int callocations_are_counted(void) { return 1; }

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static void *taken(void *memory) {
    calls++;
    if (memory) kept++;
    return memory;
}

void *malloc(size_t size) {
    return taken(__libc_malloc(size));
}

void *calloc(size_t number, size_t size) {
    return taken(__libc_calloc(number, size));
}

void *realloc(void *old, size_t size) {
    if (old) kept--;
    return taken(__libc_realloc(old, size));
}

void *memalign(size_t alignment, size_t size) {
    return taken(__libc_memalign(alignment, size));
}

void free(void *memory) {
    if (memory) kept--;
    __libc_free(memory);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

#endif
