// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_FLOOR_H
#define SWIFTY_FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The least that a client built on libcurl can cost: its multi interface on epoll, in C, with reused handles, on the
/// calling thread. It sends the same header fields as the other clients, reads the whole content and checks the status.
struct floor;

/// The requests.
struct floor_task {
    /// The URLs, in turn.
    const char *const *urls;
    int url_count;
    /// PEM file of the trusted authority; NULL for the system's.
    const char *authority;
    /// Content of a POST, which must outlive the floor; NULL for a GET.
    const void *body;
    size_t body_length;
    /// The number of loads in flight.
    int in_flight;
    /// Whether HTTP/1.1 is spoken even where the server offers HTTP/2.
    bool is_http1;
};

/// Called after each successful load, with its duration.
typedef void (*floor_completed)(void *context, int64_t nanoseconds);

struct floor_result {
    int64_t completed;
    int64_t failed;
    int64_t bytes;
    int64_t nanoseconds;
};

/// Returns NULL if allocation fails. The task's strings must outlive the floor.
struct floor *floor_create(const struct floor_task *task);

/// Runs `count` loads, or if it is 0, starts loads for a time. Connections stay open for the next run.
struct floor_result floor_run(
    struct floor *floor, int64_t count, int64_t nanoseconds, floor_completed completed, void *context);

void floor_destroy(struct floor *floor);

/// The versions of libcurl and of its libraries.
const char *floor_libcurl_version(void);

#endif
