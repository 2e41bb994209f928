// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

int64_t ccurl_send(int socket, const void *head, size_t head_length, const void *content, size_t content_length) {
    struct iovec parts[2] = {
        {.iov_base = (void *)head, .iov_len = head_length},
        {.iov_base = (void *)content, .iov_len = content_length},
    };
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    if (head_length == 0) {
        message.msg_iov = parts + 1;
        message.msg_iovlen = 1;
    } else if (content_length == 0) {
        message.msg_iovlen = 1;
    }
    ssize_t count;
    do {
        count = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

int64_t ccurl_receive(int socket, void *bytes, size_t capacity) {
    ssize_t count;
    do {
        count = recv(socket, bytes, capacity, MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

bool ccurl_would_block(int64_t result) {
    return result == -EAGAIN || result == -EWOULDBLOCK;
}
