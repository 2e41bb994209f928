// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PREFIX = 16 };

/// The state of a connection, by its descriptor.
struct connection {
    /// The beginning of the request.
    char start[PREFIX];
    uint8_t length;
    /// The number of bytes seen of the empty line that ends a head.
    uint8_t matched;
    bool is_held;
};

struct server {
    int epoll;
    int listener;
    struct connection *connections;
    int capacity;
    int held;
};

static void answer(int socket, const char *content) {
    char response[160];
    int length = snprintf(
        response, sizeof response,
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", strlen(content), content);
    // A short response always fits in the socket's buffer; the next read notices a client that has left.
    ssize_t sent = send(socket, response, (size_t)length, MSG_NOSIGNAL);
    (void)sent;
}

static bool asks_for(const struct connection *connection, const char *path) {
    size_t length = strlen(path);
    return connection->length >= 4 + length && memcmp(connection->start + 4, path, length) == 0;
}

static void release_all(struct server *server) {
    for (int socket = 0; socket < server->capacity && server->held > 0; socket++) {
        if (!server->connections[socket].is_held) continue;
        server->connections[socket].is_held = false;
        server->held--;
        answer(socket, "{\"ok\":true}");
    }
}

static void respond(struct server *server, int socket) {
    struct connection *connection = &server->connections[socket];
    if (asks_for(connection, "/held ")) {
        char number[16];
        snprintf(number, sizeof number, "%d", server->held);
        answer(socket, number);
    } else if (asks_for(connection, "/hold ")) {
        connection->is_held = true;
        server->held++;
    } else {
        if (asks_for(connection, "/release ")) release_all(server);
        answer(socket, "{\"ok\":true}");
    }
}

static void take(struct server *server, int socket, const char *bytes, ssize_t count) {
    static const char end[] = "\r\n\r\n";
    struct connection *connection = &server->connections[socket];
    for (ssize_t index = 0; index < count; index++) {
        if (connection->length < PREFIX) connection->start[connection->length++] = bytes[index];
        bool fits = bytes[index] == end[connection->matched];
        connection->matched = fits ? connection->matched + 1 : bytes[index] == end[0];
        if (connection->matched < 4) continue;
        respond(server, socket);
        connection->length = connection->matched = 0;
    }
}

static void forget(struct server *server, int socket) {
    if (server->connections[socket].is_held) server->held--;
    memset(&server->connections[socket], 0, sizeof *server->connections);
    close(socket);
}

static void accept_all(struct server *server) {
    int socket;
    while ((socket = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int on = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
        if (socket >= server->capacity || epoll_ctl(server->epoll, EPOLL_CTL_ADD, socket, &event) != 0) close(socket);
    }
}

static void read_from(struct server *server, int socket) {
    char bytes[4096];
    ssize_t count = read(socket, bytes, sizeof bytes);
    if (count > 0) take(server, socket, bytes, count);
    else forget(server, socket);
}

int server_listen(int *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 4096) != 0) return -1;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return -1;
    *port = ntohs(address.sin_port);
    return listener;
}

/// Returns the limit of descriptors.
static int raise_limit(void) {
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur > 1 << 20 ? 1 << 20 : (int)limit.rlim_cur;
}

/// The parent process holds the other end of the input, which closes when the parent ends.
static void watch_input(struct server *server) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
    epoll_ctl(server->epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
}

int server_run(int listener) {
    struct server server = {.listener = listener, .capacity = raise_limit(), .epoll = epoll_create1(EPOLL_CLOEXEC)};
    server.connections = calloc((size_t)server.capacity, sizeof *server.connections);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    if (!server.connections || epoll_ctl(server.epoll, EPOLL_CTL_ADD, listener, &event) != 0) return -1;
    watch_input(&server);
    while (true) {
        int count = epoll_wait(server.epoll, events, 256, -1);
        for (int index = 0; index < count; index++) {
            int ready = events[index].data.fd;
            if (ready == STDIN_FILENO) return 0;
            if (ready == listener) accept_all(&server);
            else read_from(&server, ready);
        }
    }
}
