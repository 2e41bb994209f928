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
