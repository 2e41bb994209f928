// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The three functions of OpenSSL in use, looked up in the library that libcurl has loaded: OpenSSL's headers are not
// needed, and libcurl may be built with another library.
static int (*ssl_get_shutdown)(const void *ssl);
static int (*ssl_has_pending)(const void *ssl);
static void (*ssl_get_alpn)(const void *ssl, const unsigned char **name, unsigned int *length);

static void find_functions(void) {
    ssl_get_shutdown = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_shutdown");
    ssl_has_pending = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_has_pending");
    ssl_get_alpn = (void (*)(const void *, const unsigned char **, unsigned int *))dlsym(
        RTLD_DEFAULT, "SSL_get0_alpn_selected");
}

/// The `SSL` of the handle's connection; NULL without TLS, and if TLS is not OpenSSL's.
static const void *ssl_of(CURL *easy) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    if (session->backend != CURLSSLBACKEND_OPENSSL) return NULL;
    pthread_once(&once, find_functions);
    return session->internals;
}

// SSL_RECEIVED_SHUTDOWN.
#define RECEIVED_SHUTDOWN 2

bool ccurl_received_close_notify(CURL *easy) {
    const void *ssl = ssl_of(easy);
    return ssl && ssl_get_shutdown && (ssl_get_shutdown(ssl) & RECEIVED_SHUTDOWN);
}

struct ccurl_tls ccurl_get_tls(CURL *easy) {
    struct ccurl_tls tls = {false, false, false};
    const void *ssl = ssl_of(easy);
    if (!ssl || !ssl_has_pending || !ssl_get_alpn) return tls;
    const unsigned char *name = NULL;
    unsigned int length = 0;
    ssl_get_alpn(ssl, &name, &length);
    tls.is_known = true;
    tls.speaks_http2 = name && length == 2 && memcmp(name, "h2", 2) == 0;
    tls.has_unread = ssl_has_pending(ssl);
    return tls;
}
