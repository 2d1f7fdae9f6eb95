// SPDX-License-Identifier: MIT
#pragma once

/* Libraries that are loaded when they are used first: programs start without them. */

/* A function of a library. */
struct cloading_function {
    const char *name;
    const char *missing; /* what to call it where it is not there */
    void *place; /* of the pointer to it */
};

/* The function `name` of a library, whose pointer is a member of `table` with that name. */
#define CLOADING_FUNCTION(table, name, library) {#name, #name " in " library, &(table).name}

/* Loads a library for good, and sets the pointers to its functions, behind the last of which there is one without a
   name. NULL, or what is missing. */
const char *cloading_load(const char *library, const struct cloading_function *functions);
