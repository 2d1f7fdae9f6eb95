// SPDX-License-Identifier: MIT
#pragma once

/* Libraries that are loaded at their first use, so that programs also start without them. */

/* A function of a library. */
struct cloading_function {
    const char *name;
    const char *missing; /* its name in messages if it is missing */
    void *place; /* the address of its pointer */
};

/* The function `name` of a library, whose pointer is a member of `table` with that name. */
#define CLOADING_FUNCTION(table, name, library) {#name, #name " in " library, &(table).name}

/* Loads a library permanently, and sets the pointers to its functions; the list ends with an entry without a
   name. Returns NULL, or what is missing. */
const char *cloading_load(const char *library, const struct cloading_function *functions);
