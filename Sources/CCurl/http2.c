// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ccurl_http2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

// MARK: nghttp2's interface

// From nghttp2's documentation. The library keeps these types since 2015 (libnghttp2.so.14).

typedef struct session session;
typedef struct callbacks callbacks;
typedef struct option option;

struct frame_head {
    size_t length;
    int32_t stream;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
};

struct goaway_frame {
    struct frame_head head;
    int32_t last_stream;
    uint32_t error_code;
};

struct setting {
    int32_t name;
    uint32_t value;
};

union source {
    int descriptor;
    void *pointer;
};

typedef ssize_t (*read_function)(
    session *session, int32_t stream, uint8_t *buffer, size_t capacity, uint32_t *flags, union source *source,
    void *context);

struct provider {
    union source source;
    read_function read;
};

struct version {
    int age;
    int number;
    const char *text;
};

enum { GOAWAY = 7, HEADERS = 1 };
enum { DATA_END = 1 };
enum { ENABLE_PUSH = 2, INITIAL_WINDOW_SIZE = 4, MAX_CONCURRENT_STREAMS = 3, NO_OLD_PRIORITIES = 9 };
enum { DEFERRED = -508, RESET_THIS_STREAM = -521 };

/// The functions in use; all are found, or HTTP/2 is not available.
static struct {
    struct version *(*version)(int least);
    int (*callbacks_new)(callbacks **);
    void (*callbacks_del)(callbacks *);
    void (*set_on_header)(
        callbacks *,
        int (*)(session *, const void *, const uint8_t *, size_t, const uint8_t *, size_t, uint8_t, void *));
    void (*set_on_data)(callbacks *, int (*)(session *, uint8_t, int32_t, const uint8_t *, size_t, void *));
    void (*set_on_frame)(callbacks *, int (*)(session *, const void *, void *));
    void (*set_on_invalid)(callbacks *, int (*)(session *, const void *, int, void *));
    void (*set_on_close)(callbacks *, int (*)(session *, int32_t, uint32_t, void *));
    void (*set_on_sent)(callbacks *, int (*)(session *, const void *, void *));
    int (*option_new)(option **);
    void (*option_del)(option *);
    void (*no_auto_window_update)(option *, int);
    void (*max_send_header_block)(option *, size_t);
    int (*client_new)(session **, const callbacks *, void *, const option *);
    void (*session_del)(session *);
    ssize_t (*mem_recv)(session *, const uint8_t *, size_t);
    ssize_t (*mem_send)(session *, const uint8_t **);
    int (*want_read)(session *);
    int (*want_write)(session *);
    int (*check_request_allowed)(session *);
    uint32_t (*next_stream)(session *);
    int (*submit_settings)(session *, uint8_t, const struct setting *, size_t);
    int32_t (*submit_request)(
        session *, const void *, const struct ccurl_http2_field *, size_t, const struct provider *, void *);
    int (*submit_reset)(session *, uint8_t, int32_t, uint32_t);
    int (*submit_ping)(session *, uint8_t, const uint8_t *);
    int (*terminate)(session *, uint32_t);
    int (*resume)(session *, int32_t);
    int (*consume_connection)(session *, size_t);
    int (*consume_stream)(session *, int32_t, size_t);
    int (*set_window)(session *, uint8_t, int32_t, int32_t);
    uint32_t (*remote_setting)(session *, int);
    const char *(*text)(int);
} nghttp2;

static bool is_available;

static void find_functions(void) {
    // Among the libraries that are loaded, under any name, or as a library that another one has loaded for itself.
    void *library = RTLD_DEFAULT;
    if (!dlsym(library, "nghttp2_session_mem_recv")) {
        library = dlopen("libnghttp2.so.14", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (!library) return;
    }
    const struct {
        void **function;
        const char *name;
    } functions[] = {
        {(void **)&nghttp2.version, "nghttp2_version"},
        {(void **)&nghttp2.callbacks_new, "nghttp2_session_callbacks_new"},
        {(void **)&nghttp2.callbacks_del, "nghttp2_session_callbacks_del"},
        {(void **)&nghttp2.set_on_header, "nghttp2_session_callbacks_set_on_header_callback"},
        {(void **)&nghttp2.set_on_data, "nghttp2_session_callbacks_set_on_data_chunk_recv_callback"},
        {(void **)&nghttp2.set_on_frame, "nghttp2_session_callbacks_set_on_frame_recv_callback"},
        {(void **)&nghttp2.set_on_invalid, "nghttp2_session_callbacks_set_on_invalid_frame_recv_callback"},
        {(void **)&nghttp2.set_on_close, "nghttp2_session_callbacks_set_on_stream_close_callback"},
        {(void **)&nghttp2.set_on_sent, "nghttp2_session_callbacks_set_on_frame_send_callback"},
        {(void **)&nghttp2.option_new, "nghttp2_option_new"},
        {(void **)&nghttp2.option_del, "nghttp2_option_del"},
        {(void **)&nghttp2.no_auto_window_update, "nghttp2_option_set_no_auto_window_update"},
        {(void **)&nghttp2.max_send_header_block, "nghttp2_option_set_max_send_header_block_length"},
        {(void **)&nghttp2.client_new, "nghttp2_session_client_new2"},
        {(void **)&nghttp2.session_del, "nghttp2_session_del"},
        {(void **)&nghttp2.mem_recv, "nghttp2_session_mem_recv"},
        {(void **)&nghttp2.mem_send, "nghttp2_session_mem_send"},
        {(void **)&nghttp2.want_read, "nghttp2_session_want_read"},
        {(void **)&nghttp2.want_write, "nghttp2_session_want_write"},
        {(void **)&nghttp2.check_request_allowed, "nghttp2_session_check_request_allowed"},
        {(void **)&nghttp2.next_stream, "nghttp2_session_get_next_stream_id"},
        {(void **)&nghttp2.submit_settings, "nghttp2_submit_settings"},
        {(void **)&nghttp2.submit_request, "nghttp2_submit_request"},
        {(void **)&nghttp2.submit_reset, "nghttp2_submit_rst_stream"},
        {(void **)&nghttp2.submit_ping, "nghttp2_submit_ping"},
        {(void **)&nghttp2.terminate, "nghttp2_session_terminate_session"},
        {(void **)&nghttp2.resume, "nghttp2_session_resume_data"},
        {(void **)&nghttp2.consume_connection, "nghttp2_session_consume_connection"},
        {(void **)&nghttp2.consume_stream, "nghttp2_session_consume_stream"},
        {(void **)&nghttp2.set_window, "nghttp2_session_set_local_window_size"},
        {(void **)&nghttp2.remote_setting, "nghttp2_session_get_remote_settings"},
        {(void **)&nghttp2.text, "nghttp2_strerror"},
    };
    for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
        *functions[index].function = dlsym(library, functions[index].name);
        if (!*functions[index].function) return;
    }
    is_available = true;
}

static bool find_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_functions);
    return is_available;
}

const char *ccurl_http2_version(void) {
    return find_once() ? nghttp2.version(0)->text : NULL;
}

// MARK: Events

struct ccurl_http2 {
    session *session;
    struct ccurl_http2_events events;
    void *context;
    /// A received field as a line.
    uint8_t *line;
    size_t line_capacity;
};

/// Whether a line of this length has room.
static bool has_room(ccurl_http2 *http2, size_t length) {
    if (length <= http2->line_capacity) return true;
    uint8_t *line = realloc(http2->line, length * 2);
    if (!line) return false;
    http2->line = line;
    http2->line_capacity = length * 2;
    return true;
}

/// Writes a field as a line of HTTP/1.1. Returns its length; 0 if allocation fails.
static size_t write_line(
    ccurl_http2 *http2, const uint8_t *name, size_t name_length, const uint8_t *value, size_t value_length) {
    static const char status[] = ":status", version[] = "HTTP/2 ";
    if (!has_room(http2, name_length + value_length + 4)) return 0;
    uint8_t *end = http2->line;
    if (name_length == sizeof status - 1 && memcmp(name, status, name_length) == 0) {
        end = (uint8_t *)memcpy(end, version, sizeof version - 1) + sizeof version - 1;
    } else {
        end = (uint8_t *)memcpy(end, name, name_length) + name_length;
        *end++ = ':';
        *end++ = ' ';
    }
    end = (uint8_t *)memcpy(end, value, value_length) + value_length;
    *end++ = '\r';
    *end++ = '\n';
    return (size_t)(end - http2->line);
}

static int on_header(
    session *session, const void *frame, const uint8_t *name, size_t name_length, const uint8_t *value,
    size_t value_length, uint8_t flags, void *context) {
    ccurl_http2 *http2 = context;
    const struct frame_head *head = frame;
    (void)session, (void)flags;
    size_t length = write_line(http2, name, name_length, value, value_length);
    if (length == 0) return RESET_THIS_STREAM;
    return http2->events.field(http2->context, head->stream, http2->line, length) == 0 ? 0 : RESET_THIS_STREAM;
}

static int on_data(
    session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t length, void *context) {
    ccurl_http2 *http2 = context;
    (void)flags;
    nghttp2.consume_connection(session, length);
    if (http2->events.content(http2->context, stream, bytes, length) != 0) {
        nghttp2.submit_reset(session, 0, stream, 8);
    }
    return 0;
}

static int on_frame(session *session, const void *frame, void *context) {
    ccurl_http2 *http2 = context;
    const struct frame_head *head = frame;
    struct ccurl_frame event = {.type = head->type, .flags = head->flags, .stream = head->stream};
    (void)session;
    if (head->type == GOAWAY) {
        event.error_code = ((const struct goaway_frame *)frame)->error_code;
        event.last_stream = ((const struct goaway_frame *)frame)->last_stream;
    }
    http2->events.frame(http2->context, event);
    return 0;
}

static int on_invalid(session *session, const void *frame, int code, void *context) {
    ccurl_http2 *http2 = context;
    const struct frame_head *head = frame;
    (void)session;
    http2->events.invalid(http2->context, head->stream, nghttp2.text(code));
    return 0;
}

static int on_close(session *session, int32_t stream, uint32_t error_code, void *context) {
    ccurl_http2 *http2 = context;
    (void)session;
    http2->events.closed(http2->context, stream, error_code);
    return 0;
}

static int on_sent(session *session, const void *frame, void *context) {
    ccurl_http2 *http2 = context;
    const struct frame_head *head = frame;
    (void)session;
    if (head->type == HEADERS) http2->events.sent(http2->context, head->stream);
    return 0;
}

static ssize_t on_read(
    session *session, int32_t stream, uint8_t *buffer, size_t capacity, uint32_t *flags, union source *source,
    void *context) {
    ccurl_http2 *http2 = context;
    bool is_end = false;
    (void)session, (void)source;
    ptrdiff_t count = http2->events.read(http2->context, stream, buffer, capacity, &is_end);
    if (count < 0) {
        return RESET_THIS_STREAM;
    } else if (is_end) {
        *flags |= DATA_END;
    } else if (count == 0) {
        return DEFERRED;
    }
    return (ssize_t)count;
}

// MARK: Connection

static callbacks *make_callbacks(void) {
    callbacks *result;
    if (nghttp2.callbacks_new(&result) != 0) return NULL;
    nghttp2.set_on_header(result, on_header);
    nghttp2.set_on_data(result, on_data);
    nghttp2.set_on_frame(result, on_frame);
    nghttp2.set_on_invalid(result, on_invalid);
    nghttp2.set_on_close(result, on_close);
    nghttp2.set_on_sent(result, on_sent);
    return result;
}

static bool begin(session *session, uint32_t stream_window, int32_t connection_window) {
    const struct setting settings[] = {
        {ENABLE_PUSH, 0},
        {INITIAL_WINDOW_SIZE, stream_window},
        {NO_OLD_PRIORITIES, 1},
    };
    return nghttp2.submit_settings(session, 0, settings, sizeof settings / sizeof settings[0]) == 0
        && nghttp2.set_window(session, 0, 0, connection_window) == 0;
}

ccurl_http2 *ccurl_http2_new(
    const struct ccurl_http2_events *events, uint32_t stream_window, int32_t connection_window) {
    if (!find_once()) return NULL;
    callbacks *functions = make_callbacks();
    option *options = NULL;
    ccurl_http2 *http2 = calloc(1, sizeof *http2);
    bool is_ready = functions && http2 && nghttp2.option_new(&options) == 0;
    if (is_ready) {
        http2->events = *events;
        nghttp2.no_auto_window_update(options, 1);
        // The limit of the head of a request is the peer's matter.
        nghttp2.max_send_header_block(options, 16 << 20);
        is_ready = nghttp2.client_new(&http2->session, functions, http2, options) == 0;
    }
    if (is_ready && !begin(http2->session, stream_window, connection_window)) {
        nghttp2.session_del(http2->session);
        is_ready = false;
    }
    if (options) nghttp2.option_del(options);
    if (functions) nghttp2.callbacks_del(functions);
    if (is_ready) return http2;
    free(http2);
    return NULL;
}

void ccurl_http2_set_window(ccurl_http2 *http2, int32_t stream, int32_t window) {
    nghttp2.set_window(http2->session, 0, stream, window);
}

void ccurl_http2_set_context(ccurl_http2 *http2, void *context) {
    http2->context = context;
}

void ccurl_http2_free(ccurl_http2 *http2) {
    nghttp2.session_del(http2->session);
    free(http2->line);
    free(http2);
}

bool ccurl_http2_receive(ccurl_http2 *http2, const void *bytes, size_t length) {
    return nghttp2.mem_recv(http2->session, bytes, length) >= 0;
}

int64_t ccurl_http2_output(ccurl_http2 *http2, const uint8_t **bytes) {
    return nghttp2.mem_send(http2->session, bytes);
}

bool ccurl_http2_is_over(ccurl_http2 *http2) {
    return !nghttp2.want_read(http2->session) && !nghttp2.want_write(http2->session);
}

bool ccurl_http2_is_ending(ccurl_http2 *http2) {
    // No request is allowed either once the numbers of streams are used up, which is no end.
    return !nghttp2.check_request_allowed(http2->session) && nghttp2.next_stream(http2->session) <= INT32_MAX;
}

int32_t ccurl_http2_request(
    ccurl_http2 *http2, const struct ccurl_http2_field *fields, size_t count, bool has_content) {
    struct provider provider = {.read = on_read};
    // nghttp2 copies the fields.
    return nghttp2.submit_request(http2->session, NULL, fields, count, has_content ? &provider : NULL, NULL);
}

void ccurl_http2_resume(ccurl_http2 *http2, int32_t stream) {
    nghttp2.resume(http2->session, stream);
}

void ccurl_http2_reset(ccurl_http2 *http2, int32_t stream, uint32_t error_code) {
    nghttp2.submit_reset(http2->session, 0, stream, error_code);
}

void ccurl_http2_consume(ccurl_http2 *http2, int32_t stream, size_t length) {
    nghttp2.consume_stream(http2->session, stream, length);
}

void ccurl_http2_ping(ccurl_http2 *http2) {
    nghttp2.submit_ping(http2->session, 0, NULL);
}

void ccurl_http2_end(ccurl_http2 *http2, uint32_t error_code) {
    nghttp2.terminate(http2->session, error_code);
}

uint32_t ccurl_http2_stream_limit(ccurl_http2 *http2) {
    return nghttp2.remote_setting(http2->session, MAX_CONCURRENT_STREAMS);
}
