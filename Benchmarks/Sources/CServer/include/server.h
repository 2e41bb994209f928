// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_SERVER_H
#define SWIFTY_SERVER_H

/// A server of HTTP/1.1 that is as little as a client can be measured with: one thread, epoll, GET alone, connections kept.
///
///     /hold       is answered when somebody asks for /release
///     /held       answers how many requests are held
///     /release    answers all of them
///     else        a few bytes of JSON, at once
///
/// Takes as many connections as descriptors are allowed, and ends with its standard input.

/// Listens on a free port of 127.0.0.1. Returns the socket, or -1.
int server_listen(int *port);

/// Serves until the standard input ends. Returns 0 then, -1 if it cannot serve.
int server_run(int listener);

#endif
