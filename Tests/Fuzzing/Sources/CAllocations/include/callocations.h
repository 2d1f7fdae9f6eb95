/* SPDX-License-Identifier: MIT */
/* Counts allocations: what else the process does on other threads does not disturb the count. */
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* How often this thread has called malloc, calloc, realloc and their aligned kin. */
uint64_t callocations_of_this_thread(void);

/* How many pieces of memory this thread has taken more than given back. */
int64_t callocations_kept_by_this_thread(void);

/* Whether anything is counted: under a sanitizer, which has a malloc of its own, nothing is. */
int callocations_are_counted(void);

#endif
