// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void *ccurl_resize_content(void *content, size_t length) {
    return realloc(content, length);
}

void ccurl_free_content(void *content) {
    free(content);
}

void ccurl_map_content(void *start, size_t length) {
#ifdef MADV_POPULATE_WRITE
    const uintptr_t page = 4096;
    uintptr_t first = ((uintptr_t)start + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)start + length) & ~(page - 1);
    // A system that cannot do it maps the pages one by one, when they are written.
    if (first < end) madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#else
    (void)start;
    (void)length;
#endif
}
