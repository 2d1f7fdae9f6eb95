/* SPDX-License-Identifier: MIT */
/* What a benchmark needs from the machine: a clock, one core, and a count of allocations. */
#ifndef CMETER_H
#define CMETER_H

#include <stdint.h>

/* How often malloc, calloc, realloc and their aligned kin were called since the process began. */
uint64_t cmeter_allocations(void);

/* Binds the process, and what it starts, to one core; its number, or -1. */
int cmeter_pin(void);

/* Seconds of CLOCK_MONOTONIC. */
double cmeter_now(void);

/* Tells the compiler that everything behind `value` has been looked at. */
static inline void cmeter_keep(const void *value) { __asm__ volatile("" : : "r"(value) : "memory"); }

#endif
