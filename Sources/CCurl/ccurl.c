// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "ccurl.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// MARK: Options of an easy handle

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(easy, option, list);
}

CURLcode ccurl_set_data_function(CURL *easy, CURLoption option, ccurl_data_callback function) {
    return curl_easy_setopt(easy, option, function);
}

CURLcode ccurl_set_seek_function(CURL *easy, ccurl_seek_callback function) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

CURLcode ccurl_set_prereq_function(CURL *easy, ccurl_prereq_callback function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode ccurl_set_xferinfo_function(CURL *easy, ccurl_xferinfo_callback function) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

CURLcode ccurl_set_debug_function(CURL *easy, ccurl_debug_callback function) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

// MARK: Results of an easy handle

curl_socket_t ccurl_get_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}

int64_t ccurl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? (int64_t)value : 0;
}

int64_t ccurl_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? (int64_t)value : 0;
}

const char *ccurl_get_string(CURL *easy, CURLINFO info) {
    char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

const struct curl_certinfo *ccurl_get_certificates(CURL *easy) {
    struct curl_certinfo *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, &value) == CURLE_OK ? value : NULL;
}

void *ccurl_get_private(CURL *easy) {
    char *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

// MARK: Multi handle

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_set_socket_function(CURLM *multi, ccurl_socket_callback function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function) : code;
}

CURLMcode ccurl_multi_set_timer_function(CURLM *multi, ccurl_timer_callback function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function) : code;
}

bool ccurl_multi_next_finished(CURLM *multi, CURL **easy, CURLcode *code) {
    int remaining = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &remaining))) {
        if (message->msg != CURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *code = message->data.result;
        return true;
    }
    return false;
}

// MARK: Lists

// A byte of a token (RFC 9110 §5.6.2).
static bool is_token_byte(unsigned char byte) {
    if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') return true;
    return byte && (byte >= '0' && byte <= '9' ? true : strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

static bool is_token(const uint8_t *text, size_t length) {
    for (size_t index = 0; index < length; index++) {
        if (!is_token_byte(text[index])) return false;
    }
    return length > 0;
}

// Whether the value holds a byte that ends a line or a C string.
static bool ends_early(const void *value, size_t length) {
    return length > 0 && (memchr(value, 0, length) || memchr(value, '\n', length) || memchr(value, '\r', length));
}

// An empty value is written as `Name;`, because `Name:` would tell libcurl to omit the field.
static void write_line(char *line, const void *name, size_t name_length, const void *value, size_t value_length) {
    memcpy(line, name, name_length);
    line += name_length;
    if (value_length == 0) {
        memcpy(line, ";", 2);
        return;
    }
    memcpy(line, ": ", 2);
    memcpy(line + 2, value, value_length);
    line[2 + value_length] = 0;
}

// Appends an item and its line, in one block, to the list.
static char *append_item(struct ccurl_fields *fields, size_t length) {
    struct curl_slist *item = length > SIZE_MAX - sizeof *item ? NULL : malloc(sizeof *item + length);
    if (!item) return NULL;
    item->data = (char *)(item + 1);
    item->next = NULL;
    if (fields->last) fields->last->next = item;
    else fields->first = item;
    fields->last = item;
    return item->data;
}

enum ccurl_field_result ccurl_append_field(
    struct ccurl_fields *fields, const void *name, size_t name_length, const void *value, size_t value_length) {
    if (!name || !is_token(name, name_length)) return CCURL_FIELD_BAD_NAME;
    if (ends_early(value, value_length)) return CCURL_FIELD_BAD_VALUE;
    size_t length = name_length + value_length + 3;
    if (length < name_length || length < value_length) return CCURL_FIELD_OUT_OF_MEMORY;
    char *line = append_item(fields, length);
    if (!line) return CCURL_FIELD_OUT_OF_MEMORY;
    write_line(line, name, name_length, value, value_length);
    return CCURL_FIELD_APPENDED;
}

bool ccurl_append_line(struct ccurl_fields *fields, const char *text) {
    size_t length = strlen(text) + 1;
    char *line = append_item(fields, length);
    if (line) memcpy(line, text, length);
    return line != NULL;
}

void ccurl_free_fields(struct ccurl_fields fields) {
    struct curl_slist *item = fields.first;
    while (item) {
        struct curl_slist *next = item->next;
        free(item);
        item = next;
    }
}

// MARK: Share handle

CURLSH *ccurl_share_sessions(void) {
    CURLSH *share = curl_share_init();
    if (share && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK) {
        curl_share_cleanup(share);
        share = NULL;
    }
    return share;
}
