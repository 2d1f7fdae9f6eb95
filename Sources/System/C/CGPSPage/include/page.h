// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* A file of the page, compressed with gzip. */
struct page_file {
    const char *path; /* the path in its URL */
    const char *content_type;
    const unsigned char *bytes;
    size_t count;
};

/* Returns the file of the page with an index from 0; NULL after the last one. */
const struct page_file *page_file(size_t index);
