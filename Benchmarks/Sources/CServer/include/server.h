// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_SERVER_H
#define SWIFTY_SERVER_H

/// The smallest HTTP/1.1 server that a client can be measured with: one thread, epoll, GET alone, connections kept.
///
///     /hold       waits for a request of /release
///     /held       returns the number of waiting requests
///     /release    responds to the waiting requests
///     else        returns a few bytes of JSON
///
/// Accepts as many connections as the limit of descriptors allows, and ends when its standard input closes.

/// Listens on a free port of 127.0.0.1. Returns the socket, or -1.
int server_listen(int *port);

/// Serves until the standard input ends. Returns 0 then, -1 if it cannot serve.
int server_run(int listener);

#endif
