// SPDX-License-Identifier: MIT
#pragma once

/* Code that is loaded when it is first used, and code that is no longer needed in memory. */

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

/* Waits, and then unmaps the code of the process. What is still used is mapped again, from the page cache; what ran only
   at the start no longer counts as memory of the process. Code that was changed in memory stays. Meanwhile, signal
   handlers run on this thread if all other threads block the signals. */
void cloading_unmap_code(int seconds);
