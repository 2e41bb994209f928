// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "floor.h"
#include "interest.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, LARGE = 1 << 20, MAX_CONNECTIONS = 16384 };

struct transfer {
    CURL *easy;
    char *body;
    size_t length;
    size_t capacity;
    int64_t started;
};

struct floor {
    struct floor_task task;
    CURLM *multi;
    struct curl_slist *fields;
    /// The task's URLs, parsed once; libcurl would parse a string for each load.
    CURLU **urls;
    struct transfer *transfers;
    struct interest interest;
    /// The deadline of libcurl's timer; INT64_MAX if there is none.
    int64_t deadline;
    int active;
    int64_t launched;
    /// The limits of the current run, and its results.
    int64_t count;
    int64_t end;
    floor_completed completed;
    void *context;
    struct floor_result result;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: Callbacks

/// The first bytes allocate the announced length; the buffer is kept for the next load.
static bool make_room(struct transfer *transfer, size_t length) {
    if (length <= transfer->capacity) return true;
    curl_off_t announced = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    size_t capacity = announced > (curl_off_t)length ? (size_t)announced : length * 2;
    char *body = realloc(transfer->body, capacity);
    if (!body) return false;
    transfer->body = body;
    transfer->capacity = capacity;
    return true;
}

static size_t body_arrived(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t length = size * count;
    if (!make_room(transfer, transfer->length + length)) return 0;
    memcpy(transfer->body + transfer->length, bytes, length);
    transfer->length += length;
    return length;
}

static int interest_changed(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    struct floor *floor = context;
    (void)easy;
    (void)known;
    return interest_set(&floor->interest, socket, what) ? 0 : -1;
}

static int socket_is_done(void *context, curl_socket_t socket) {
    struct floor *floor = context;
    interest_forget(&floor->interest, socket);
    return close(socket);
}

static int timer_changed(CURLM *multi, long milliseconds, void *context) {
    struct floor *floor = context;
    (void)multi;
    if (milliseconds < 0) floor->deadline = INT64_MAX;
    else floor->deadline = milliseconds == 0 ? 0 : now() + (int64_t)milliseconds * 1000000;
    return 0;
}

// MARK: Loads

static bool may_launch(const struct floor *floor, int64_t time) {
    return floor->count > 0 ? floor->launched < floor->count : time < floor->end;
}

static void launch(struct floor *floor, struct transfer *transfer, int64_t time) {
    transfer->length = 0;
    transfer->started = time;
    if (floor->task.url_count > 1) {
        curl_easy_setopt(transfer->easy, CURLOPT_CURLU, floor->urls[floor->launched % floor->task.url_count]);
    }
    floor->launched++;
    floor->active++;
    curl_multi_add_handle(floor->multi, transfer->easy);
}

static void finish(struct floor *floor, struct transfer *transfer, CURLcode code, int64_t time) {
    long status = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    floor->active--;
    if (code == CURLE_OK && status == 200) {
        floor->result.completed++;
        floor->result.bytes += (int64_t)transfer->length;
        floor->completed(floor->context, time - transfer->started);
    } else {
        floor->result.failed++;
    }
    curl_multi_remove_handle(floor->multi, transfer->easy);
    if (may_launch(floor, time)) launch(floor, transfer, time);
}

/// The clock is read once for all finished transfers.
static void collect_finished(struct floor *floor) {
    int remaining = 0;
    int64_t time = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(floor->multi, &remaining))) {
        if (message->msg != CURLMSG_DONE) continue;
        if (time == 0) time = now();
        CURLcode code = message->data.result;
        struct transfer *transfer = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        finish(floor, transfer, code, time);
    }
}

// MARK: The loop

static int wait_time(const struct floor *floor) {
    if (floor->deadline == INT64_MAX) return -1;
    if (floor->deadline == 0) return 0;
    int64_t pause = floor->deadline - now();
    return pause <= 0 ? 0 : (int)((pause + 999999) / 1000000);
}

static void act(struct floor *floor, const struct epoll_event *event) {
    int flags = 0, running = 0;
    if (!interest_is_wanted(&floor->interest, event->data.fd)) return;
    if (event->events & (EPOLLIN | EPOLLHUP)) flags |= CURL_CSELECT_IN;
    if (event->events & EPOLLOUT) flags |= CURL_CSELECT_OUT;
    if (event->events & EPOLLERR) flags |= CURL_CSELECT_ERR;
    curl_multi_socket_action(floor->multi, event->data.fd, flags, &running);
}

static void run_timer(struct floor *floor) {
    int running = 0;
    if (floor->deadline == INT64_MAX || (floor->deadline > 0 && floor->deadline > now())) return;
    floor->deadline = INT64_MAX;
    curl_multi_socket_action(floor->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

static void loop(struct floor *floor) {
    struct epoll_event events[EVENTS];
    while (floor->active > 0) {
        run_timer(floor);
        collect_finished(floor);
        if (floor->active == 0) return;
        int ready = epoll_wait(floor->interest.epoll, events, EVENTS, wait_time(floor));
        for (int index = 0; index < ready; index++) act(floor, &events[index]);
        collect_finished(floor);
    }
}

struct floor_result floor_run(
    struct floor *floor, int64_t count, int64_t nanoseconds, floor_completed completed, void *context) {
    int64_t begin = now();
    floor->count = count;
    floor->end = begin + nanoseconds;
    floor->launched = 0;
    floor->completed = completed;
    floor->context = context;
    floor->result = (struct floor_result){0};
    for (int index = 0; index < floor->task.in_flight && may_launch(floor, begin); index++) {
        launch(floor, &floor->transfers[index], begin);
    }
    loop(floor);
    floor->result.nanoseconds = now() - begin;
    return floor->result;
}

// MARK: Set-up

static void prepare(struct floor *floor, struct transfer *transfer) {
    CURL *easy = transfer->easy = curl_easy_init();
    bool is_shared = strncmp(floor->task.urls[0], "https", 5) == 0 && !floor->task.is_http1;
    curl_easy_setopt(easy, CURLOPT_CURLU, floor->urls[0]);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, floor->fields);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body_arrived);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, socket_is_done);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, floor);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 120L << 10);
    // Otherwise libcurl searches the environment for proxies with each load.
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)(is_shared ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, is_shared ? 1L : 0L);
    if (floor->task.authority) curl_easy_setopt(easy, CURLOPT_CAINFO, floor->task.authority);
    if (!floor->task.body) return;
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, floor->task.body);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)floor->task.body_length);
    // Without this, in pieces of 64 KiB, large content takes a third more time.
    if (floor->task.body_length > LARGE) curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, LARGE / 2L);
}

static bool parse_urls(struct floor *floor) {
    floor->urls = calloc((size_t)floor->task.url_count, sizeof *floor->urls);
    if (!floor->urls) return false;
    for (int index = 0; index < floor->task.url_count; index++) {
        CURLU *url = floor->urls[index] = curl_url();
        if (!url || curl_url_set(url, CURLUPART_URL, floor->task.urls[index], 0) != CURLUE_OK) return false;
    }
    return true;
}

static void make_fields(struct floor *floor) {
    floor->fields = curl_slist_append(floor->fields, "Accept: application/json");
    floor->fields = curl_slist_append(floor->fields, "User-Agent: benchmark");
    if (!floor->task.body) return;
    floor->fields = curl_slist_append(floor->fields, "Content-Type: application/json");
    floor->fields = curl_slist_append(floor->fields, "Expect:");
}

static void prepare_multi(struct floor *floor) {
    curl_multi_setopt(floor->multi, CURLMOPT_SOCKETFUNCTION, interest_changed);
    curl_multi_setopt(floor->multi, CURLMOPT_SOCKETDATA, floor);
    curl_multi_setopt(floor->multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    curl_multi_setopt(floor->multi, CURLMOPT_TIMERDATA, floor);
    curl_multi_setopt(floor->multi, CURLMOPT_MAXCONNECTS, (long)MAX_CONNECTIONS);
    curl_multi_setopt(floor->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000L);
}

struct floor *floor_create(const struct floor_task *task) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct floor *floor = calloc(1, sizeof *floor);
    if (!floor) return NULL;
    floor->task = *task;
    floor->deadline = INT64_MAX;
    floor->interest.epoll = epoll_create1(EPOLL_CLOEXEC);
    floor->multi = curl_multi_init();
    floor->transfers = calloc((size_t)task->in_flight, sizeof *floor->transfers);
    if (!floor->multi || !floor->transfers || floor->interest.epoll < 0 || !parse_urls(floor)) {
        return floor_destroy(floor), NULL;
    }
    make_fields(floor);
    prepare_multi(floor);
    for (int index = 0; index < task->in_flight; index++) prepare(floor, &floor->transfers[index]);
    return floor;
}

void floor_destroy(struct floor *floor) {
    for (int index = 0; floor->transfers && index < floor->task.in_flight; index++) {
        curl_easy_cleanup(floor->transfers[index].easy);
        free(floor->transfers[index].body);
    }
    curl_multi_cleanup(floor->multi);
    for (int index = 0; floor->urls && index < floor->task.url_count; index++) curl_url_cleanup(floor->urls[index]);
    free(floor->urls);
    curl_slist_free_all(floor->fields);
    close(floor->interest.epoll);
    free(floor->transfers);
    free(floor->interest.sockets);
    free(floor);
}

const char *floor_libcurl_version(void) {
    return curl_version();
}
