// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include <floor.h>
#include <stdlib.h>

static void completed(void *context, int64_t nanoseconds) {
    (void)context;
    (void)nanoseconds;
}

/// Loads a URL a number of times with the floor, and exits.
int main(int count, char **arguments) {
    if (count < 3) return 64;
    const char *urls[] = {arguments[1]};
    struct floor_task task = {.urls = urls, .url_count = 1, .in_flight = 1};
    struct floor *floor = floor_create(&task);
    if (!floor) return 1;
    return floor_run(floor, atoi(arguments[2]), 0, completed, NULL).failed == 0 ? 0 : 1;
}
