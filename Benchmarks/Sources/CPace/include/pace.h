// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_PACE_H
#define SWIFTY_PACE_H

#include <stdint.h>

/// The time in nanoseconds, on a clock by which a thread can sleep exactly.
int64_t pace_now(void);

/// Blocks the thread until a time; returns at once if it has passed.
void pace_sleep_until(int64_t nanoseconds);

/// Lets the calling thread wake on time. By default, Linux lets a sleep end up to 50 microseconds late.
void pace_wake_on_time(void);

#endif
