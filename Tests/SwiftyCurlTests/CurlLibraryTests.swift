// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import Testing

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
}
