// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SIMULATION_H
#define SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "simulation_hpack.h"

// MARK: Time

/// From here on `clock_gettime` returns this time, in nanoseconds since the start of the machine, to all
/// libraries on this thread.
void simulation_set_time(int64_t now);

/// `clock_gettime` returns the time of the system again.
void simulation_end_time(void);

/// The time of the system's monotonic clock, in nanoseconds.
int64_t simulation_system_time(void);

// MARK: Random numbers

/// From here on the random numbers of Swift's library are those that this seed determines.
void simulation_set_seed(uint64_t seed);

/// Swift's library gives the random numbers of the system again.
void simulation_end_seed(void);

/// A random number of the system.
uint64_t simulation_system_random(void);

/// Has the hash functions of Swift use no random seed: starts the program again in an environment that says so.
void simulation_fix_hashing(char *const *arguments);

// MARK: Tasks

/// Takes a job of Swift's concurrency, which is to run after a delay.
typedef void (*simulation_enqueue)(void *job, int64_t delay);

/// Gives the jobs of all tasks that have no executor of their own to this function.
void simulation_take_jobs(simulation_enqueue enqueue);

// MARK: The process

/// Has the standard output appear line by line.
void simulation_prepare_output(void);

/// Ends the process without the work that is due at its end.
_Noreturn void simulation_exit(int code);

// MARK: Crashes

/// Has the end of the process by a trap print the history in which it happened.
void simulation_report_crashes(void);

/// The history that runs from here on.
void simulation_note_history(uint64_t seed, uint64_t index);

#endif
