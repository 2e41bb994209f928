// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *ccurl_resize_content(void *content, size_t length) {
    return realloc(content, length);
}

void ccurl_free_content(void *content) {
    free(content);
}

void *ccurl_map_pages(size_t length) {
    void *pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void *ccurl_remap_pages(void *pages, size_t length, size_t new_length) {
#ifdef __linux__
    void *moved = mremap(pages, length, new_length, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved;
#else
    void *moved = ccurl_map_pages(new_length);
    if (!moved) return NULL;
    memcpy(moved, pages, length < new_length ? length : new_length);
    munmap(pages, length);
    return moved;
#endif
}

void ccurl_unmap_pages(void *pages, size_t length) {
    munmap(pages, length);
}

void ccurl_prepare_pages(void *start, size_t length) {
#ifdef MADV_POPULATE_WRITE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)start + length) & ~(page - 1);
    // Without support by the system, the pages are mapped one by one when they are written.
    if (first < end) madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#else
    (void)start;
    (void)length;
#endif
}
