// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "ask.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int connect_to(int port) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

/// Returns the start of the content; NULL before the head is complete.
static char *content_of(char *response) {
    char *end = strstr(response, "\r\n\r\n");
    return end ? end + 4 : NULL;
}

/// Small responses arrive in one piece with their head.
static int receive(int descriptor, char *content, int capacity) {
    char response[2048];
    ssize_t count, length = 0;
    while ((count = read(descriptor, response + length, sizeof response - 1 - (size_t)length)) > 0) {
        length += count;
        response[length] = 0;
        char *start = content_of(response);
        if (start) return snprintf(content, (size_t)capacity, "%s", start);
    }
    return -1;
}

int ask(int port, const char *path, char *content, int capacity) {
    char request[160];
    int length = snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
    int descriptor = connect_to(port);
    if (descriptor < 0) return -1;
    int result = send(descriptor, request, (size_t)length, MSG_NOSIGNAL) == length
        ? receive(descriptor, content, capacity)
        : -1;
    close(descriptor);
    return result;
}
