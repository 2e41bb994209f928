// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The libcurl that is in use, and what it was built with: what `curl_version_info(3)` tells.
public struct CurlLibrary: Sendable, Hashable {
    /// As in `8.5.0`. Distributions patch without changing it.
    public let version: String
    /// The TLS library and its version, as in `OpenSSL/3.0.17`; `nil` if there is none.
    public let tls: String?
    /// zlib's version; `nil` if there is none.
    public let zlib: String?
    /// The version of nghttp2, which speaks HTTP/2; `nil` if there is none.
    public let nghttp2: String?
    /// What it can do, in the words of `curl --version`; only what concerns HTTP.
    public let features: [String]

    /// The libcurl that this process is linked with; `nil` if it tells nothing of itself.
    public static let linked = CurlLibrary()

    /// As in 0x080500 for 8.5.0; 0 if it is not known.
    private static let number = curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0

    /// Whether an easy handle may carry a second transfer; see `EasyHandle.renew(for:)`.
    static let canUseHandlesTwice = number >= 0x080101
    /// Whether an easy handle may be freed as soon as its transfer has ended; see ``DetainedHandles``.
    static let letsGoOfHandles = number >= 0x080600
    /// Whether a proxy's user and password are percent-decoded.
    static let decodesProxyUser = number < 0x080800

    private init?() {
        guard let information = curl_version_info(CURLVERSION_FIRST)?.pointee, let version = information.version else {
            return nil
        }
        let text = { (pointer: UnsafePointer<CChar>?) in pointer.map { String(cString: $0) } }
        self.version = String(cString: version)
        tls = text(information.ssl_version)
        zlib = text(information.libz_version)
        nghttp2 = text(information.nghttp2_version)
        features = Self.names.compactMap { name, bit in Int(information.features) & bit != 0 ? name : nil }
    }

    private static let names: [(String, Int)] = [
        ("AsynchDNS", Int(CURL_VERSION_ASYNCHDNS)), ("HTTP2", Int(CURL_VERSION_HTTP2)),
        ("HTTP3", Int(CURL_VERSION_HTTP3)), ("HTTPS-proxy", Int(CURL_VERSION_HTTPS_PROXY)),
        ("IPv6", Int(CURL_VERSION_IPV6)), ("libz", Int(CURL_VERSION_LIBZ)), ("SSL", Int(CURL_VERSION_SSL)),
        ("threadsafe", Int(CURL_VERSION_THREADSAFE)), ("UnixSockets", Int(CURL_VERSION_UNIX_SOCKETS)),
    ]
}
