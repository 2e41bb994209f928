// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// A libcurl easy handle, which carries one transfer after the other.
///
/// Options that are the same for every request are set in `EasyHandle+Setup.swift`. Only the handle's loop uses it.
final class EasyHandle: CurlHandle {
    /// libcurl's handle; replaced by ``renew(for:)``.
    @exclusivity(unchecked) private(set) var curl: UnsafeMutableRawPointer
    /// Whether ``curl`` has been given a transfer.
    @exclusivity(unchecked) private var isUsed = false
    /// The current transfer. Callbacks find it here, so it stays until libcurl has released it.
    @exclusivity(unchecked) var transfer: Transfer?
    /// The time at which the transfer was given to libcurl.
    @exclusivity(unchecked) var started: Int64 = 0
    /// The current values of options, so that only differences are set.
    @exclusivity(unchecked) var applied = AppliedOptions()
    /// The number of connections made for the current transfer, when last checked.
    @exclusivity(unchecked) var connectCount: Int64 = 0
    /// The number of steps that libcurl reported while it made a connection.
    @exclusivity(unchecked) var stepCount = 0
    /// The reason why a socket was not opened for the current transfer.
    @exclusivity(unchecked) var socketError: SocketError?
    /// The HTTP/2 stream of the current transfer, from libcurl's debug text; empty unless `applied.needsStreamText`.
    @exclusivity(unchecked) var stream = StreamRemarks()

    let url: ParsedURL
    // Safety: libcurl writes at most CURL_ERROR_SIZE bytes into it; freed after the handle is cleaned up.
    let errorText: UnsafeMutablePointer<CChar>
    // Safety: the loop releases its handles before it ends. Every callback reads this, and reference counting costs.
    unowned(unsafe) let loop: EventLoop

    /// Returns `nil` if allocation fails or this libcurl lacks an option.
    init?(loop: EventLoop) {
        guard let url = ParsedURL(), let curl = curl_easy_init() else { return nil }
        self.curl = curl
        self.url = url
        self.loop = loop
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        super.init()
        guard setUp() else { return nil }
    }

    deinit {
        curl_easy_cleanup(curl)
        errorText.deallocate()
    }

    /// Makes the handle ready for its next transfer, even if that is a repetition of the same request. Returns `false`
    /// if allocation fails.
    ///
    /// Before 8.1.1, libcurl keeps a pointer to the last header field of the previous transfer, which it has freed by
    /// then. A response whose first field line begins with a space or tab is written there (curl issue 11101). With
    /// these versions, each transfer has a handle of its own. With all versions, each request that must not be repeated
    /// has its own handle: a handle remembers that one of its streams was refused, and libcurl would take a later
    /// stream for refused, too.
    func renew(for request: NetworkRequest) -> Bool {
        defer { isUsed = true }
        if !isUsed || CurlLibrary.canReuseHandles && request.isIdempotent { return true }
        guard let fresh = curl_easy_init() else { return false }
        curl_easy_cleanup(curl)
        curl = fresh
        applied = AppliedOptions()
        return setUp()
    }
}

/// The options that differ between requests.
struct AppliedOptions: Equatable {
    var method: String?
    var hasContent = false
    var isHead = false
    var isSecure: Bool?
    /// The limit; the outer `nil` means never set, the inner one no limit.
    var connectTimeout: Duration??
    var requiresNewConnection = false
    var isRerouted = false
    var isReported = false
    var hostRules: HostRules?
    /// Whether certificates are examined; set once.
    var readsCertificates = false
    var proxy: TransportSettings.Proxy?
    var forbidsReuse = false
    var needsExcessText = false
    var needsStreamText = false
    /// Whether libcurl may repeat the request; it does by default.
    var isRepetitionAllowed = true
}
