// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "simulation.h"

#include <stddef.h>
#include <time.h>

// The hooks of Swift's concurrency library, from its header Concurrency.h. Each takes a job before the library's own
// function, which is the last argument.

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*delay_original)(unsigned long long delay, void *job);
typedef SWIFT_CALL void (*deadline_original)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock,
    void *job);

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT_CALL void (*swift_task_enqueueMainExecutor_hook)(void *job, enqueue_original original);
extern SWIFT_CALL void (*swift_task_enqueueGlobalWithDelay_hook)(
    unsigned long long delay, void *job, delay_original original);
extern SWIFT_CALL void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock,
    void *job, deadline_original original);

static simulation_enqueue take;

static SWIFT_CALL void enqueue_now(void *job, enqueue_original original) {
    (void)original;
    take(job, 0);
}

static SWIFT_CALL void enqueue_after(unsigned long long delay, void *job, delay_original original) {
    (void)original;
    take(job, (int64_t)delay);
}

static SWIFT_CALL void enqueue_at(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock,
    void *job, deadline_original original) {
    (void)tolerance_seconds, (void)tolerance_nanoseconds, (void)clock, (void)original;
    // Both clocks of Swift show the simulated time.
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t delay = (seconds - now.tv_sec) * 1000000000 + (nanoseconds - now.tv_nsec);
    take(job, delay > 0 ? delay : 0);
}

void simulation_take_jobs(simulation_enqueue enqueue) {
    take = enqueue;
    swift_task_enqueueGlobal_hook = enqueue_now;
    swift_task_enqueueMainExecutor_hook = enqueue_now;
    swift_task_enqueueGlobalWithDelay_hook = enqueue_after;
    swift_task_enqueueGlobalWithDeadline_hook = enqueue_at;
}
