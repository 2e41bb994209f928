// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "ccurl.h"

#include <stddef.h>
#include <string.h>

// The bytes of a token: letters, digits and !#$%&'*+-.^_`|~ (RFC 9110 §5.6.2).
static const bool is_token_byte[256] = {
    ['!'] = true, ['#'] = true, ['$'] = true, ['%'] = true, ['&'] = true, ['\''] = true, ['*'] = true, ['+'] = true,
    ['-'] = true, ['.'] = true, ['^'] = true, ['_'] = true, ['`'] = true, ['|'] = true, ['~'] = true,
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
    ['8'] = true, ['9'] = true,
    ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true, ['G'] = true, ['H'] = true,
    ['I'] = true, ['J'] = true, ['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true,
    ['Q'] = true, ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true,
    ['Y'] = true, ['Z'] = true,
    ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true,
    ['i'] = true, ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true, ['p'] = true,
    ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true, ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true,
    ['y'] = true, ['z'] = true,
};

bool ccurl_is_token(const void *bytes, size_t length) {
    const uint8_t *text = bytes;
    bool is_token = length > 0;
    for (size_t index = 0; index < length; index++) is_token &= is_token_byte[text[index]];
    return is_token;
}

typedef uint8_t block __attribute__((vector_size(16)));

// Compares a block at a time, the last one from the line's end: two calls of memchr cost more than that with most
// lines. Lines of less than a block may have either.
static bool may_have_nul_or_cr(const char *bytes, size_t length) {
    if (length < sizeof(block)) return true;
    const block cr = (block){} + '\r';
    union {
        block bytes;
        uint64_t words[2];
    } found = {};
    for (const char *end = bytes + length; bytes < end; bytes += sizeof(block)) {
        block part;
        memcpy(&part, end - bytes < (ptrdiff_t)sizeof(block) ? end - sizeof(block) : bytes, sizeof(block));
        found.bytes |= (block)(part == 0) | (block)(part == cr);
    }
    return (found.words[0] | found.words[1]) != 0;
}

enum ccurl_line_result ccurl_check_line(const void *line, size_t length) {
    const char *bytes = line;
    if (length > 0 && bytes[length - 1] == '\n') length--;
    if (length > 0 && bytes[length - 1] == '\r') length--;
    if (!may_have_nul_or_cr(bytes, length)) return CCURL_LINE_CLEAN;
    if (memchr(bytes, 0, length)) return CCURL_LINE_HAS_NUL;
    return memchr(bytes, '\r', length) ? CCURL_LINE_HAS_CR : CCURL_LINE_CLEAN;
}
