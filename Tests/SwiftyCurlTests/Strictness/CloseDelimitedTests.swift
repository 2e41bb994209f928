// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTesting
import SwiftyTransport
import Testing

@Suite("Content that ends with its connection", .timeLimit(.minutes(15)))
struct CloseDelimitedTests {
    @Test("without TLS it is a success that is not proven", arguments: [ResponseRules.Strictness.strict, .lenient])
    func plain(_ strictness: ResponseRules.Strictness) async throws {
        let server = try RawServer([.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nabc"), .close])
        let transport = CurlTransport(configuration: .with { $0.settings.responses.strictness = strictness })
        let response = try await transport.get(server.url)
        #expect(response.text == "abc")
        #expect(!response.metrics.isCompletenessProven)
    }

    @Test("over TLS with close_notify it is a success that is proven")
    func announced() async throws {
        let server = try await ClosingTLSServer.start(isAnnounced: true)
        let response = try await server.load(.strict).get()
        #expect(response.text == "abc")
        #expect(response.metrics.isCompletenessProven)
    }

    @Test("over TLS without close_notify it is a lost connection, or, with lenient rules, taken and not proven")
    func cut() async throws {
        let server = try await ClosingTLSServer.start(isAnnounced: false)
        let response = try await server.load(.lenient).get()
        #expect(response.text == "abc")
        #expect(!response.metrics.isCompletenessProven)
        guard case .failure(let error) = try await server.load(.strict) else {
            Issue.record("a cut response was taken")
            return
        }
        #expect(error.code == .connectionLost)
        #expect(error.stage == .body)
        #expect(error.sent == .responded)
        #expect(error.body == Data("abc".utf8))
    }
}
