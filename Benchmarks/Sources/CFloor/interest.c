// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "interest.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

struct socket_interest {
    int wanted;
    int registered;
};

static bool make_room(struct interest *interest, int socket) {
    if (socket < interest->count) return true;
    int count = (socket + 1) * 2;
    struct socket_interest *sockets = realloc(interest->sockets, (size_t)count * sizeof *sockets);
    if (!sockets) return false;
    memset(sockets + interest->count, 0, (size_t)(count - interest->count) * sizeof *sockets);
    interest->sockets = sockets;
    interest->count = count;
    return true;
}

bool interest_set(struct interest *interest, int socket, int what) {
    if (!make_room(interest, socket)) return false;
    struct socket_interest *known = &interest->sockets[socket];
    known->wanted = what == CURL_POLL_REMOVE ? 0 : what;
    if (known->wanted == 0 || known->wanted == known->registered) return true;
    struct epoll_event event = {.data.fd = socket};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    int operation = known->registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    known->registered = known->wanted;
    return epoll_ctl(interest->epoll, operation, socket, &event) == 0;
}

void interest_forget(struct interest *interest, int socket) {
    if (socket < interest->count) interest->sockets[socket] = (struct socket_interest){0};
}

bool interest_is_wanted(struct interest *interest, int socket) {
    if (socket >= interest->count) return false;
    struct socket_interest *known = &interest->sockets[socket];
    if (known->wanted != 0) return true;
    if (known->registered != 0) epoll_ctl(interest->epoll, EPOLL_CTL_DEL, socket, NULL);
    known->registered = 0;
    return false;
}
