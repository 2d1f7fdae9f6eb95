/* SPDX-License-Identifier: MIT */
/* A library that LD_PRELOAD loads into a program. It replaces the C library's clock; its functions are not called
 * by name. */
