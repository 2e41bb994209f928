// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_ASK_H
#define SWIFTY_ASK_H

/// Sends a GET to a server on 127.0.0.1 and waits for the response, without the clients under test.
///
/// Writes the content of the response, terminated by a zero. Returns its length, or -1.
int ask(int port, const char *path, char *content, int capacity);

#endif
