// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "simulation.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

void simulation_prepare_output(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
}

void simulation_exit(int code) {
    fflush(NULL);
    _exit(code);
}

static volatile uint64_t current_seed;
static volatile uint64_t current_index;

static void report(int number) {
    char text[160];
    int length = snprintf(
        text, sizeof text, "\nThe process crashed (signal %d) in --seed %llu --history %llu\n", number,
        (unsigned long long)current_seed, (unsigned long long)current_index);
    if (length > 0) {
        ssize_t written = write(STDERR_FILENO, text, (size_t)length);
        (void)written;
    }
    signal(number, SIG_DFL);
    raise(number);
}

void simulation_report_crashes(void) {
    static const int numbers[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
    for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) signal(numbers[index], report);
}

void simulation_note_history(uint64_t seed, uint64_t index) {
    current_seed = seed;
    current_index = index;
}
