// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("The configuration of a transport", .timeLimit(.minutes(15)))
struct CurlTransportTests {
    @Test("of a fresh transport equals a fresh configuration")
    func fresh() {
        #expect(CurlTransport().configuration == CurlTransport.Configuration())
    }

    @Test("is kept as it was given, and changes with its values")
    func kept() throws {
        let proxy = try TransportSettings.Proxy("http://127.0.0.1:3128")
        let configuration = CurlTransport.Configuration.with {
            $0.loops = 3
            $0.userAgent = "test"
            $0.settings.proxy = .proxy(proxy)
        }
        var copy = CurlTransport(configuration: configuration).configuration
        #expect(copy == configuration)
        #expect(copy != CurlTransport.Configuration())
        copy.loops = CurlTransport.Configuration().loops
        copy.userAgent = CurlTransport.Configuration().userAgent
        copy.settings.proxy = .none
        #expect(copy == CurlTransport.Configuration())
    }
}
