// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// HTTP/2 by nghttp2: the part of its interface that Swifty uses. nghttp2's functions are found at run time in the
// library that libcurl has loaded, so that neither its headers nor its static library are needed.

#ifndef CCURL_HTTP2_H
#define CCURL_HTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// One HTTP/2 connection, as its client.
typedef struct ccurl_http2 ccurl_http2;

/// A frame that has arrived completely.
struct ccurl_frame {
    uint8_t type;
    uint8_t flags;
    int32_t stream;
    /// Of GOAWAY.
    uint32_t error_code;
    /// Of GOAWAY.
    int32_t last_stream;
};

/// The events of a connection. All functions are called within `ccurl_http2_receive` and `ccurl_http2_output`.
struct ccurl_http2_events {
    /// A field of a head or of trailers, as a line like that of HTTP/1.1; `:status` as a status line. A result other
    /// than 0 resets the stream.
    int (*field)(void *context, int32_t stream, const uint8_t *line, size_t length);
    /// Content. A result other than 0 resets the stream.
    int (*content)(void *context, int32_t stream, const uint8_t *bytes, size_t length);
    void (*frame)(void *context, struct ccurl_frame frame);
    /// A frame was rejected: it breaks the protocol.
    void (*invalid)(void *context, int32_t stream, const char *reason);
    /// The stream is closed; its last event.
    void (*closed)(void *context, int32_t stream, uint32_t error_code);
    /// The head of a request was written to the output.
    void (*sent)(void *context, int32_t stream);
    /// Writes the next part of a request's content. Returns the number of bytes; 0 that is not the end pauses, and a
    /// negative number resets the stream.
    ptrdiff_t (*read)(void *context, int32_t stream, uint8_t *buffer, size_t capacity, bool *is_end);
};

/// A field of a request's head, as nghttp2 takes it.
struct ccurl_http2_field {
    const uint8_t *name;
    const uint8_t *_Nullable value;
    size_t name_length;
    size_t value_length;
    uint8_t flags;
};

/// The version of nghttp2, as in `1.52.0`; NULL if it is not available.
const char *_Nullable ccurl_http2_version(void);

/// Makes a connection and its first output: the preface and SETTINGS. Returns NULL if nghttp2 is not available, or if
/// allocation fails.
///
/// - `stream_window`, `connection_window`: the number of bytes that the peer may send before they are consumed.
ccurl_http2 *_Nullable ccurl_http2_new(
    const struct ccurl_http2_events *events, uint32_t stream_window, int32_t connection_window);
/// Sets the number of bytes of one stream that the peer may send before they are consumed.
void ccurl_http2_set_window(ccurl_http2 *http2, int32_t stream, int32_t window);
/// Sets the context of all events. Must be called before anything else.
void ccurl_http2_set_context(ccurl_http2 *http2, void *context);
void ccurl_http2_free(ccurl_http2 *http2);

/// Takes bytes that have arrived. Returns false if the connection cannot continue.
bool ccurl_http2_receive(ccurl_http2 *http2, const void *bytes, size_t length);
/// Returns the length of the next output, 0 if there is nothing to send, or a negative number if the connection cannot
/// continue. The bytes are valid until the next call.
int64_t ccurl_http2_output(ccurl_http2 *http2, const uint8_t *_Nullable *_Nonnull bytes);
/// Whether the connection has ended: nothing more will be read or written.
bool ccurl_http2_is_over(ccurl_http2 *http2);
/// Whether the connection is about to end: either side has sent GOAWAY, or ours is about to be sent.
bool ccurl_http2_is_ending(ccurl_http2 *http2);

/// Begins a request. Returns the number of its stream, or a negative number if the connection takes no more.
int32_t ccurl_http2_request(
    ccurl_http2 *http2, const struct ccurl_http2_field *fields, size_t count, bool has_content);
/// Continues with content that was paused.
void ccurl_http2_resume(ccurl_http2 *http2, int32_t stream);
void ccurl_http2_reset(ccurl_http2 *http2, int32_t stream, uint32_t error_code);
/// The content has been read: the peer may send as much again. On the connection it is consumed by itself.
void ccurl_http2_consume(ccurl_http2 *http2, int32_t stream, size_t length);
void ccurl_http2_ping(ccurl_http2 *http2);
/// Ends the connection with GOAWAY.
void ccurl_http2_end(ccurl_http2 *http2, uint32_t error_code);
/// The number of simultaneous streams that the peer allows.
uint32_t ccurl_http2_stream_limit(ccurl_http2 *http2);

#pragma clang assume_nonnull end

#endif
