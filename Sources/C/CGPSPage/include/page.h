// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* A file of the page, compressed by gzip. */
struct page_file {
    const char *path; /* as in its URL */
    const char *content_type;
    const unsigned char *bytes;
    size_t count;
};

/* The files of the page in any order; NULL behind the last. */
const struct page_file *page_file(size_t index);
