// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// A libcurl easy handle that carries one transfer after the other.
///
/// What is the same for every request is set in `EasyHandle+Setup.swift`. Only its loop uses it.
final class EasyHandle {
    /// libcurl's handle; replaced by ``renew(for:)``.
    @exclusivity(unchecked) private(set) var curl: UnsafeMutableRawPointer
    /// Whether ``curl`` has been given a transfer.
    @exclusivity(unchecked) private var isUsed = false
    /// What is carried now. The callbacks find the transfer here, so it stays until libcurl has let go of it.
    @exclusivity(unchecked) var transfer: Transfer?
    /// When the transfer was given to libcurl.
    @exclusivity(unchecked) var started: Int64 = 0
    /// Options as they are set now, so that only what differs is set again.
    @exclusivity(unchecked) var applied = AppliedOptions()
    /// How many connections were made for what is carried now, when last looked at.
    @exclusivity(unchecked) var connectCount: Int64 = 0
    /// How many steps libcurl has told of while it made a connection.
    @exclusivity(unchecked) var stepCount = 0
    /// Why a socket was not opened for what is carried now.
    @exclusivity(unchecked) var socketRefusal: SocketRefusal?
    /// What libcurl said about the stream of what is carried now; empty unless `applied.isListening`.
    @exclusivity(unchecked) var stream = StreamRemarks()

    let url: ParsedURL
    // Safety: libcurl writes at most CURL_ERROR_SIZE bytes into it; freed after the handle is cleaned up.
    let errorText: UnsafeMutablePointer<CChar>
    // Safety: the loop lets its handles go before it ends. Every callback passes here, and counting references costs.
    unowned(unsafe) let loop: EventLoop

    /// Returns nil when memory is short or this libcurl lacks an option.
    init?(loop: EventLoop) {
        guard let url = ParsedURL(), let curl = curl_easy_init() else { return nil }
        self.curl = curl
        self.url = url
        self.loop = loop
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setUp() else { return nil }
    }

    deinit {
        curl_easy_cleanup(curl)
        errorText.deallocate()
    }

    /// Makes the handle ready for its next transfer, also if that is the same request once more. Returns false when memory is
    /// short.
    ///
    /// Before 8.1.1, libcurl keeps a pointer to the last header field of the transfer before, which it has freed by then. A
    /// response whose first field line begins with a blank is written there (curl issue 11101). With these versions, each
    /// transfer has a handle of its own. With all versions, each request that must not be repeated has one: a handle of which a
    /// stream was refused remembers that, and libcurl would take a later stream for refused, too.
    func renew(for request: NetworkRequest) -> Bool {
        defer { isUsed = true }
        if !isUsed || CurlLibrary.canUseHandlesTwice && request.isIdempotent { return true }
        guard let fresh = curl_easy_init() else { return false }
        curl_easy_cleanup(curl)
        curl = fresh
        applied = AppliedOptions()
        return setUp()
    }

    /// The handle that libcurl reports as finished.
    static func of(_ curl: UnsafeMutableRawPointer) -> EasyHandle? {
        ccurl_get_private(curl).map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The options that differ between requests.
struct AppliedOptions: Equatable {
    var method: String?
    var hasContent = false
    var isHead = false
    var isSecure: Bool?
    /// The limit; nil outside for one that was never set, inside for none.
    var connectTimeout: Duration??
    var isFresh = false
    var isRerouted = false
    var isReported = false
    var hostRules: HostRules?
    /// Whether certificates are looked at; set once.
    var readsCertificates = false
    var proxy: TransportSettings.Proxy?
    var forbidsReuse = false
    var isWatched = false
    var isListening = false
    /// Whether libcurl may send the request again; it does unless told otherwise.
    var isRepetitionAllowed = true
}
