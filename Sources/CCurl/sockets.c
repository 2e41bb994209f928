// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

// MARK: Sockets

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct ccurl_socket_watch *watch = context;
    (void)purpose;
#ifdef SOCK_CLOEXEC
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
#endif
    if (descriptor < 0) return CURL_SOCKET_BAD;
    watch->opened(watch->context, descriptor);
    return descriptor;
}

static int close_socket(void *context, curl_socket_t descriptor) {
    struct ccurl_socket_watch *watch = context;
    watch->closing(watch->context, descriptor);
    return close(descriptor);
}

CURLcode ccurl_watch_sockets(CURL *easy, struct ccurl_socket_watch *watch) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, watch);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, watch);
    return code;
}

bool ccurl_socket_is_readable(int descriptor) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    return poll(&entry, 1, 0) > 0;
}

int ccurl_socket_local_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return 0;
}

void ccurl_close(int descriptor) {
    close(descriptor);
}

// MARK: Event loop

int64_t ccurl_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#ifdef __linux__

int ccurl_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int ccurl_epoll_control(int epoll, int descriptor, int what, bool is_known) {
    struct epoll_event event = {.data.fd = descriptor};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    int operation = what == CURL_POLL_REMOVE ? EPOLL_CTL_DEL : is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : errno;
}

int ccurl_epoll_add_waker(int epoll, int waker) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = waker};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, waker, &event) == 0 ? 0 : errno;
}

int ccurl_epoll_wait(int epoll, struct ccurl_ready *ready, int capacity, int milliseconds) {
    struct epoll_event events[256];
    if (capacity > 256) capacity = 256;
    int count = epoll_wait(epoll, events, capacity, milliseconds);
    for (int index = 0; index < count; index++) {
        uint32_t mask = events[index].events;
        int flags = 0;
        if (mask & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) flags |= CURL_CSELECT_IN;
        if (mask & EPOLLOUT) flags |= CURL_CSELECT_OUT;
        if (mask & EPOLLERR) flags |= CURL_CSELECT_ERR;
        ready[index].socket = events[index].data.fd;
        ready[index].events = flags;
    }
    return count < 0 ? 0 : count;
}

int ccurl_eventfd_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void ccurl_eventfd_signal(int waker) {
    uint64_t one = 1;
    ssize_t written = write(waker, &one, sizeof one);
    (void)written;
}

#endif
