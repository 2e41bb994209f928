// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Bytes behind a response", .timeLimit(.minutes(15)))
struct ExcessTests {
    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

    /// Complete responses, the method of their request, and their content.
    static let complete: [(method: HTTPRequest.Method, answer: String, text: String)] = [
        (.get, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        (.get, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
        (.get, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"),
        (.get, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n", "abc"),
        (.get, "HTTP/1.1 204 None\r\n\r\n", ""),
        (.get, "HTTP/1.1 304 Same\r\nContent-Length: 4\r\n\r\n", ""),
        (.head, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", ""),
        (.head, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ""),
        (.post, "HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n", ""),
    ]

    @Test("the load succeeds, and the connection is never reused", arguments: complete, [false, true])
    func excess(_ response: (method: HTTPRequest.Method, answer: String, text: String), isLate: Bool) async throws {
        let late: [ScriptedServer.Step] = [.pause(.milliseconds(20)), .send(Self.evil)]
        let server = try ScriptedServer.answering(response.answer + (isLate ? "" : Self.evil), then: isLate ? late : [])
        let transport = CurlTransport()
        let first = try await transport.load(.to(server.url, method: response.method))
        #expect(first.text == response.text)
        #expect(first.metrics.isCompletenessProven)
        if isLate { try await OpenSockets.waitUntilStale(toPorts: [server.port]) }
        #expect(try await transport.get(server.url).text == "fresh", "\(response.answer.debugDescription)")
        #expect(server.connectionCount == 2)
    }

    @Test("without excess the connection is reused", arguments: complete)
    func reuse(_ method: HTTPRequest.Method, _ answer: String, _ text: String) async throws {
        let server = try ScriptedServer.answering(answer)
        let transport = CurlTransport()
        #expect(try await transport.load(.to(server.url, method: method)).text == text)
        #expect(try await transport.get(server.url).text == "reused")
    }

    @Test("a connection after the one that was closed is kept")
    func reuseAfterwards() async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .send(Self.complete[2].answer + Self.evil), .stall]
                : [.readRequest, .respond(content: "a"), .readRequest, .respond(content: "b")]
        }
        let transport = CurlTransport()
        for text in ["abc", "a", "b"] { #expect(try await transport.get(server.url).text == text) }
    }
}
