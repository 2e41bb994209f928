// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Makes one C call of a program fail. Loaded before its libraries (LD_PRELOAD), it takes the place of the functions
// below.
//
//   SWIFTY_FAIL=NAME:N        the N-th call of NAME fails, counted from 1; "memory" stands for every allocation
//   SWIFTY_FAIL=NAME:N+       and so do all calls after it
//   SWIFTY_FAIL_MARK=FILE     is made when a call fails; without it there was no N-th call
//
// Only calls from the program itself, from libcurl and from zlib count. Swift ends the process when there is no memory,
// so of the program's own allocations only those of CCurl count, which are known by the names of its functions.

#define _GNU_SOURCE
#include <curl/curl.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct range {
    uintptr_t start, end;
};

struct code {
    struct range ranges[256];
    size_t count;
};

// The mapped pages of the libraries and the program, and of those among them whose allocations may fail.
static struct code callers, allocators;
static char wanted[64];
static long wanted_number;
static bool fails_on;
static char mark[512];
static atomic_long calls;

static void note(struct code *code, uintptr_t start, size_t length) {
    if (code->count < sizeof code->ranges / sizeof *code->ranges) {
        code->ranges[code->count++] = (struct range){start, start + length};
    }
}

static void note_function(const char *name, uintptr_t start, size_t length) {
    if (strncmp(name, "ccurl_", 6) == 0 || strcmp(name, "append_item") == 0) note(&allocators, start, length);
}

// The table of all of the program's symbols is not loaded, so it is read from the file.
static void note_own_functions(uintptr_t base) {
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const char *bytes = fstat(file, &status) == 0
        ? (const char *)mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED) return;
    const ElfW(Ehdr) *header = (const void *)bytes;
    const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
    for (int index = 0; index < header->e_shnum; index++) {
        if (sections[index].sh_type != SHT_SYMTAB) continue;
        const ElfW(Sym) *symbols = (const void *)(bytes + sections[index].sh_offset);
        const char *names = bytes + sections[sections[index].sh_link].sh_offset;
        for (size_t number = 0; number < sections[index].sh_size / sizeof *symbols; number++) {
            const ElfW(Sym) *symbol = &symbols[number];
            if ((symbol->st_info & 0xF) != STT_FUNC || !symbol->st_size) continue;
            note_function(names + symbol->st_name, base + symbol->st_value, symbol->st_size);
        }
    }
    munmap((void *)bytes, status.st_size);
}

static int note_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    bool is_program = info->dlpi_name[0] == 0;
    if (!is_program && !strstr(info->dlpi_name, "libcurl") && !strstr(info->dlpi_name, "libz.so")) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        note(&callers, info->dlpi_addr + header->p_vaddr, header->p_memsz);
        if (!is_program) note(&allocators, info->dlpi_addr + header->p_vaddr, header->p_memsz);
    }
    if (is_program) note_own_functions(info->dlpi_addr);
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("SWIFTY_FAIL");
    const char *file = getenv("SWIFTY_FAIL_MARK");
    if (!text || !file || strlen(file) >= sizeof mark) return;
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof wanted) return;
    strcpy(mark, file);
    wanted_number = strtol(colon + 1, NULL, 10);
    fails_on = strchr(colon, '+') != NULL;
    dl_iterate_phdr(note_object, NULL);
    // Last, as from here on calls are counted.
    memcpy(wanted, text, colon - text);
}

static bool contains(const struct code *code, const void *place) {
    for (size_t index = 0; index < code->count; index++) {
        if ((uintptr_t)place >= code->ranges[index].start && (uintptr_t)place < code->ranges[index].end) return true;
    }
    return false;
}

static bool must_fail(const char *name, const void *caller) {
    if (strcmp(name, wanted) != 0) return false;
    if (!contains(strcmp(name, "memory") == 0 ? &allocators : &callers, caller)) return false;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (fails_on ? number < wanted_number : number != wanted_number) return false;
    int descriptor = open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor >= 0) close(descriptor);
    return true;
}

#define CALLER __builtin_return_address(0)

// The replaced function: the next definition of the name in the order of the libraries.
#define NEXT(name)                                                                                                     \
    static __typeof__(name) *next;                                                                                     \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

// MARK: Memory

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static void *short_of_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size) {
    return must_fail("memory", CALLER) ? short_of_memory() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return must_fail("memory", CALLER) ? short_of_memory() : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return must_fail("memory", CALLER) ? short_of_memory() : __libc_realloc(block, size);
}

char *strdup(const char *text) {
    if (must_fail("memory", CALLER)) return short_of_memory();
    size_t length = strlen(text) + 1;
    char *copy = __libc_malloc(length);
    return copy ? memcpy(copy, text, length) : NULL;
}

// MARK: The system's functions

#define FAILING(type, name, parameters, arguments, failure, number)                                                    \
    type name parameters {                                                                                             \
        if (must_fail(#name, CALLER)) {                                                                                \
            errno = number;                                                                                            \
            return failure;                                                                                            \
        }                                                                                                              \
        NEXT(name);                                                                                                    \
        return next arguments;                                                                                         \
    }

FAILING(void *, mmap, (void *a, size_t l, int p, int f, int d, off_t o), (a, l, p, f, d, o), MAP_FAILED, ENOMEM)
FAILING(int, epoll_create1, (int flags), (flags), -1, EMFILE)
FAILING(int, epoll_ctl, (int e, int o, int d, struct epoll_event *v), (e, o, d, v), -1, ENOMEM)
FAILING(int, epoll_wait, (int e, struct epoll_event *v, int c, int t), (e, v, c, t), -1, EINTR)
FAILING(int, eventfd, (unsigned int value, int flags), (value, flags), -1, EMFILE)
FAILING(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EMFILE)
FAILING(int, connect, (int d, const struct sockaddr *a, socklen_t l), (d, a, l), -1, ENETUNREACH)
FAILING(int, setsockopt, (int d, int l, int n, const void *v, socklen_t s), (d, l, n, v, s), -1, ENOBUFS)
FAILING(int, getsockopt, (int d, int l, int n, void *v, socklen_t *s), (d, l, n, v, s), -1, ENOBUFS)
FAILING(int, getsockname, (int d, struct sockaddr *a, socklen_t *l), (d, a, l), -1, ENOBUFS)
FAILING(int, getpeername, (int d, struct sockaddr *a, socklen_t *l), (d, a, l), -1, ENOTCONN)
FAILING(ssize_t, send, (int d, const void *b, size_t l, int f), (d, b, l, f), -1, ENOBUFS)
FAILING(ssize_t, recv, (int d, void *b, size_t l, int f), (d, b, l, f), -1, ENOMEM)
FAILING(int, socketpair, (int d, int t, int p, int *s), (d, t, p, s), -1, EMFILE)
FAILING(int, pipe, (int *descriptors), (descriptors), -1, EMFILE)

void *mremap(void *pages, size_t length, size_t new_length, int flags, ...) {
    if (must_fail("mremap", CALLER)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    NEXT(mremap);
    return next(pages, length, new_length, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    if (must_fail("pthread_create", CALLER)) return EAGAIN;
    NEXT(pthread_create);
    return next(thread, attributes, body, context);
}

// MARK: The libraries' functions

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt
#undef inflateInit2_

FAILING(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT, 0)
FAILING(CURL *, curl_easy_init, (void), (), NULL, 0)
FAILING(CURLM *, curl_multi_init, (void), (), NULL, 0)
FAILING(CURLSH *, curl_share_init, (void), (), NULL, 0)
FAILING(struct curl_slist *, curl_slist_append, (struct curl_slist * l, const char *s), (l, s), NULL, 0)
FAILING(CURLU *, curl_url, (void), (), NULL, 0)
FAILING(CURLUcode, curl_url_set, (CURLU * u, CURLUPart w, const char *p, unsigned int f), (u, w, p, f),
        CURLUE_OUT_OF_MEMORY, 0)
FAILING(CURLMcode, curl_multi_add_handle, (CURLM * m, CURL *e), (m, e), CURLM_OUT_OF_MEMORY, 0)
FAILING(CURLMcode, curl_multi_remove_handle, (CURLM * m, CURL *e), (m, e), CURLM_INTERNAL_ERROR, 0)
FAILING(CURLMcode, curl_multi_socket_action, (CURLM * m, curl_socket_t s, int b, int *r), (m, s, b, r),
        CURLM_OUT_OF_MEMORY, 0)
FAILING(int, inflateInit2_, (z_stream * s, int b, const char *v, int z), (s, b, v, z), Z_MEM_ERROR, 0)
FAILING(int, inflateReset2, (z_stream * s, int b), (s, b), Z_STREAM_ERROR, 0)
FAILING(int, inflate, (z_stream * s, int f), (s, f), Z_MEM_ERROR, 0)

// Every argument of these is a pointer or as wide as one.
#define FAILING_OPTION(type, name, handle, option, failure)                                                            \
    type name(handle *subject, option kind, ...) {                                                                     \
        va_list list;                                                                                                  \
        va_start(list, kind);                                                                                          \
        void *value = va_arg(list, void *);                                                                            \
        va_end(list);                                                                                                  \
        if (must_fail(#name, CALLER)) return failure;                                                                  \
        NEXT(name);                                                                                                    \
        return next(subject, kind, value);                                                                             \
    }

FAILING_OPTION(CURLcode, curl_easy_setopt, CURL, CURLoption, CURLE_OUT_OF_MEMORY)
FAILING_OPTION(CURLcode, curl_easy_getinfo, CURL, CURLINFO, CURLE_UNKNOWN_OPTION)
FAILING_OPTION(CURLMcode, curl_multi_setopt, CURLM, CURLMoption, CURLM_OUT_OF_MEMORY)
FAILING_OPTION(CURLSHcode, curl_share_setopt, CURLSH, CURLSHoption, CURLSHE_NOMEM)
