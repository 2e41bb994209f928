// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The linked libcurl, what it was built with (`curl_version_info(3)`), and the nghttp2 that it has loaded.
public struct CurlLibrary: Sendable, Hashable {
    /// The version, as in `8.5.0`. Distributions apply patches without changing it.
    public let version: String
    /// The TLS library and its version, as in `OpenSSL/3.0.17`; `nil` without TLS.
    public let tls: String?
    /// The version of zlib; `nil` if libcurl was built without it.
    public let zlib: String?
    /// The version of nghttp2, which implements HTTP/2; `nil` if HTTP/2 is not offered, because libcurl has not loaded
    /// nghttp2, or because its TLS library does not belong to OpenSSL's family.
    public let nghttp2: String?
    /// The features of libcurl that concern HTTP, named as by `curl --version`. `HTTP2` among them is libcurl's own;
    /// ``nghttp2`` says whether the transport offers it.
    public let features: [String]

    /// The libcurl that this process is linked with; `nil` if it gives no information.
    public static let linked = CurlLibrary()

    /// The version number, as in 0x080500 for 8.5.0; 0 if unknown.
    private static let number = curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0

    /// Whether libcurl percent-decodes the user and password of a proxy.
    static let decodesProxyUser = number < 0x080800

    private init?() {
        guard let information = curl_version_info(CURLVERSION_FIRST)?.pointee, let version = information.version else {
            return nil
        }
        let text = { (pointer: UnsafePointer<CChar>?) in pointer.map { String(cString: $0) } }
        self.version = String(cString: version)
        tls = text(information.ssl_version)
        zlib = text(information.libz_version)
        nghttp2 = Self.canOfferHTTP2(tls: tls) ? text(ccurl_http2_version()) : nil
        features = Self.names.compactMap { name, bit in Int(information.features) & bit != 0 ? name : nil }
    }

    /// Whether the protocols of TLS can be chosen: with OpenSSL, and with libraries that have its functions.
    ///
    /// - Parameter tls: The TLS library in use; others that libcurl could use are in parentheses.
    static func canOfferHTTP2(tls: String?) -> Bool {
        let family = ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"]
        let active = tls?.split(separator: " ").filter { !$0.hasPrefix("(") } ?? []
        return active.contains { name in family.contains { name.hasPrefix($0) } }
    }

    private static let names: [(String, Int)] = [
        ("AsynchDNS", Int(CURL_VERSION_ASYNCHDNS)), ("HTTP2", Int(CURL_VERSION_HTTP2)),
        ("HTTP3", Int(CURL_VERSION_HTTP3)), ("HTTPS-proxy", Int(CURL_VERSION_HTTPS_PROXY)),
        ("IPv6", Int(CURL_VERSION_IPV6)), ("libz", Int(CURL_VERSION_LIBZ)), ("SSL", Int(CURL_VERSION_SSL)),
        ("threadsafe", Int(CURL_VERSION_THREADSAFE)), ("UnixSockets", Int(CURL_VERSION_UNIX_SOCKETS)),
    ]
}
