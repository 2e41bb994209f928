// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "simulation.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NANOSECONDS = 1000000000 };

/// Of the thread that plays a history. Dispatch has threads of its own, for which time goes on.
static _Thread_local bool is_simulated;
static int64_t simulated_now;
/// What the calendar shows when the simulated machine starts: the first of January 2026.
static const int64_t calendar_start = 1767225600;

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

/// Takes the place of the function of the C library, for all libraries of the process.
int clock_gettime(clockid_t clock, struct timespec *time) {
    bool is_of_processor = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
    if (!is_simulated || is_of_processor) return (int)syscall(SYS_clock_gettime, clock, time);
    bool is_calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    time->tv_sec = simulated_now / NANOSECONDS + (is_calendar ? calendar_start : 0);
    time->tv_nsec = simulated_now % NANOSECONDS;
    return 0;
}

void simulation_set_time(int64_t now) {
    simulated_now = now;
    is_simulated = true;
}

void simulation_end_time(void) {
    is_simulated = false;
}

int64_t simulation_system_time(void) {
    struct timespec time;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return nanoseconds(time);
}
