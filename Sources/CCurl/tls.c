// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The functions of OpenSSL for a connection, looked up in the library that libcurl has loaded: OpenSSL's headers are
// not needed, and libcurl may be built with another library.
static int (*ssl_get_shutdown)(const void *ssl);
static int (*ssl_has_pending)(const void *ssl);
static void (*ssl_get_alpn)(const void *ssl, const unsigned char **name, unsigned int *length);

static void find_functions(void) {
    ssl_get_shutdown = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_shutdown");
    ssl_has_pending = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_has_pending");
    ssl_get_alpn = (void (*)(const void *, const unsigned char **, unsigned int *))dlsym(
        RTLD_DEFAULT, "SSL_get0_alpn_selected");
}

const void *ccurl_get_ssl(CURL *easy) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    if (session->backend != CURLSSLBACKEND_OPENSSL) return NULL;
    pthread_once(&once, find_functions);
    return ssl_get_shutdown && ssl_has_pending && ssl_get_alpn ? session->internals : NULL;
}

bool ccurl_ssl_speaks_http2(const void *ssl) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    ssl_get_alpn(ssl, &name, &length);
    return name && length == 2 && memcmp(name, "h2", 2) == 0;
}

bool ccurl_ssl_has_unread(const void *ssl) {
    return ssl_has_pending(ssl);
}

// SSL_RECEIVED_SHUTDOWN.
#define RECEIVED_SHUTDOWN 2

bool ccurl_ssl_received_close_notify(const void *ssl) {
    return ssl_get_shutdown(ssl) & RECEIVED_SHUTDOWN;
}

static long (*ssl_ctx_control)(void *context, int command, long number, void *pointer);
static int (*ssl_ctx_set_alpn)(void *context, const unsigned char *names, unsigned int length);
static uint64_t (*ssl_ctx_set_options)(void *context, uint64_t options);

static void find_context_functions(void) {
    ssl_ctx_control = (long (*)(void *, int, long, void *))dlsym(RTLD_DEFAULT, "SSL_CTX_ctrl");
    ssl_ctx_set_alpn =
        (int (*)(void *, const unsigned char *, unsigned int))dlsym(RTLD_DEFAULT, "SSL_CTX_set_alpn_protos");
    ssl_ctx_set_options = (uint64_t (*)(void *, uint64_t))dlsym(RTLD_DEFAULT, "SSL_CTX_set_options");
}

// SSL_CTRL_MODE; SSL_MODE_ENABLE_PARTIAL_WRITE and SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER: bytes may be sent again from
// another place in memory. SSL_CTRL_SET_READ_AHEAD: one system call reads several records.
#define CONTROL_MODE 33
#define MODES 3
#define CONTROL_READ_AHEAD 41
// SSL_OP_NO_RENEGOTIATION: a server that begins a new handshake (TLS 1.2) and then stays silent would block writes on a
// socket that takes more.
#define NO_RENEGOTIATION ((uint64_t)1 << 30)

static CURLcode prepare_context(CURL *easy, void *context, void *user) {
    static const unsigned char http1[] = "\x08http/1.1";
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ccurl_protocols *protocols = user;
    (void)easy;
    pthread_once(&once, find_context_functions);
    if (!ssl_ctx_control || !ssl_ctx_set_alpn) return CURLE_NOT_BUILT_IN;
    ssl_ctx_control(context, CONTROL_MODE, MODES, NULL);
    ssl_ctx_control(context, CONTROL_READ_AHEAD, 1, NULL);
    // A library without the function has no such option.
    if (ssl_ctx_set_options) ssl_ctx_set_options(context, NO_RENEGOTIATION);
    if (protocols->proxies > 0) {
        protocols->proxies--;
        return ssl_ctx_set_alpn(context, http1, sizeof http1 - 1) == 0 ? CURLE_OK : CURLE_OUT_OF_MEMORY;
    }
    return ssl_ctx_set_alpn(context, protocols->names, protocols->length) == 0 ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode ccurl_offer(CURL *easy, struct ccurl_protocols *protocols) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, prepare_context);
    if (code == CURLE_NOT_BUILT_IN || code == CURLE_UNKNOWN_OPTION) return CURLE_OK;
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, protocols);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SSL_ENABLE_ALPN, 0L) : code;
}
