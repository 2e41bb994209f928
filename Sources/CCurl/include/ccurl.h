// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Functions that Swift cannot call itself: libcurl's variadic functions, each as one function per argument type;
// OpenSSL's, found at run time; system calls that differ between systems or need macros; searches in bytes that C does
// faster.

#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ccurl_http2.h"

#pragma clang assume_nonnull begin

// MARK: Options of an easy handle

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
/// Sets a string, a list, or any other pointer.
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *_Nullable value);

typedef int (*ccurl_xferinfo_callback)(
    void *context, curl_off_t to_receive, curl_off_t received, curl_off_t to_send, curl_off_t sent);
typedef curl_socket_t (*ccurl_opensocket_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_closesocket_callback)(void *context, curl_socket_t socket);

CURLcode ccurl_set_xferinfo_function(CURL *easy, ccurl_xferinfo_callback function);

// MARK: Results of an easy handle

/// Returns 0 if libcurl does not know the value.
int64_t ccurl_get_long(CURL *easy, CURLINFO info);
int64_t ccurl_get_offset(CURL *easy, CURLINFO info);
const char *_Nullable ccurl_get_string(CURL *easy, CURLINFO info);
/// The socket of the handle's connection; negative without a connection.
curl_socket_t ccurl_get_socket(CURL *easy);
/// The certificates that the server sent when the handle made its connection, if CURLOPT_CERTINFO is set; valid as long
/// as the handle.
const struct curl_certinfo *_Nullable ccurl_get_certificates(CURL *easy);

// MARK: Responses

/// The result of checking a line of a head for a CR or NUL before the CRLF or LF that ends it.
enum ccurl_line_result { CCURL_LINE_CLEAN, CCURL_LINE_HAS_CR, CCURL_LINE_HAS_NUL };
enum ccurl_line_result ccurl_check_line(const void *line, size_t length);

/// The length of the first line, including its line feed; 0 without a line feed.
static inline size_t ccurl_line_length(const void *bytes, size_t length) {
    const char *end = memchr(bytes, '\n', length);
    return end ? (size_t)(end - (const char *)bytes) + 1 : 0;
}

/// The length of a field's name, up to its colon; negative without a colon.
static inline ptrdiff_t ccurl_name_length(const void *line, size_t length) {
    const char *colon = memchr(line, ':', length);
    return colon ? colon - (const char *)line : -1;
}

/// Whether the bytes are a token (RFC 9110 §5.6.2).
bool ccurl_is_token(const void *_Nullable bytes, size_t length);

/// Whether the bytes hold no control character other than HTAB (RFC 9110 §5.5).
static inline bool ccurl_is_field_value(const void *value, size_t length) {
    const uint8_t *bytes = value;
    bool has_control = false;
    for (size_t index = 0; index < length; index++) {
        has_control |= (bytes[index] < ' ' && bytes[index] != '\t') || bytes[index] == 0x7F;
    }
    return !has_control;
}

// MARK: TLS

/// Keeps OpenSSL from cleaning up at the end of the process, unless it was initialized before. Called once, before
/// libcurl initializes OpenSSL.
void ccurl_keep_tls(void);

/// OpenSSL's object for the handle's connection, of two layers of TLS the inner one; valid as long as the connection.
/// NULL without TLS, and if TLS is not OpenSSL's.
const void *_Nullable ccurl_get_ssl(CURL *easy);
/// Whether ALPN chose HTTP/2.
bool ccurl_ssl_speaks_http2(const void *ssl);
/// The name of the protocol that ALPN chose, which does not end with a NUL; NULL if it chose none.
const unsigned char *_Nullable ccurl_ssl_application_protocol(const void *ssl, unsigned int *length);
/// The version of TLS and the cipher suite by name; NULL if they are unknown.
const char *_Nullable ccurl_ssl_version(const void *ssl);
const char *_Nullable ccurl_ssl_cipher(const void *ssl);
/// Whether OpenSSL holds bytes that were not read. The socket does not show them.
bool ccurl_ssl_has_unread(const void *ssl);
/// From now on one system call reads a part of one record, so that `ccurl_reading` is kept almost exactly.
void ccurl_ssl_stop_reading_ahead(const void *ssl);
/// Whether the peer has announced the end of the connection (`close_notify`), which libcurl does not distinguish from
/// an unannounced end.
bool ccurl_ssl_received_close_notify(const void *ssl);

/// The bytes that TLS may read from its socket before it returns.
struct ccurl_reading {
    int64_t allowance;
    /// Whether TLS was kept from reading more. Nothing that has arrived is hidden in it then, except for a part of a
    /// record.
    bool is_exhausted;
    /// Whether the last read has got less from the socket than there was room for, so that nothing is left there.
    bool is_drained;
    /// Whether the limit applies. Between two layers of TLS, the socket does not show what the outer one holds.
    bool is_limited;
    /// Whether the connection below TLS has ended or failed.
    bool has_ended;
    /// The last alert that the peer has sent (RFC 8446 §6); -1 without one.
    int16_t alert;
};

/// The protocols that TLS offers by ALPN (RFC 7301).
struct ccurl_protocols {
    /// Their names, each behind its length.
    uint8_t names[16];
    uint32_t length;
    /// The number of TLS connections to proxies that come first, to which only HTTP/1.1 is offered.
    uint32_t proxies;
    struct ccurl_reading reading;
};
/// Offers the protocols in place of libcurl's own, and prepares TLS for connections that libcurl only opens. The
/// protocols must live as long as the handle. Does nothing if TLS is not OpenSSL's.
CURLcode ccurl_offer(CURL *easy, struct ccurl_protocols *protocols);

// MARK: Multi handle

typedef int (*ccurl_socket_callback)(
    CURL *easy, curl_socket_t socket, int what, void *context, void *_Nullable socket_context);
typedef int (*ccurl_timer_callback)(CURLM *multi, long milliseconds, void *context);

CURLMcode ccurl_multi_set_socket_function(CURLM *multi, ccurl_socket_callback function, void *context);
CURLMcode ccurl_multi_set_timer_function(CURLM *multi, ccurl_timer_callback function, void *context);
/// Has libcurl look at all handles, whether their sockets or timers have reported something or not.
CURLMcode ccurl_multi_check_all(CURLM *multi);
/// Takes the next handle whose attempt to connect has ended. Returns false after the last one.
bool ccurl_multi_next_finished(CURLM *multi, CURL *_Nullable *_Nonnull easy, CURLcode *code);

// MARK: Share handle

/// Makes a share handle for the TLS sessions of one thread's handles. Returns NULL if allocation fails.
CURLSH *_Nullable ccurl_share_sessions(void);

// MARK: Memory

/// Maps private pages. Returns NULL on failure.
void *_Nullable ccurl_map_pages(size_t length);

/// Changes the length of pages, perhaps moving them. Returns NULL on failure.
void *_Nullable ccurl_remap_pages(void *_Nonnull pages, size_t length, size_t new_length);

void ccurl_unmap_pages(void *_Nonnull pages, size_t length);

/// Maps pages that are about to be written in one call, which costs a fraction of mapping them one by one.
void ccurl_prepare_pages(void *_Nonnull start, size_t length);

/// realloc().
void *_Nullable ccurl_resize_content(void *_Nullable content, size_t length);

/// free().
void ccurl_free_content(void *_Nullable content);

// MARK: Sockets

/// Sets CURLOPT_OPENSOCKETFUNCTION and CURLOPT_CLOSESOCKETFUNCTION. The context of `open` must live as long as the
/// handle, that of `close` as long as every connection.
CURLcode ccurl_set_socket_functions(
    CURL *easy, ccurl_opensocket_callback open, void *open_context, ccurl_closesocket_callback close,
    void *close_context);

/// Opens a socket with close-on-exec set, for libcurl to connect to this address. Returns a negative error number on
/// failure. `dscp` is the code point of the packets that it sends, -1 for that of the system.
int ccurl_open_socket(const struct curl_sockaddr *address, int dscp);
/// Writes the bytes of an address, most significant first. Returns their number: 4, 16, or 0 if it is neither IPv4 nor
/// IPv6.
int ccurl_address_bytes(const struct curl_sockaddr *address, uint8_t *bytes);
/// Like `ccurl_address_bytes`, for an address in its usual notation.
int ccurl_parse_address(const char *text, uint8_t *bytes);
/// The error number of an attempt to open a descriptor; 0 if it succeeds.
int ccurl_descriptor_shortage(void);

/// Whether data, or the end of the connection, has arrived on the socket.
bool ccurl_socket_is_readable(int socket);

// MARK: Connections

/// Writes both parts with one call, without waiting; either may be empty. Returns the number of bytes written, or a
/// negative error number.
int64_t ccurl_send(
    int socket, const void *_Nullable head, size_t head_length, const void *_Nullable content, size_t content_length);
/// Reads without waiting. Returns the number of bytes, 0 at the end of the connection, or a negative error number.
int64_t ccurl_receive(int socket, void *bytes, size_t capacity);
/// Whether a negative error number says that the call would have to wait.
bool ccurl_would_block(int64_t result);

// MARK: Event loop

/// Nanoseconds of the monotonic clock.
int64_t ccurl_now(void);

/// An event on a socket.
struct ccurl_ready {
    int32_t socket;
    /// The generation that the socket was registered with.
    uint32_t generation;
    /// CURL_CSELECT_IN, _OUT, _ERR.
    int32_t events;
};

#ifdef __linux__
int ccurl_epoll_create(void);
/// Adds, changes or (`what` is CURL_POLL_REMOVE) removes a socket. Returns 0 or an error number.
int ccurl_epoll_control(int epoll, int socket, uint32_t generation, int what, bool is_known);
/// Adds an eventfd, edge-triggered, so that it never needs to be read. Its events have the socket -1.
int ccurl_epoll_add_waker(int epoll, int waker);
/// Returns the number of ready sockets; -1 after a failure, such as the interruption by a signal.
int ccurl_epoll_wait(int epoll, struct ccurl_ready *ready, int capacity, int milliseconds);
int ccurl_eventfd_create(void);
void ccurl_eventfd_signal(int waker);
#endif

/// Writes the text of an error number.
bool ccurl_error_text(int number, char *text, size_t capacity);

void ccurl_close(int descriptor);

// MARK: Thread sanitizer

// Swift's Mutex and continuations order memory, but on Linux the thread sanitizer does not see that and reports false
// races. These functions tell it; without the sanitizer they do nothing.

/// Publishes this thread's writes to any thread that later calls `ccurl_observe` with the same place.
void ccurl_publish(const void *place);
void ccurl_observe(const void *place);

// MARK: Process

/// The value of an environment variable; NULL if it is not set.
const char *_Nullable ccurl_environment(const char *name);

// MARK: Threads

typedef struct ccurl_thread *ccurl_thread_t;

/// Starts a thread that receives none of the process's asynchronous signals, including SIGPIPE. Returns NULL on
/// failure.
ccurl_thread_t _Nullable ccurl_thread_start(const char *name, void (*body)(void *), void *context);
/// Waits for the end of the thread and frees it.
void ccurl_thread_join(ccurl_thread_t thread);
/// Lets the thread free itself at its end.
void ccurl_thread_detach(ccurl_thread_t thread);

#pragma clang assume_nonnull end

#endif
