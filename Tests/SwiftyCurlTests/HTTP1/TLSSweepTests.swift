// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("Sweeps over a response over TLS", .timeLimit(.minutes(15)))
struct TLSSweepTests {
    private static let content = String(repeating: "abcdefghij", count: 10)

    /// Short responses, by their kind of framing.
    static let messages: [(name: String, text: String)] = [
        ("length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + content),
        ("chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n\(content)\r\n0\r\n\r\n"),
        ("trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n\(content)\r\n0\r\nA: b\r\n\r\n"),
        ("closing", "HTTP/1.1 200 OK\r\nX-Some: field\r\n\r\n" + content),
    ]

    @Test(
        "a response truncated anywhere is never a silent success, however the connection ends",
        arguments: messages,
        ClosingTLSServer.Ending.allCases
    )
    func cuts(_ message: (name: String, text: String), _ ending: ClosingTLSServer.Ending) async throws {
        let server = try await ClosingTLSServer()
        let transport = server.transport(.strict)
        let bytes = Array(message.text.utf8)
        var wholes = 0
        // Sequentially: the handshakes dominate, and the server is Python.
        for count in 0...bytes.count {
            let request = try server.request(ending, answer: bytes.prefix(count))
            switch await transport.result(of: request) {
            case .success(let response):
                wholes += 1
                #expect(response.metrics.isCompletenessProven)
                if message.name == "closing" { continue }
                #expect(count == bytes.count)
                #expect(response.text == Self.content)
            case .failure(let error):
                #expect(error.code == .connectionLost || error.code == .malformedResponse, "\(count): \(error)")
            }
        }
        // A server that announces the end of content without a length does so after any part of it.
        let expected = message.name != "closing" ? 1 : ending == .silent ? 0 : Self.content.utf8.count + 1
        #expect(wholes == expected)
    }
}
