// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "simulation_hpack.h"

#include <dlfcn.h>
#include <sys/types.h>

// From nghttp2's documentation.

struct pair {
    uint8_t *name;
    uint8_t *value;
    size_t name_length;
    size_t value_length;
    uint8_t flags;
};

enum { IS_FINAL = 1, HAS_FIELD = 2 };

static struct {
    int (*new)(simulation_hpack **);
    void (*del)(simulation_hpack *);
    ssize_t (*inflate)(simulation_hpack *, struct pair *, int *, const uint8_t *, size_t, int);
    int (*end)(simulation_hpack *);
} functions;

static bool find_functions(void) {
    if (functions.end) return true;
    functions.new = (int (*)(simulation_hpack **))dlsym(RTLD_DEFAULT, "nghttp2_hd_inflate_new");
    functions.del = (void (*)(simulation_hpack *))dlsym(RTLD_DEFAULT, "nghttp2_hd_inflate_del");
    functions.inflate = (ssize_t (*)(simulation_hpack *, struct pair *, int *, const uint8_t *, size_t, int))dlsym(
        RTLD_DEFAULT, "nghttp2_hd_inflate_hd2");
    if (!functions.new || !functions.del || !functions.inflate) return false;
    functions.end = (int (*)(simulation_hpack *))dlsym(RTLD_DEFAULT, "nghttp2_hd_inflate_end_headers");
    return functions.end != NULL;
}

simulation_hpack *simulation_hpack_new(void) {
    simulation_hpack *hpack = NULL;
    if (!find_functions() || functions.new(&hpack) != 0) return NULL;
    return hpack;
}

void simulation_hpack_free(simulation_hpack *hpack) {
    functions.del(hpack);
}

bool simulation_hpack_decode(
    simulation_hpack *hpack, const uint8_t *block, size_t length, simulation_field field, void *context) {
    while (true) {
        struct pair pair = {0};
        int flags = 0;
        ssize_t count = functions.inflate(hpack, &pair, &flags, block, length, 1);
        if (count < 0) return false;
        block += count;
        length -= (size_t)count;
        if (flags & HAS_FIELD) field(context, pair.name, pair.name_length, pair.value, pair.value_length);
        if (flags & IS_FINAL) break;
        if (!(flags & HAS_FIELD) && length == 0) break;
    }
    return functions.end(hpack) == 0;
}
