// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_INTEREST_H
#define SWIFTY_INTEREST_H

#include <stdbool.h>

/// The events that libcurl waits for, by socket, and those that are registered with epoll.
///
/// libcurl drops its interest in a connection after each response and takes it up again with the next request. A socket
/// stays registered meanwhile, which saves two system calls for each load.
struct interest {
    int epoll;
    struct socket_interest *sockets;
    int count;
};

/// Returns false if allocation fails, or epoll does not take the socket.
bool interest_set(struct interest *interest, int socket, int what);

/// Forgets a closed socket, which epoll has dropped already.
void interest_forget(struct interest *interest, int socket);

/// Whether libcurl waits for any event of the socket; if not, the socket is removed from epoll.
bool interest_is_wanted(struct interest *interest, int socket);

#endif
