// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "ccurl.h"

#include <string.h>

enum ccurl_line_result ccurl_check_line(const void *line, size_t length) {
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

bool ccurl_received_status(CURL *easy) {
    struct curl_header *status = NULL;
    CURLHcode code;
    int try = 0;
    do {
        code = curl_easy_header(easy, ":status", 0, CURLH_PSEUDO, try, &status);
        try++;
    } while (code == CURLHE_MISSING);
    return code == CURLHE_OK;
}
