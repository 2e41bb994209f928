// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "simulation.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_simulated;
static uint64_t state;

/// SplitMix64, by Steele, Lea and Flood.
static uint64_t next(void) {
    state += 0x9E3779B97F4A7C15;
    uint64_t value = state;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

/// Takes the place of the function of Swift's library, which gives all random numbers of Swift and of Foundation.
void swift_stdlib_random(void *buffer, size_t length) {
    uint8_t *bytes = buffer;
    while (!is_simulated && length > 0) {
        long count = syscall(SYS_getrandom, bytes, length, 0);
        if (count > 0) bytes += count, length -= (size_t)count;
    }
    while (length > 0) {
        uint64_t value = next();
        size_t count = length < sizeof value ? length : sizeof value;
        memcpy(bytes, &value, count);
        bytes += count, length -= count;
    }
}

void simulation_set_seed(uint64_t seed) {
    state = seed;
    is_simulated = true;
}

void simulation_end_seed(void) {
    is_simulated = false;
}

uint64_t simulation_system_random(void) {
    uint64_t value = 0;
    ssize_t count = syscall(SYS_getrandom, &value, sizeof value, 0);
    (void)count;
    return value;
}

void simulation_fix_hashing(char *const *arguments) {
    static const char name[] = "SWIFT_DETERMINISTIC_HASHING";
    if (getenv(name)) return;
    setenv(name, "1", 1);
    execv("/proc/self/exe", arguments);
}
