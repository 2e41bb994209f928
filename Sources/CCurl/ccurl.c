// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#include "ccurl.h"

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

CURLcode ccurl_set_bytes_function(CURL *easy, CURLoption option, ccurl_bytes_function function) {
    return curl_easy_setopt(easy, option, function);
}

CURLcode ccurl_set_seek_function(CURL *easy, ccurl_seek_function function) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

CURLcode ccurl_set_prerequest_function(CURL *easy, ccurl_prerequest_function function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode ccurl_set_progress_function(CURL *easy, ccurl_progress_function function) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

// Everything but the remarks is left out here: the bytes that come and go are many, and shown to nobody.
static int take_text(CURL *easy, curl_infotype type, char *text, size_t length, void *function) {
    void *context = type == CURLINFO_TEXT ? ccurl_get_private(easy) : NULL;
    if (context) ((ccurl_text_function)function)(context, text, length);
    return 0;
}

CURLcode ccurl_set_text_function(CURL *easy, ccurl_text_function function) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, (void *)function);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, take_text) : code;
}

// MARK: Results of an easy handle

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

void *ccurl_get_private(CURL *easy) {
    char *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

// MARK: Multi handle

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_set_interest_function(CURLM *multi, ccurl_interest_function function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function) : code;
}

CURLMcode ccurl_multi_set_timer_function(CURLM *multi, ccurl_timer_function function, void *context) {
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

struct curl_slist *ccurl_append_field(
    struct curl_slist *list, const char *name, size_t name_length, const void *value, size_t value_length) {
    char small[512];
    size_t length = name_length + value_length + 3;
    if (length < name_length || length < value_length) return NULL;
    char *line = length <= sizeof small ? small : malloc(length);
    if (!line) return NULL;
    memcpy(line, name, name_length);
    size_t end = name_length;
    if (value_length > 0) {
        line[end++] = ':';
        line[end++] = ' ';
        memcpy(line + end, value, value_length);
        end += value_length;
    } else {
        line[end++] = ';';
    }
    line[end] = 0;
    struct curl_slist *result = curl_slist_append(list, line);
    if (line != small) free(line);
    return result;
}
