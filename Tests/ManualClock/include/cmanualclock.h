/* SPDX-License-Identifier: MIT */
/* Loaded into a program by LD_PRELOAD: it replaces the C library's clock, and is never called by name. */
