// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_INTEREST_H
#define SWIFTY_INTEREST_H

#include <stdbool.h>

/// What libcurl wants to know about its sockets, and what epoll was told.
///
/// libcurl drops its interest in a connection after each response and takes it up again with the next request. A socket
/// stays registered meanwhile, which saves two system calls for each load.
struct interest {
    int epoll;
    struct socket_interest *sockets;
    int count;
};

/// Returns false if there is no memory, or epoll does not take the socket.
bool interest_set(struct interest *interest, int socket, int what);

/// The socket was closed, by which epoll has forgotten it.
void interest_forget(struct interest *interest, int socket);

/// Whether libcurl wants to hear of what happened on the socket; if not, there will be no more.
bool interest_is_wanted(struct interest *interest, int socket);

#endif
