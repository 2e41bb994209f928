// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

// MARK: Sockets

CURLcode ccurl_set_socket_functions(
    CURL *easy, ccurl_opensocket_callback open, void *open_context, ccurl_closesocket_callback close,
    void *close_context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, open_context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, close_context);
    return code;
}

/// Marks the packets of a socket: the code point is the upper six bits of the byte in their headers. Returns an error
/// number, 0 on success.
static int mark(int descriptor, int family, int dscp) {
    int byte = dscp << 2;
    if (family == AF_INET6) {
        // Of a socket that turns out to carry IPv4 (RFC 4291 §2.5.5.2), too.
        setsockopt(descriptor, IPPROTO_IP, IP_TOS, &byte, sizeof byte);
        return setsockopt(descriptor, IPPROTO_IPV6, IPV6_TCLASS, &byte, sizeof byte) < 0 ? errno : 0;
    }
    if (family == AF_INET) return setsockopt(descriptor, IPPROTO_IP, IP_TOS, &byte, sizeof byte) < 0 ? errno : 0;
    return 0;
}

int ccurl_open_socket(const struct curl_sockaddr *address, int dscp) {
#ifdef SOCK_CLOEXEC
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
#endif
    if (descriptor < 0) return -errno;
    int error = dscp < 0 ? 0 : mark(descriptor, address->family, dscp);
    if (error == 0) return descriptor;
    close(descriptor);
    return -error;
}

int ccurl_address_bytes(const struct curl_sockaddr *address, uint8_t *bytes) {
    // libcurl's structure is longer than its declaration: `addrlen` bytes from `addr`.
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

int ccurl_parse_address(const char *text, uint8_t *bytes) {
    if (inet_pton(AF_INET, text, bytes) == 1) return 4;
    return inet_pton(AF_INET6, text, bytes) == 1 ? 16 : 0;
}

int ccurl_descriptor_shortage(void) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0) return errno;
    close(descriptor);
    return 0;
}

bool ccurl_socket_is_readable(int descriptor) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    return poll(&entry, 1, 0) > 0;
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

int ccurl_epoll_control(int epoll, int descriptor, uint32_t generation, int what, bool is_known) {
    struct epoll_event event = {.data.u64 = (uint64_t)generation << 32 | (uint32_t)descriptor};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    int operation = what == CURL_POLL_REMOVE ? EPOLL_CTL_DEL : is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : errno;
}

int ccurl_epoll_add_waker(int epoll, int waker) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = UINT32_MAX};
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
        ready[index].socket = (int32_t)events[index].data.u64;
        ready[index].generation = events[index].data.u64 >> 32;
        ready[index].events = flags;
    }
    return count;
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
