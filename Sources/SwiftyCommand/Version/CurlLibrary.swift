// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation

/// The libcurl that is linked.
struct CurlLibrary {
    let version: String
    let tls: String
    let zlib: String
    let nghttp2: String?
    let features: [String]

    init?() {
        guard let information = curl_version_info(CURLVERSION_FIRST)?.pointee else { return nil }
        let text = { (pointer: UnsafePointer<CChar>?) in pointer.map { String(cString: $0) } }
        version = text(information.version) ?? "unknown"
        tls = text(information.ssl_version) ?? "none"
        zlib = text(information.libz_version) ?? "none"
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
