// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("The linked libcurl", .timeLimit(.minutes(15)))
struct CurlLibraryTests {
    @Test("reports its version and the features that Swifty needs")
    func linked() throws {
        let library = try #require(CurlLibrary.linked)
        #expect(library.version.split(separator: ".").count == 3)
        #expect(library.version.first?.isNumber == true)
        #expect(library.features.contains("SSL"))
        #expect(library.features.contains("HTTP2"))
        #expect(library.tls?.contains("/") == true)
        #expect(library.nghttp2 != nil)
        #expect(library.zlib != nil)
    }

    @Test("HTTP/2 needs OpenSSL or a library of its family, and the one in use counts")
    func libraries() {
        for name in ["OpenSSL/3.0.17", "LibreSSL/3.9.2", "BoringSSL", "(GnuTLS/3.8.3) OpenSSL/3.2.1", "AWS-LC/1.2"] {
            #expect(CurlLibrary.canOfferHTTP2(tls: name), "\(name)")
        }
        for name in ["GnuTLS/3.7.9", "(OpenSSL/3.0.2) GnuTLS/3.7.9", "Schannel", "mbedTLS/2.28", nil] {
            #expect(!CurlLibrary.canOfferHTTP2(tls: name), "\(name ?? "none")")
        }
    }
}
