// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "pace.h"

#include <errno.h>
#include <time.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum { NANOSECONDS = 1000000000 };

int64_t pace_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

#if defined(__linux__)
void pace_sleep_until(int64_t nanoseconds) {
    if (pace_now() >= nanoseconds) return;
    struct timespec time = {.tv_sec = nanoseconds / NANOSECONDS, .tv_nsec = nanoseconds % NANOSECONDS};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

void pace_wake_on_time(void) { prctl(PR_SET_TIMERSLACK, 1UL); }
#else
void pace_sleep_until(int64_t nanoseconds) {
    for (int64_t left; (left = nanoseconds - pace_now()) > 0;) {
        struct timespec time = {.tv_sec = left / NANOSECONDS, .tv_nsec = left % NANOSECONDS};
        nanosleep(&time, NULL);
    }
}

void pace_wake_on_time(void) {}
#endif
