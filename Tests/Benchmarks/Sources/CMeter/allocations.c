/* SPDX-License-Identifier: MIT */
/* The executable's malloc takes precedence over glibc's in all libraries of the process. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "cmeter.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_uint_fast64_t calls;

static void count(void) { atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed); }

uint64_t cmeter_allocations(void) { return atomic_load_explicit(&calls, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
