/* SPDX-License-Identifier: MIT */
/* Functions for benchmarks: a clock, the choice of a core, and a count of allocations. */
#ifndef CMETER_H
#define CMETER_H

#include <stdint.h>

/* Returns the number of calls of malloc, calloc, realloc and the aligned variants since the process started. */
uint64_t cmeter_allocations(void);

/* Binds the process and its child processes to one core. Returns the core's number, or -1. */
int cmeter_pin(void);

/* Returns the seconds of CLOCK_MONOTONIC. */
double cmeter_now(void);

/* Prevents the compiler from removing the computation of `value`. */
static inline void cmeter_keep(const void *value) { __asm__ volatile("" : : "r"(value) : "memory"); }

#endif
