// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Sets the options that are the same for every request, on a handle without options. Returns `false` if one was
    /// rejected.
    func setUp() -> Bool {
        var options = OptionWriter(curl)
        options.set(CURLOPT_NOSIGNAL, 1)
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        options.set(CURLOPT_HTTP09_ALLOWED, 0)
        options.set(CURLOPT_NETRC, 0)
        options.set(CURLOPT_TCP_KEEPALIVE, 1)
        // Large content is received with an eighth of the system calls. Only the part of the buffer that was once
        // filled takes memory. From 128 KiB on, the C library would map pages for each buffer, which made small loads
        // 10 % slower.
        options.set(CURLOPT_BUFFERSIZE, 120 << 10)
        // Large content is also sent in fewer calls; libcurl allocates this buffer only during such an upload.
        options.set(CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10)
        // Chunks are decoded strictly by ``ChunkedDecoder``: libcurl accepts invalid sizes (`0xa`, `5zz`).
        options.set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
        options.set(CURLOPT_DNS_CACHE_TIMEOUT, 60)
        // Cancelling a transfer must not wait for its name lookup, which may take many seconds in its thread.
        options.set(CURLOPT_QUICK_EXIT, 1)
        options.set(CURLOPT_PROTOCOLS_STR, "http,https")
        options.setPointer(CURLOPT_SHARE, loop.share)
        let settings = loop.environment.settings
        setUp(settings.tls, &options)
        setUp(settings.proxy, &options)
        setUp(settings.addresses, &options)
        setUp(settings.connections, &options)
        setUpCallbacks(&options)
        return options.result == CURLE_OK
    }

    private func setUpCallbacks(_ options: inout OptionWriter) {
        let handle = Unmanaged.passUnretained(self).toOpaque()
        options.setPointer(CURLOPT_PRIVATE, opaquePointer)
        options.setPointer(CURLOPT_CURLU, UnsafeRawPointer(url.pointer))
        options.setPointer(CURLOPT_ERRORBUFFER, errorText)
        options.setPointer(CURLOPT_HEADERDATA, handle)
        options.setPointer(CURLOPT_WRITEDATA, handle)
        options.setPointer(CURLOPT_READDATA, handle)
        options.setPointer(CURLOPT_SEEKDATA, handle)
        options.setPointer(CURLOPT_PREREQDATA, handle)
        options.setPointer(CURLOPT_XFERINFODATA, handle)
        options.setPointer(CURLOPT_DEBUGDATA, handle)
        options.check(ccurl_set_data_function(curl, CURLOPT_HEADERFUNCTION, headerCallback))
        options.check(ccurl_set_data_function(curl, CURLOPT_WRITEFUNCTION, writeCallback))
        options.check(ccurl_set_data_function(curl, CURLOPT_READFUNCTION, readCallback))
        options.check(ccurl_set_seek_function(curl, seekCallback))
        options.check(ccurl_set_prereq_function(curl, prereqCallback))
        options.check(ccurl_set_xferinfo_function(curl, xferInfoCallback))
        options.check(ccurl_set_debug_function(curl, debugCallback))
        let loop = Unmanaged.passUnretained(loop).toOpaque()
        options.check(ccurl_set_socket_functions(curl, openSocketCallback, handle, closeSocketCallback, loop))
    }
}
