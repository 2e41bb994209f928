// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct ccurl_thread {
    pthread_t handle;
};

struct start {
    char name[16];
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
#ifdef __APPLE__
    pthread_setname_np(start.name);
#else
    pthread_setname_np(pthread_self(), start.name);
#endif
    start.body(start.context);
    return NULL;
}

// Signal handlers run on the process's other threads. Faults stay deliverable, and so does a profiler's signal.
static void fill_with_asynchronous_signals(sigset_t *set) {
    static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
    sigfillset(set);
    for (size_t index = 0; index < sizeof kept / sizeof *kept; index++) sigdelset(set, kept[index]);
}

ccurl_thread_t ccurl_thread_start(const char *name, void (*body)(void *), void *context) {
    struct ccurl_thread *thread = malloc(sizeof *thread);
    struct start *start = calloc(1, sizeof *start);
    int failure = 1;
    if (thread && start) {
        strncpy(start->name, name, sizeof start->name - 1);
        start->body = body;
        start->context = context;
        sigset_t blocked, previous;
        fill_with_asynchronous_signals(&blocked);
        // Blocked before the thread exists, which inherits the mask, so that it never receives such a signal.
        pthread_sigmask(SIG_BLOCK, &blocked, &previous);
        failure = pthread_create(&thread->handle, NULL, run, start);
        pthread_sigmask(SIG_SETMASK, &previous, NULL);
    }
    if (!failure) return thread;
    free(thread);
    free(start);
    return NULL;
}

void ccurl_thread_join(ccurl_thread_t thread) {
    pthread_join(thread->handle, NULL);
    free(thread);
}

void ccurl_thread_detach(ccurl_thread_t thread) {
    pthread_detach(thread->handle);
    free(thread);
}

bool ccurl_error_text(int number, char *text, size_t capacity) {
#if defined(__GLIBC__)
    const char *found = strerror_r(number, text, capacity);
    if (found != text) {
        strncpy(text, found, capacity - 1);
        text[capacity - 1] = 0;
    }
    return true;
#else
    return strerror_r(number, text, capacity) == 0;
#endif
}

const char *ccurl_environment(const char *name) {
    return getenv(name);
}

// MARK: Thread sanitizer

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CCURL_SANITIZED 1
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#endif
#endif

void ccurl_publish(const void *place) {
#ifdef CCURL_SANITIZED
    __tsan_release((void *)place);
#else
    (void)place;
#endif
}

void ccurl_observe(const void *place) {
#ifdef CCURL_SANITIZED
    __tsan_acquire((void *)place);
#else
    (void)place;
#endif
}
