/* SPDX-License-Identifier: MIT */
/* Counts allocations for each thread, so that other threads of the process do not affect the count. */
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* Returns how often this thread has called malloc, calloc, realloc and the aligned variants. */
uint64_t callocations_of_this_thread(void);

/* Returns the number of blocks that this thread has allocated minus those that it has freed. */
int64_t callocations_kept_by_this_thread(void);

/* Returns whether allocations are counted. They are not under a sanitizer, which has its own malloc. */
int callocations_are_counted(void);

#endif
