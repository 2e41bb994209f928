// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Content that ends with its connection", .timeLimit(.minutes(15)))
struct CloseDelimitedTests {
    /// Heads without a length, and the number of bytes that follow them.
    static let answers = ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\nServer: old\r\n\r\n"].flatMap { head in
        [0, 3, 700_000].map { (head: head, count: $0) }
    }

    private func answer(_ head: String, _ count: Int) -> Data {
        Data(head.utf8) + Data(repeating: UInt8(ascii: "a"), count: count)
    }

    @Test(
        "without TLS it is an unproven success",
        arguments: [TransportSettings.Responses.Strictness.strict, .lenient]
    )
    func plain(_ strictness: TransportSettings.Responses.Strictness) async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nabc"), .close])
        let transport = CurlTransport(configuration: .with { $0.settings.responses.strictness = strictness })
        let response = try await transport.get(server.url)
        #expect(response.text == "abc")
        #expect(!response.metrics.isCompletenessProven)
    }

    @Test(
        "over TLS with close_notify it is a proven success",
        arguments: answers,
        [ClosingTLSServer.Ending.announced, .together]
    )
    func announced(_ answer: (head: String, count: Int), _ ending: ClosingTLSServer.Ending) async throws {
        let server = try await ClosingTLSServer()
        let request = try server.request(ending, answer: self.answer(answer.head, answer.count))
        let response = try await server.transport(.strict).load(request)
        #expect(response.content.count == answer.count)
        #expect(response.metrics.isCompletenessProven)
    }

    @Test(
        "over TLS without close_notify it is a lost connection, or an unproven success by lenient rules",
        arguments: answers
    )
    func cut(_ head: String, _ count: Int) async throws {
        let server = try await ClosingTLSServer()
        let request = try server.request(.silent, answer: answer(head, count))
        let response = try await server.transport(.lenient).load(request)
        #expect(response.content.count == count)
        #expect(!response.metrics.isCompletenessProven)
        let error = try await server.transport(.strict).failure(of: request)
        #expect(error.code == .connectionLost)
        #expect(error.stage == .content)
        #expect(error.sent == .responded)
        #expect(error.content?.count ?? 0 == count)
    }
}
