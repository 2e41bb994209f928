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
static const char *(*ssl_get_version)(const void *ssl);
static const void *(*ssl_get_cipher)(const void *ssl);
static const char *(*cipher_get_name)(const void *cipher);

static void find_functions(void) {
    ssl_get_shutdown = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_shutdown");
    ssl_has_pending = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_has_pending");
    ssl_get_alpn = (void (*)(const void *, const unsigned char **, unsigned int *))dlsym(
        RTLD_DEFAULT, "SSL_get0_alpn_selected");
    ssl_get_version = (const char *(*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_version");
    ssl_get_cipher = (const void *(*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_current_cipher");
    cipher_get_name = (const char *(*)(const void *))dlsym(RTLD_DEFAULT, "SSL_CIPHER_get_name");
}

// OPENSSL_INIT_NO_ATEXIT.
#define NO_ATEXIT ((uint64_t)0x80000)

void ccurl_keep_tls(void) {
    int (*initialize)(uint64_t options, const void *settings) =
        (int (*)(uint64_t, const void *))dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (initialize) initialize(NO_ATEXIT, NULL);
}

const void *ccurl_get_ssl(CURL *easy) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    if (session->backend != CURLSSLBACKEND_OPENSSL) return NULL;
    pthread_once(&once, find_functions);
    return ssl_get_shutdown && ssl_has_pending && ssl_get_alpn ? session->internals : NULL;
}

const unsigned char *ccurl_ssl_application_protocol(const void *ssl, unsigned int *length) {
    const unsigned char *name = NULL;
    ssl_get_alpn(ssl, &name, length);
    return *length > 0 ? name : NULL;
}

const char *ccurl_ssl_version(const void *ssl) {
    return ssl_get_version ? ssl_get_version(ssl) : NULL;
}

const char *ccurl_ssl_cipher(const void *ssl) {
    const void *cipher = ssl_get_cipher ? ssl_get_cipher(ssl) : NULL;
    return cipher && cipher_get_name ? cipher_get_name(cipher) : NULL;
}

bool ccurl_ssl_speaks_http2(const void *ssl) {
    unsigned int length = 0;
    const unsigned char *name = ccurl_ssl_application_protocol(ssl, &length);
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

// MARK: The limit of one call that receives

// OpenSSL processes messages of its own (KeyUpdate, NewSessionTicket) without returning, for as long as the socket has
// more of them. Its BIO has a callback before and after each call, which can end it.
static void *(*ssl_get_rbio)(const void *ssl);
static void (*ssl_set_message_callback)(void *ssl, void *_Nullable callback);
static void (*ssl_ctx_set_message_callback)(void *context, void *callback);
static void (*bio_set_callback)(void *bio, void *callback);
static void (*bio_set_callback_argument)(void *bio, char *argument);
static char *(*bio_get_callback_argument)(const void *bio);
static void (*bio_set_flags)(void *bio, int flags);
static void (*bio_clear_flags)(void *bio, int flags);
static void (*ssl_set_read_ahead)(const void *ssl, int reads_ahead);
static int (*bio_test_flags)(const void *bio, int flags);
static void (*ssl_ctx_set_info_callback)(void *context, void *callback);

static void find_limit_functions(void) {
    ssl_get_rbio = (void *(*)(const void *))dlsym(RTLD_DEFAULT, "SSL_get_rbio");
    ssl_set_message_callback = (void (*)(void *, void *))dlsym(RTLD_DEFAULT, "SSL_set_msg_callback");
    ssl_ctx_set_message_callback = (void (*)(void *, void *))dlsym(RTLD_DEFAULT, "SSL_CTX_set_msg_callback");
    bio_set_callback = (void (*)(void *, void *))dlsym(RTLD_DEFAULT, "BIO_set_callback_ex");
    bio_set_callback_argument = (void (*)(void *, char *))dlsym(RTLD_DEFAULT, "BIO_set_callback_arg");
    bio_get_callback_argument = (char *(*)(const void *))dlsym(RTLD_DEFAULT, "BIO_get_callback_arg");
    bio_set_flags = (void (*)(void *, int))dlsym(RTLD_DEFAULT, "BIO_set_flags");
    bio_clear_flags = (void (*)(void *, int))dlsym(RTLD_DEFAULT, "BIO_clear_flags");
    ssl_set_read_ahead = (void (*)(const void *, int))dlsym(RTLD_DEFAULT, "SSL_set_read_ahead");
    bio_test_flags = (int (*)(const void *, int))dlsym(RTLD_DEFAULT, "BIO_test_flags");
    ssl_ctx_set_info_callback = (void (*)(void *, void *))dlsym(RTLD_DEFAULT, "SSL_CTX_set_info_callback");
}

static bool has_limit_functions(void) {
    return ssl_get_rbio && ssl_set_message_callback && ssl_ctx_set_message_callback && bio_set_callback &&
        bio_set_callback_argument && bio_get_callback_argument && bio_set_flags && bio_clear_flags && bio_test_flags &&
        ssl_ctx_set_info_callback;
}

// BIO_CB_READ, BIO_CB_WRITE and BIO_CB_RETURN; BIO_FLAGS_SHOULD_RETRY, also with BIO_FLAGS_READ, and all flags that say
// why a call failed.
#define CALL_READ 2
#define CALL_WRITE 3
#define CALL_RETURNS 128
#define RETRY 8
#define RETRY_READ 9
#define RETRY_ALL 15

static long limit_reading(
    void *bio, int call, const char *bytes, size_t length, int number, long argument, int result, size_t *count) {
    struct ccurl_reading *reading = (struct ccurl_reading *)bio_get_callback_argument(bio);
    (void)bytes, (void)number, (void)argument;
    bool is_read = (call & ~CALL_RETURNS) == CALL_READ;
    if (!reading || (!is_read && (call & ~CALL_RETURNS) != CALL_WRITE)) return result;
    if (call & CALL_RETURNS) {
        if (result > 0 && is_read) reading->allowance -= (int64_t)*count;
        if (is_read) reading->is_drained = reading->is_limited && result > 0 && *count < length;
        if (result <= 0 && length > 0 && !bio_test_flags(bio, RETRY)) reading->has_ended = true;
        return result;
    }
    if (!is_read) return result;
    if (reading->allowance > 0) return result;
    reading->is_exhausted = true;
    bio_clear_flags(bio, RETRY_ALL);
    bio_set_flags(bio, RETRY_READ);
    return -1;
}

void ccurl_ssl_stop_reading_ahead(const void *ssl) {
    if (ssl_set_read_ahead) ssl_set_read_ahead(ssl, 0);
}

// Called with the first message of a handshake, the first moment at which the connection is known.
static void begin_limit(
    int is_sent, int version, int type, const void *bytes, size_t length, void *ssl, void *reading) {
    (void)is_sent, (void)version, (void)type, (void)bytes, (void)length;
    void *bio = ssl_get_rbio(ssl);
    if (!bio) return;
    bio_set_callback_argument(bio, reading);
    bio_set_callback(bio, (void *)limit_reading);
    ssl_set_message_callback(ssl, NULL);
}

// SSL_CB_ALERT with SSL_CB_READ. The number has the level of the alert in its upper byte.
#define ALERT_RECEIVED 0x4004

static void note_alert(const void *ssl, int event, int number) {
    if ((event & ALERT_RECEIVED) != ALERT_RECEIVED) return;
    void *bio = ssl_get_rbio(ssl);
    struct ccurl_reading *reading = bio ? (struct ccurl_reading *)bio_get_callback_argument(bio) : NULL;
    if (reading) reading->alert = number & 0xFF;
}

// SSL_CTRL_SET_MSG_CALLBACK_ARG.
#define CONTROL_MESSAGE_ARGUMENT 16

static void prepare_limit(void *context, struct ccurl_reading *reading) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_limit_functions);
    if (!reading->is_limited || !has_limit_functions()) return;
    ssl_ctx_set_message_callback(context, (void *)begin_limit);
    ssl_ctx_control(context, CONTROL_MESSAGE_ARGUMENT, 0, reading);
    ssl_ctx_set_info_callback(context, (void *)note_alert);
}

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
    prepare_limit(context, &protocols->reading);
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
