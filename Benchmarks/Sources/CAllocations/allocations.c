// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

// glibc lets a program replace its allocator, and keeps its own reachable by these names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_uint_fast64_t allocations;

uint64_t allocations_count(void) {
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}

uint64_t allocations_bytes(void) {
    struct mallinfo2 all = mallinfo2();
    return (uint64_t)all.uordblks + all.hblkhd;
}

static void count(void) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count();
    void *aligned = __libc_memalign(alignment, size);
    if (!aligned) return ENOMEM;
    *memory = aligned;
    return 0;
}

void free(void *memory) {
    __libc_free(memory);
}
