// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <dlfcn.h>
#include <string.h>

enum ccurl_line_flaw ccurl_check_line(const void *line, size_t length) {
    const char *bytes = line;
    if (length > 0 && bytes[length - 1] == '\n') length--;
    if (length > 0 && bytes[length - 1] == '\r') length--;
    if (memchr(bytes, 0, length)) return CCURL_LINE_HAS_NUL;
    return memchr(bytes, '\r', length) ? CCURL_LINE_HAS_CR : CCURL_LINE_CLEAN;
}

static bool begins_with(const char *text, size_t length, const char *start) {
    size_t count = strlen(start);
    return length >= count && memcmp(text, start, count) == 0;
}

bool ccurl_reports_excess(const void *text, size_t length) {
    return begins_with(text, length, "Excess found") || begins_with(text, length, "Leftovers after chunking");
}

// SSL_RECEIVED_SHUTDOWN of OpenSSL, whose headers are not needed for this one call.
#define RECEIVED_SHUTDOWN 2

bool ccurl_received_close_notify(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return false;
    if (session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return false;
    // libcurl has loaded the library.
    int (*shutdown)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_shutdown");
    return shutdown && (shutdown(session->internals) & RECEIVED_SHUTDOWN);
}
