// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_ASK_H
#define SWIFTY_ASK_H

/// Asks a server on 127.0.0.1 something, and waits for it, without any of the clients that are measured.
///
/// Writes the content of the answer, with a zero at its end. Returns its length, or -1.
int ask(int port, const char *path, char *content, int capacity);

#endif
